import { describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, renameSync, symlinkSync, truncateSync, utimesSync } from "node:fs";
import type { TextChanges } from "../../../src/engine/indexing/index-report.ts";
import { runTextStage, type TextStageOptions } from "../../../src/engine/indexing/text-stage.ts";
import { findDocument, listDocumentPaths } from "../../../src/store/documents.ts";
import type { IndexDatabase } from "../../../src/store/open.ts";
import { listSkipped, listStaleDocuments } from "../../../src/store/skipped.ts";
import { openMemoryIndex } from "../../store/sample-index.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { NO_JOURNAL } from "../../support/no-journal.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";
import { unprivilegedUntilDone } from "../../support/unprivileged.ts";

const NOTE = "# Backups\n\nThe nightly backup runs at two.\n";
const OTHER = "# Minutes\n\nThe meeting chose a date for the move.\n";

/** By default as if every file had been at rest for an hour, so that stats can be trusted. */
async function index(
  folder: TestFolder,
  db: IndexDatabase,
  options: Partial<TextStageOptions> = {},
): Promise<TextChanges> {
  return unprivilegedUntilDone(() =>
    runTextStage(folder.path, db, {
      walk: { extensions: ["md", "txt"], excludeDirs: [], hidden: false, gitignore: true },
      chunk: { maxTokens: 96, overlapTokens: 0 },
      verify: false,
      embedder: new HashEmbedder(),
      pool: { workers: 0 },
      onProgress() {},
      signal: new AbortController().signal,
      ...NO_JOURNAL,
      now: () => new Date(Date.now() + 3600_000),
      ...options,
    }),
  );
}

/** Waits until the clock of the file system has gone on. */
function tick(): void {
  Bun.sleepSync(12);
}

/** With a time that is always the same, so that it tells nothing. */
function writeInSecret(folder: TestFolder, path: string, content: string): void {
  tick();
  folder.write(path, content);
  utimesSync(folder.at(path), 1_700_000_000, 1_700_000_000);
}

describe("an edit that its size and time do not show", () => {
  test("is seen in a document", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    writeInSecret(folder, "a.md", NOTE);
    await index(folder, db);
    writeInSecret(folder, "a.md", NOTE.replace("two", "six"));
    expect(await index(folder, db)).toMatchObject({ updated: 1, unchanged: 0 });
  });

  test("is seen in a file that was binary", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    writeInSecret(folder, "a.md", NOTE.replace("#", "\0"));
    expect(await index(folder, db)).toMatchObject({ added: 0, skipped: [{ path: "a.md" }] });
    writeInSecret(folder, "a.md", NOTE);
    expect(await index(folder, db)).toMatchObject({ added: 1, skipped: [] });
  });

  // Nobody can set the time of a file's last change, so the index is made to remember another content.
  const forgeHash = (db: IndexDatabase) => db.run("UPDATE documents SET content_hash = x'00'");

  test("is looked for where a file changed so shortly before the run that its times prove nothing", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    folder.write("a.md", NOTE);
    const now = () => new Date(lstatSync(folder.at("a.md")).ctimeMs + 1000);
    await index(folder, db, { now });
    forgeHash(db);
    expect(await index(folder, db)).toMatchObject({ updated: 1 });
    forgeHash(db);
    expect(await index(folder, db)).toMatchObject({ updated: 0, unchanged: 1 });
  });

  test("is looked for once only where the content turns out to be the same", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    folder.write("a.md", NOTE);
    await index(folder, db, { now: () => new Date() });
    expect(await index(folder, db)).toMatchObject({ updated: 0, unchanged: 1 });
    forgeHash(db);
    expect(await index(folder, db)).toMatchObject({ updated: 0, unchanged: 1 });
  });

  test("is found by a run that verifies", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    folder.write("a.md", NOTE);
    await index(folder, db);
    forgeHash(db);
    expect(await index(folder, db, { verify: true })).toMatchObject({ updated: 1 });
  });
});

