/**
 * `kb tune` on the compiled program: what it advises, that it changes nothing, and its exit codes.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { runJson, runKb } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const GOLDEN = `queries:
  - {id: lease, query: when does the lease expire, expected: [{path: lease.md}]}
  - {id: 期限, query: 契約の期限はいつですか, expected: [{path: 契約.md}]}
  - {id: later, query: what comes later, expected: []}
  - {id: none, query: recipe for soup, unanswerable: true}
`;

async function notes(golden = GOLDEN): Promise<TestFolder> {
  const folder = TestFolder.copyOf(SAMPLE_FOLDER);
  folder.write("lease.md", "# Lease\n\nThe lease expires after 30 days.\n");
  folder.write("lease-2.md", "# Lease\n\nWho signs the lease.\n");
  folder.write("契約.md", "# 契約\n\n契約の期限は三月末です。\n");
  folder.write("契約-2.md", "# 契約\n\n契約の相手。\n");
  folder.write(".kb-eval.yml", golden);
  expect((await runKb(["index", folder.path])).code).toBe(0);
  return folder;
}

describe("kb tune", () => {
  test("keeps the settings where nothing is better, warns of few queries, and writes nothing", async () => {
    using folder = await notes();
    const before = folder.list();
    const { code, stdout, stderr } = await runKb(["tune", "--kb", folder.path]);
    expect(code).toBe(0);
    expect(stdout).toContain("queries       2 tell settings apart, of 2 that expect something\n");
    expect(stdout).toMatch(/^mrr +1\.000 +1\.000$/m);
    expect(stdout).toContain("keep the settings:\n  nothing tried is better than what is set\n");
    expect(stderr).toContain("only 2 queries tell settings apart");
    expect(stderr).toContain("1 queries expect nothing and do not count: later");
    expect(folder.list()).toEqual(before);
  });

  test("prints one JSON document with every part of the report", async () => {
    using folder = await notes();
    const report = await runJson(["tune", "--kb", folder.path, "--k", "3"]);
    expect(report).toMatchObject({
      golden_file: folder.at(".kb-eval.yml"),
      method: "convex",
      limit: 5,
      k_values: [3, 5],
      usable_count: 2,
      effective_count: 2,
      settings_tried: 100,
      current: { settings: { weight_terms: 0.4, rrf_k: 60 }, measures: { mrr: 1 } },
      validation: { folds: 2, rounds: 10, mean_gain: 0, stability: 1, sign_test_p: 1 },
      recommendation: "keep",
      reasons: [{ check: "same" }],
      toml: null,
      changed_queries: [],
    });
    expect(report.best).toEqual(report.current);
    expect(report.diagnostics[0]).toMatchObject({ id: "lease", is_effective: true, is_sensitive: false });
  });

  test("ends with 2 and what each query found, where there is nothing to choose by", async () => {
    using folder = await notes("queries: [{query: zzz, expected: [{path: lease.md}]}]");
    const { code, stdout, stderr } = await runKb(["tune", "--kb", folder.path]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^ +0 +0 +\d+ +0 {2}zzz$/m);
    expect(stderr).toContain("nothing to choose by");
    expect(await runJson(["tune", "--kb", folder.path], {}, 2)).toMatchObject({
      recommendation: null,
      best: null,
      diagnostics: [{ id: "zzz", is_effective: false }],
    });
  });

  test("refuses what kb eval refuses", async () => {
    using folder = await notes("queries: [{query: a, expcted: []}]");
    expect(await runKb(["tune", "--kb", folder.path])).toMatchObject({ code: 2, stdout: "" });
    folder.remove(".kb-eval.yml");
    const missing = await runKb(["tune", "--kb", folder.path]);
    expect(missing).toMatchObject({ code: 3, stdout: "" });
    expect(missing.stderr).toContain("no golden file at ");
    expect((await runKb(["tune", "--kb", folder.path, "--limit", "0"])).code).toBe(2);
  });
});
