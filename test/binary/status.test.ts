/**
 * `kb status` on the compiled program: what is in the index, how the last run went, and what has changed since.
 *
 * Stale documents are in `stale.test.ts`, runtimes in `runtime.test.ts`, engines in `vector-engine.test.ts`.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { acquireWriterLock } from "../../src/store/writer-lock.ts";
import { changeIndex, indexedNotes } from "../support/doctor.ts";
import { asPlainUser, runJson, runKb } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const statusOf = (folder: TestFolder) => runJson(["status", "--kb", folder.path]);
const textOf = async (folder: TestFolder) => (await runKb(["status", "--kb", folder.path])).stdout;

describe("kb status", () => {
  test("tells what is in the index, what made it, and how the run went", async () => {
    using folder = await indexedNotes();
    const status = await statusOf(folder);
    expect(status).toMatchObject({
      root: folder.path,
      state: "ready",
      documents: 2,
      chunks: 2,
      vectors: { coverage: 1, pending: 0, pace: null },
      pending_changes: { added: 0, changed: 0, removed: 0, samples: [] },
      writer: null,
      outdated_documents: 0,
      stale: [],
      skipped: [],
      last_run: {
        result: "done",
        changes: { added: 2, updated: 0, renamed: 0, removed: 0, embedded: 2 },
      },
    });
    expect(status.index_bytes).toBeGreaterThan(0);
    expect(status.last_run.duration_ms).toBeGreaterThan(0);
    expect(status.last_run.started_at <= status.indexed_at).toBe(true);
    expect(status.recorded_stages).toEqual([
      { parser: String(status.stages.parser), chunker: expect.stringContaining("e5"), documents: 2 },
    ]);
    const text = await textOf(folder);
    expect(text).toMatch(/^ +done in \d+\.\d s: 2 added, 0 updated, 0 renamed, 0 removed, 2 vectors$/m);
    expect(text).toMatch(/^changes +none since the last run$/m);
    expect(text).toMatch(/^stages +schema \d+, parser \d+, .*query \d+$/m);
  });

  test("counts what has changed in the folder since, without reading it", async () => {
    using folder = await indexedNotes();
    appendFileSync(folder.at("a.md"), "\nMore.\n");
    folder.write("c.md", "# C\n\nNew.\n");
    folder.remove("b.md");
    expect((await statusOf(folder)).pending_changes).toEqual({
      added: 1,
      changed: 1,
      removed: 1,
      samples: ["a.md", "c.md", "b.md"],
    });
    expect(await textOf(folder)).toMatch(/^changes +1 new, 1 changed, 1 gone since .*kb index$/m);
  });

  test("names the process that is indexing, and the pace of its vectors", async () => {
    using folder = await indexedNotes();
    const startedAt = new Date(Date.now() - 10_000).toISOString();
    changeIndex(
      folder,
      "DELETE FROM chunk_vectors",
      "INSERT INTO pending_vectors SELECT id FROM chunks",
      "UPDATE meta SET value = '' WHERE key = 'run_outcome'",
      `UPDATE meta SET value = '{"at":"${startedAt}","pending":12}' WHERE key = 'run_vector_start'`,
    );
    using _lock = acquireWriterLock(folder.at(".kb"));
    const status = await statusOf(folder);
    expect(status).toMatchObject({ state: "indexing", last_run: { result: "running", duration_ms: null } });
    expect(Object.keys(status.writer)).toEqual(["pid", "hostname", "since"]);
    expect(status.writer.pid).toBe(process.pid);
    expect(status.vectors).toMatchObject({ pending: 2 });
    expect(status.vectors.pace.per_second).toBeGreaterThan(0);
    expect(status.vectors.pace.remaining_seconds).toBeGreaterThan(0);
    const text = await textOf(folder);
    expect(text).toContain(`process ${process.pid} on `);
    expect(text).toMatch(/^vectors +0\.0 %, 2 to be made, \d+\.\d a second, \d+ s left$/m);
  });

  test("says that the last run was killed, or interrupted", async () => {
    using folder = await indexedNotes();
    changeIndex(
      folder,
      "UPDATE meta SET value = json_set(value, '$.isInterrupted', json('true')) WHERE key = 'run_outcome'",
    );
    expect((await statusOf(folder)).last_run.result).toBe("interrupted");
    expect(await textOf(folder)).toMatch(/^ +interrupted in /m);
    changeIndex(folder, "UPDATE meta SET value = '' WHERE key = 'run_outcome'");
    expect((await statusOf(folder)).last_run).toMatchObject({
      result: "unfinished",
      duration_ms: null,
      changes: null,
    });
    expect(await textOf(folder)).toMatch(/was killed or failed; go on with: kb index$/m);
  });

  test("counts documents that another version made", async () => {
    using folder = await indexedNotes();
    changeIndex(folder, "UPDATE readings SET parser_version = '0'");
    const status = await statusOf(folder);
    expect(status.outdated_documents).toBe(2);
    expect(status.recorded_stages).toMatchObject([{ parser: "0", documents: 2 }]);
    expect(await textOf(folder)).toContain("2 documents were made otherwise");
  });

  test("lists 20 skipped files as text, all of them as JSON", async () => {
    using folder = new TestFolder();
    for (let number = 10; number < 35; number++) folder.write(`${number}.md`, "a\u0000b");
    await runJson(["index", folder.path]);
    expect((await statusOf(folder)).skipped).toHaveLength(25);
    const text = await textOf(folder);
    expect(text.match(/^ {2}\d+\.md: /gm)).toHaveLength(20);
    expect(text).toContain("and 5 more: kb status --json");
  });

  test("works as a user who may write nothing there", async () => {
    using home = new TestFolder();
    using folder = await indexedNotes();
    const status = await runJson(["status", "--kb", folder.path], asPlainUser(home.path));
    expect(status).toMatchObject({ state: "ready", documents: 2, writer: null });
  });
});