describe("a name in another Unicode form", () => {
  test.each<[string, string, string]>([
    ["a file", "か\u3099.md", "が.md"],
    ["a folder", "か\u3099/a.md", "が/a.md"],
  ])("is remembered for opening: %s", async (_, before, after) => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    folder.write(before, NOTE);
    await index(folder, db);
    const [from, to] = [before.split("/")[0]!, after.split("/")[0]!];
    renameSync(folder.at(from), folder.at(to));
    await index(folder, db);
    expect(findDocument(db, after)).toMatchObject({ path: after, rawPath: after });
  });
});

describe("a text that moves", () => {
  const moves: [string, (folder: TestFolder) => void][] = [
    [
      "two names swapped",
      (folder) => {
        folder.rename("a.md", "aside");
        folder.rename("b.md", "a.md");
        folder.rename("aside", "b.md");
      },
    ],
    [
      "a name taken over by another file",
      (folder) => {
        folder.rename("b.md", "c.md");
        folder.rename("a.md", "b.md");
      },
    ],
    [
      "to a new file, while its own is emptied",
      (folder) => {
        folder.write("c.md", NOTE);
        truncateSync(folder.at("a.md"));
      },
    ],
    ["a letter in another case", (folder) => folder.rename("a.md", "A.md")],
    ["to another folder with all others", (folder) => folder.rename("b.md", "x/y/b.md")],
  ];
  test.each(moves)("is not embedded again: %s", async (_, move) => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    folder.write("b.md", OTHER);
    const embedder = new HashEmbedder();
    await indexOnce(folder.path, embedder);
    move(folder);
    expect((await indexOnce(folder.path, embedder)).vectors).toMatchObject({ coverage: 1, embedded: 0 });
    expect(embedder.embeddedPassages).toHaveLength(2);
  });
});

describe("a file that is no document any more", () => {
  test.each<[string, (file: string) => void]>([
    ["it is too large", (file) => truncateSync(file, 65 * 1024 * 1024)],
    [
      "it is a link",
      (file) => {
        renameSync(file, `${file}.bak`);
        symlinkSync(`${file}.bak`, file);
      },
    ],
  ])("takes its document along: %s", async (_, change) => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    change(folder.write("a.md", NOTE));
    const fresh = await index(folder, db);
    using other = new TestFolder();
    using later = openMemoryIndex();
    other.write("a.md", NOTE);
    await index(other, later);
    change(other.at("a.md"));
    expect(await index(other, later)).toMatchObject({ removed: 1, skipped: fresh.skipped });
    expect(listDocumentPaths(later)).toEqual([]);
    expect(listStaleDocuments(later)).toEqual([]);
  });
});

describe("a document that cannot be read now", () => {
  test("stays as it was and is listed as stale, until its file is there again or gone", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    for (const path of ["a.md", "closed/b.md", "closed/c/d.md", "closed0.md"]) folder.write(path, NOTE);
    await index(folder, db);
    folder.write("closed/b.md", OTHER);
    chmodSync(folder.at("a.md"), 0);
    chmodSync(folder.at("closed"), 0);
    const { removed, skipped } = await index(folder, db);
    expect({ removed, skipped: skipped.length }).toEqual({ removed: 0, skipped: 2 });
    const reason = "no permission to read it";
    const stale = ["a.md", "closed/b.md", "closed/c/d.md"].map((path) => ({ path, reason }));
    expect(listStaleDocuments(db)).toEqual(stale);

    chmodSync(folder.at("a.md"), 0o644);
    chmodSync(folder.at("closed"), 0o755);
    folder.remove("closed/c");
    expect(await index(folder, db)).toMatchObject({ updated: 1, removed: 1, skipped: [] });
    expect(listStaleDocuments(db)).toEqual([]);
  });

  test("leaves when its folder is left out or gone", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    for (const path of ["x/a.md", "y/b.md"]) folder.write(path, NOTE);
    await index(folder, db);
    chmodSync(folder.at("x"), 0);
    chmodSync(folder.at("y"), 0);
    await index(folder, db);
    folder.write(".kbignore", "x/\n");
    chmodSync(folder.at("y"), 0o755);
    folder.remove("y");
    await index(folder, db);
    chmodSync(folder.at("x"), 0o755);
    expect(listDocumentPaths(db)).toEqual([]);
    expect(listStaleDocuments(db)).toEqual([]);
  });
});

