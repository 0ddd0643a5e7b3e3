import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { type EvalOptions, evaluate } from "../../../src/engine/evaluation/evaluate.ts";
import type { AppError } from "../../../src/errors.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

setDefaultTimeout(120_000);

const GOLDEN = `queries:
  - {id: lease, query: when does the lease expire, expected: [{path: lease.md, grade: 3}]}
  - {id: gone, query: where is the moon, expected: [{path: leese.md}]}
  - {id: none, query: recipe for soup, unanswerable: true}
`;

async function notes(golden = GOLDEN): Promise<TestFolder> {
  const folder = new TestFolder();
  folder.write("lease.md", "# Lease\n\nThe lease expires after 30 days.\n");
  folder.write("other.md", "# Other\n\nNothing about it.\n");
  folder.write(".kb-eval.yml", golden);
  await indexOnce(folder.path);
  return folder;
}

async function run(folder: TestFolder, options: Partial<EvalOptions> = {}) {
  const engine = testEngine(folder.path);
  try {
    return await engine.lend((parts) =>
      evaluate(parts, {
        golden: undefined,
        cwd: folder.path,
        limit: undefined,
        depths: undefined,
        baseline: undefined,
        saveBaseline: undefined,
        mustCompare: false,
        onProgress() {},
        ...options,
      }),
    );
  } finally {
    await engine.close();
  }
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (thrown: AppError) => thrown,
  );

describe("evaluate", () => {
  test("measures, names a document that is not there, and leaves the unanswerable out of the means", async () => {
    using folder = await notes();
    const report = await run(folder);
    expect(report.aggregate).toMatchObject({ query_count: 2, mrr: 0.5, recall_at_k: { 1: 0.5 } });
    expect(report.unanswerable?.query_count).toBe(1);
    expect(report.findings).toContainEqual({
      check: "expected-missing",
      severity: "error",
      query_id: "gone",
      path: "leese.md",
      nearest: "lease.md",
    });
    expect(report.comparison).toBeNull();
    expect(folder.list()).not.toContain(".kb-eval-history.json.lock");
  });

  test("compares with the newest run of the same kind, past one of another kind", async () => {
    using folder = await notes();
    const first = await run(folder, { mustCompare: true });
    await run(folder, { depths: [3] });
    const third = await run(folder, { mustCompare: true });
    expect(third.comparison).toMatchObject({
      timestamp: first.timestamp,
      has_regression: false,
      changed_queries: [],
    });
    expect(third.corpus_changed).toBe(false);
  });

  test("refuses a required comparison where no run is of its kind, and saves nothing", async () => {
    using folder = await notes();
    await run(folder);
    const before = folder.read(".kb-eval-history.json");
    expect(await failure(run(folder, { depths: [3], mustCompare: true }))).toMatchObject({
      code: "incompatible",
    });
    expect(folder.read(".kb-eval-history.json")).toBe(before);
  });

  test("sees a regression against a baseline, and which query changed", async () => {
    using folder = await notes();
    await run(folder, { saveBaseline: "good" });
    folder.remove("lease.md");
    await indexOnce(folder.path);
    const report = await run(folder, { baseline: "good" });
    expect(report.comparison).toMatchObject({ has_regression: true, baseline: "good" });
    expect(report.comparison?.changed_queries).toEqual([{ id: "lease", before: 1, after: null }]);
    expect(report.corpus_changed).toBe(true);
    expect(await failure(run(folder, { baseline: "god" }))).toMatchObject({ code: "missing" });
  });

  test("keeps what is no history aside, and all runs of several at once", async () => {
    using folder = await notes();
    folder.write(".kb-eval-history.json", "{broken");
    const report = await run(folder);
    expect(report.history).toMatchObject({ saved: true, problems: [expect.stringContaining("unreadable-")] });
    await Promise.all([run(folder), run(folder), run(folder)]);
    expect(JSON.parse(folder.read(".kb-eval-history.json")).runs).toHaveLength(4);
  });

  test("refuses a history that is a link or a folder, before it asks anything", async () => {
    using folder = await notes();
    symlinkSync("/nowhere", folder.at(".kb-eval-history.json"));
    expect(await failure(run(folder))).toMatchObject({ code: "io" });
    folder.remove(".kb-eval-history.json");
    mkdirSync(folder.at(".kb-eval-history.json"));
    expect(await failure(run(folder))).toMatchObject({ code: "io" });
  });

  test("refuses a golden file with every problem and its line", async () => {
    using folder = await notes("queries:\n  - {query: a, expcted: []}\n  - {query: 5, unanswerable: true}\n");
    const { code, message } = (await failure(run(folder)))!;
    expect(code).toBe("config");
    expect(message).toContain('line 2: unknown key "expcted". Did you mean expected?');
    expect(message).toContain("line 3: queries.1.query");
    writeFileSync(folder.at(".kb-eval.yml"), "a".repeat(1024 * 1024 + 1));
    expect((await failure(run(folder)))?.message).toContain("larger than 1048576 bytes");
  });
});
