import { describe, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import {
  type PreparedFile,
  type PrepareSettings,
  prepareDocument,
} from "../../../src/engine/indexing/prepare-document.ts";
import { runTextStage } from "../../../src/engine/indexing/text-stage.ts";
import { type FoundFile, walkFolder } from "../../../src/source/walk.ts";
import { findDocument } from "../../../src/store/documents.ts";
import type { IndexDatabase } from "../../../src/store/open.ts";
import { listSkipped } from "../../../src/store/skipped.ts";
import { openMemoryIndex } from "../../store/sample-index.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { NO_JOURNAL } from "../../support/no-journal.ts";
import { TestFolder } from "../../support/test-folder.ts";

const walk = { extensions: ["md", "txt"], excludeDirs: [], hidden: false, gitignore: true };
const TEXT = `First line. Second one.\r\n日本語の文。\n\n${"A paragraph with some words in it, and more of them. ".repeat(80)}\n\nEnd.\n`;

function settingsOf(folder: TestFolder): PrepareSettings {
  return {
    root: folder.path,
    chunk: { maxTokens: 64, overlapTokens: 8 },
    chunkerStamp: "1",
    indexedAt: "2026-01-02T03:04:05.000Z",
  };
}

function onlyFile(folder: TestFolder): FoundFile {
  return walkFolder(folder.path, walk).files[0]!;
}

function inFull(prepared: PreparedFile): object {
  if (prepared.kind === "skip") return prepared;
  const { isStreamed: _, text, ...others } = prepared;
  return { ...others, text: { ...text, blocks: [...text.blocks] } };
}

describe("a document that is read in parts", () => {
  const embedder = new HashEmbedder();

  test.each([
    ["a.txt", TEXT],
    ["a.txt", " \n\t\n"],
    ["a.txt", `\uFEFF${TEXT}`],
    ["a.txt", new Uint8Array([0xff, 0xfe, 0x41, 0, 0x42, 0])],
    ["a.txt", `binary\0${TEXT}`],
    ["a.md", `# Title\n\n${TEXT}`],
  ])("is prepared as if it were read whole (%s %#)", (path, content) => {
    using folder = new TestFolder();
    folder.write(path, content);
    const prepare = (largeFileBytes: number) =>
      inFull(
        prepareDocument(onlyFile(folder), { ...settingsOf(folder), largeFileBytes }, (words) =>
          embedder.countPassageTokens(words),
        ),
      );
    expect(prepare(0)).toEqual(prepare(1_000_000));
  });

  test("stays as it was when its file is replaced while it is read, and the others are stored", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    folder.write("large.txt", "The text before.\n");
    await index(db, folder, new HashEmbedder());
    const before = findDocument(db, "large.txt");

    folder.write("large.txt", "Some words of a long text.\n\n".repeat(340_000));
    folder.write("small.txt", "A small text.\n");
    folder.write("other.bin", "Another text.\n");
    class ReplacingEmbedder extends HashEmbedder {
      #counted = 0;
      override countPassageTokens(text: string): number {
        this.#counted += 1;
        if (this.#counted === 100) renameSync(folder.at("other.bin"), folder.at("large.txt"));
        return super.countPassageTokens(text);
      }
    }
    expect(await index(db, folder, new ReplacingEmbedder())).toMatchObject({ added: 1, updated: 0 });
    expect(findDocument(db, "large.txt")).toEqual(before);
    expect(listSkipped(db)).toMatchObject([
      {
        path: "large.txt",
        isUnreadable: true,
        contentHash: null,
        reason: expect.stringContaining("changed while"),
      },
    ]);
    expect(await index(db, folder, new HashEmbedder())).toMatchObject({ updated: 1, skipped: [] });
  });
});

function index(db: IndexDatabase, folder: TestFolder, embedder: HashEmbedder) {
  return runTextStage(folder.path, db, {
    walk,
    chunk: { maxTokens: 96, overlapTokens: 0 },
    verify: false,
    embedder,
    pool: { workers: 0 },
    onProgress() {},
    signal: new AbortController().signal,
    ...NO_JOURNAL,
    now: () => new Date(Date.now() + 3600_000),
  });
}