describe("an ignore file edited afterwards", () => {
  test("makes documents leave and come", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    for (const path of ["a.md", "d/b.md", "d/c.md"]) folder.write(path, `${NOTE}${path}\n`);
    const pathsWith = async (path: string, rules: string) => {
      folder.write(path, rules);
      await index(folder, db);
      return listDocumentPaths(db);
    };
    expect(await pathsWith(".kbignore", "d/\n")).toEqual(["a.md"]);
    expect(await pathsWith(".kbignore", "a.md\n")).toEqual(["d/b.md", "d/c.md"]);
    expect(await pathsWith("d/.kbignore", "/b.md\n!a.md\n")).toEqual(["d/c.md"]);
    expect(await pathsWith("d/.gitignore", "c.md\n")).toEqual([]);
    expect(await pathsWith("d/.kbignore", "!c.md\n")).toEqual(["d/b.md", "d/c.md"]);
  });
});

describe("another version of a stage", () => {
  test("of the parser makes documents anew and reads skipped files again, and embeds nothing", async () => {
    using folder = new TestFolder();
    using db = openMemoryIndex();
    folder.write("a.md", NOTE);
    folder.write("b.md", new Uint8Array([0]));
    await index(folder, db);
    db.run("UPDATE readings SET parser_version = 'older'");
    expect(await index(folder, db)).toMatchObject({ updated: 1, unchanged: 0 });
    const { contentHash } = listSkipped(db)[0]!;
    db.run("UPDATE skipped SET made_by = 'older', content_hash = 'older'");
    await index(folder, db);
    expect(listSkipped(db)[0]).toMatchObject({ path: "b.md", contentHash });
  });

  test("of the chunker's settings makes chunks anew, and embeds only texts that are new", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    const sentences = Array.from({ length: 40 }, (_, n) => `Valve ${n} is tightened before frost.`);
    folder.write("b.md", `# Valves\n\n${sentences.join(" ")}\n`);
    const embedder = new HashEmbedder();
    await indexOnce(folder.path, embedder);
    folder.write("kb.toml", "[chunk]\nmax_tokens = 64\n");
    const { updated, vectors } = await indexOnce(folder.path, embedder);
    expect(updated).toBe(2);
    expect(vectors.embedded).toBeGreaterThan(2);
    expect(new Set(embedder.embeddedPassages).size).toBe(embedder.embeddedPassages.length);
  });

  test("of the embedder keeps chunks and full text, and makes only the vectors anew", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    folder.write("b.md", OTHER);
    const old = new HashEmbedder({ revision: "1" });
    await indexOnce(folder.path, old);
    const reader = testEngine(folder.path, old);
    await reader.search({ query: "backup" });

    const next = new HashEmbedder({ revision: "2", dims: 32 });
    const report = await indexOnce(folder.path, next, { vectors: false });
    expect(report).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
    expect(report.vectors).toEqual({ coverage: 0, embedded: 0, pending: 2, replaced_model: "hash" });
    expect((await indexOnce(folder.path, next)).vectors).toEqual({ coverage: 1, embedded: 2, pending: 0 });

    // One that had the index open with the old embedder refuses as well.
    expect(reader.search({ query: "backup" })).rejects.toMatchObject({ code: "incompatible" });
    await reader.close();
    const engine = testEngine(folder.path, next);
    expect((await engine.search({ query: "backup" })).results[0]?.scores.dense).toBeDefined();
    await engine.close();
  });
});
