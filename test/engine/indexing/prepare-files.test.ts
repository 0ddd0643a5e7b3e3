import { describe, expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { openBuiltinEmbedder } from "../../../src/embed/builtin-embedder.ts";
import type { PreparedFile } from "../../../src/engine/indexing/prepare-document.ts";
import { prepareFiles } from "../../../src/engine/indexing/prepare-files.ts";
import type { PreparePoolOptions } from "../../../src/engine/indexing/prepare-pool.ts";
import { walkFolder } from "../../../src/source/walk.ts";
import { generateDocument } from "../../support/documents.ts";
import { TestFolder } from "../../support/test-folder.ts";

const WORKER = new URL("../../../src/engine/indexing/prepare-worker.ts", import.meta.url).href;

/** Answers each file with a mark instead of preparing it. */
const MARKING_WORKER = `self.onmessage = ({ data }) => {
  if (data.kind === "prepare")
    self.postMessage(data.files.map(({ path }) => ({ kind: "skip", reason: "mark " + path, contentHash: null })));
};`;

/** The real worker, until a number of messages have come. */
const failingWorker = (messages: number, failure: string) => `
import ${JSON.stringify(WORKER)};
const answer = self.onmessage;
let count = 0;
self.onmessage = (event) => {
  count += 1;
  if (count > ${messages}) ${failure};
  answer(event);
};`;

/** Writes notes of about 4 kB each. */
function writeNotes(folder: TestFolder, count: number): void {
  for (let n = 0; n < count; n++) folder.write(`notes/${n}.md`, generateDocument(n, 4));
}

async function prepareFolder(
  folder: TestFolder,
  pool: PreparePoolOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ paths: string[]; prepared: PreparedFile[] }> {
  const embedder = openBuiltinEmbedder({ cacheFolder: folder.at("cache") });
  const { files } = walkFolder(folder.path, {
    extensions: ["md", "txt"],
    excludeDirs: [],
    hidden: false,
    gitignore: false,
  });
  const settings = {
    root: folder.path,
    chunk: { maxTokens: 128, overlapTokens: 16 },
    chunkerStamp: "1",
    indexedAt: "2026-01-02T03:04:05.000Z",
  };
  const prepared: PreparedFile[] = [];
  const { countPassageTokens } = embedder;
  let taken = 0;
  const onTake = (count: number) => {
    taken += count;
  };
  for await (const portion of prepareFiles(files, { settings, countPassageTokens, pool, signal, onTake })) {
    prepared.push(...portion);
    if (prepared.length > taken) throw new Error("files came out that nobody was told of before");
  }
  return { paths: files.map(({ path }) => path), prepared };
}

function reasonsOf(prepared: readonly PreparedFile[]): string[] {
  return prepared.map((file) => (file.kind === "skip" ? file.reason : "prepared"));
}

describe("prepareFiles", () => {
  test("starts no worker for little work", async () => {
    using folder = new TestFolder();
    writeNotes(folder, 40);
    // Large files are none of the workers' business.
    truncateSync(folder.write("notes/large.md", ""), 9 * 1024 * 1024);
    const entry = folder.write("worker.ts", MARKING_WORKER);
    const { prepared } = await prepareFolder(folder, { workers: 2, entry });
    expect(reasonsOf(prepared)).toEqual([
      ...Array.from({ length: 40 }, () => "prepared"),
      "binary file: it contains NUL bytes",
    ]);
  });

  test("gives much work to workers and its results in order, whoever finishes first", async () => {
    using folder = new TestFolder();
    writeNotes(folder, 400);
    const slowHalf = MARKING_WORKER.replace("{\n", "{\nif (Math.random() < 0.5) Bun.sleepSync(20);\n");
    const entry = folder.write("worker.ts", slowHalf);
    const { paths, prepared } = await prepareFolder(folder, { workers: 3, entry });
    expect(reasonsOf(prepared)).toEqual(paths.map((path) => `mark ${path}`));
  });

  test("prepares a large file on the calling thread, in its place", async () => {
    using folder = new TestFolder();
    writeNotes(folder, 200);
    truncateSync(folder.write("notes/100-large.md", ""), 9 * 1024 * 1024);
    const entry = folder.write("worker.ts", MARKING_WORKER);
    const { paths, prepared } = await prepareFolder(folder, { workers: 1, entry });
    const expected = paths.map((path) =>
      path === "notes/100-large.md" ? "binary file: it contains NUL bytes" : `mark ${path}`,
    );
    expect(reasonsOf(prepared)).toEqual(expected);
  });

  test.each([
    ["cannot be found", undefined],
    ["fails as it starts", "throw new Error('planted');"],
    ["fails at its first files", failingWorker(1, "throw new Error('planted')")],
    ["fails later", failingWorker(3, "throw new Error('planted')")],
    ["ends by itself", failingWorker(3, "process.exit(3)")],
  ])("loses nothing when every worker %s", async (_what, program) => {
    using folder = new TestFolder();
    writeNotes(folder, 300);
    const entry = program === undefined ? folder.at("none.ts") : folder.write("worker.ts", program);
    const expected = await prepareFolder(folder, { workers: 0 });
    expect(await prepareFolder(folder, { workers: 2, entry })).toEqual(expected);
  });

  test("ends at once when it is stopped, although a worker never answers", async () => {
    using folder = new TestFolder();
    writeNotes(folder, 300);
    const entry = folder.write("worker.ts", "self.onmessage = () => { for (;;) {} };");
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect((await prepareFolder(folder, { workers: 2, entry }, stop.signal)).prepared).toEqual([]);
  });
});
