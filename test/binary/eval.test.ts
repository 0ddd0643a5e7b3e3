/**
 * `kb eval` on the compiled program: what it prints and remembers, its exit codes, and files made to harm it.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { asPlainUser, type RunOptions, runJson, runKb } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const GOLDEN = `queries:
  - {id: lease, query: when does the lease expire, expected: [{path: lease.md, grade: 3}], tags: [ops]}
  - {id: 期限, query: 契約の期限はいつですか, expected: [{path: 契約.md}]}
  - {id: none, query: recipe for soup, unanswerable: true}
`;
const HISTORY = ".kb-eval-history.json";

async function notes(golden: string | undefined = GOLDEN): Promise<TestFolder> {
  const folder = new TestFolder();
  folder.write("lease.md", "# Lease\n\nThe lease expires after 30 days.\n");
  folder.write("契約.md", "# 契約\n\n契約の期限は三月末です。\n");
  folder.write("other.md", "# Other\n\nNothing about it.\n");
  folder.write(".kb-eval.yml", golden);
  expect((await runKb(["index", folder.path])).code).toBe(0);
  return folder;
}

const evaluate = (folder: TestFolder, args: readonly string[] = [], options: RunOptions = {}) =>
  runKb(["eval", "--kb", folder.path, ...args], options);

async function loseTheLease(folder: TestFolder): Promise<void> {
  folder.remove("lease.md");
  expect((await runKb(["index", folder.path])).code).toBe(0);
}

describe("kb eval", () => {
  test("prints the figures of a first run, and passes it whatever it must compare with", async () => {
    using folder = await notes();
    const { code, stdout, stderr } = await evaluate(folder, ["--fail-on-regression"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`golden file   ${folder.at(".kb-eval.yml")}\nqueries       2 judged of 3\n`);
    expect(stdout).toMatch(/^mrr {11}1\.000$/m);
    expect(stdout).toMatch(/^script:japanese +1 {2}1\.000/m);
    expect(stdout).toMatch(/^tag:ops /m);
    expect(stdout).toContain("unanswerable  1 queries");
    expect(stderr).toBe("");
    expect(JSON.parse(folder.read(HISTORY)).runs).toHaveLength(1);
  });

  test("compares the next run, and says what changed and that it got worse", async () => {
    using folder = await notes();
    await evaluate(folder);
    const same = await evaluate(folder, ["--fail-on-regression"]);
    expect(same.code).toBe(0);
    expect(same.stdout).toMatch(/^mrr .* = \+0\.000$/m);
    await loseTheLease(folder);
    const worse = await evaluate(folder, ["--fail-on-regression"]);
    expect(worse.code).toBe(1);
    expect(worse.stdout).toMatch(/^mrr .*↓ −0\.500 \[.*\].* regression$/m);
    expect(worse.stdout).toContain("  lease  1 -> –");
    expect(worse.stdout).toContain("another corpus than that of the run before");
    expect(worse.stderr).toContain("lease expects lease.md, which is not in the index");
    expect(JSON.parse(folder.read(HISTORY)).runs).toHaveLength(3);
    expect((await evaluate(folder)).code).toBe(0);
  });

  test("refuses a required comparison that is impossible with 3, and remembers nothing", async () => {
    using folder = await notes();
    await evaluate(folder);
    const before = folder.read(HISTORY);
    const { code, stdout, stderr } = await evaluate(folder, ["--fail-on-regression", "--k", "3"]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain("different: limit, k_values");
    expect(folder.read(HISTORY)).toBe(before);
  });

  test("compares with a baseline by name, and names those there are", async () => {
    using folder = await notes();
    expect((await evaluate(folder, ["--save-baseline", "good"])).code).toBe(0);
    await loseTheLease(folder);
    await evaluate(folder);
    expect((await evaluate(folder, ["--fail-on-regression"])).code).toBe(0);
    const worse = await evaluate(folder, ["--baseline", "good", "--fail-on-regression"]);
    expect(worse.code).toBe(1);
    expect(worse.stdout).toContain("changed since the baseline good (");
    const unknown = await evaluate(folder, ["--baseline", "god"]);
    expect(unknown).toMatchObject({ code: 3, stdout: "" });
    expect(unknown.stderr).toContain("There are: good.");
  });

  test("prints one JSON document with every part of the report", async () => {
    using folder = await notes();
    await evaluate(folder);
    const report = await runJson(["eval", "--kb", folder.path, "--k", "5,1", "--limit", "3"]);
    expect(report).toMatchObject({
      golden_file: folder.at(".kb-eval.yml"),
      aggregate: { recall_at_k: { 1: 1, 5: 1 }, mrr: 1, ndcg_at_k: { 1: 1, 5: 1 }, query_count: 2 },
      corpus: { documents: 3, chunks: 3 },
      corpus_changed: false,
      unanswerable: { query_count: 1 },
      findings: [],
      comparison: null,
      diff: null,
      history: { saved: true, problems: [] },
    });
    expect(report.incomparable).toContain("different: limit, k_values");
    expect(report.per_query[0]).toMatchObject({
      id: "lease",
      rank: 1,
      tags: ["ops"],
      metrics: { reciprocal_rank: 1 },
      low_confidence: false,
    });
    expect(report.per_query[0].top_k[0]).toMatchObject({ rank: 1, path: "lease.md", heading: "Lease" });
    const next = await runJson(["eval", "--kb", folder.path, "--k", "5,1", "--limit", "3"]);
    expect(next.diff).toEqual({ recall_at_k: { 1: 0, 5: 0 }, mrr: 0, ndcg_at_k: { 1: 0, 5: 0 } });
    expect(next.previous.timestamp).toBe(report.timestamp);
  });

  test("reports without remembering where nothing can be written, and says so", async () => {
    using folder = await notes();
    using elsewhere = new TestFolder();
    chmodSync(folder.path, 0o555);
    const { code, stdout, stderr } = await evaluate(folder, [], asPlainUser(elsewhere.path));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mrr {11}1\.000$/m);
    expect(stderr).toContain("this run is not remembered: ");
    const kept = await evaluate(folder, ["--save-baseline", "good"], asPlainUser(elsewhere.path));
    expect(kept.code).toBe(3);
    chmodSync(folder.path, 0o777);
    expect(folder.has(HISTORY)).toBe(false);
  });

  test("refuses a history that is a folder or a link, with 3", async () => {
    using folder = await notes();
    mkdirSync(folder.at(HISTORY));
    const directory = await evaluate(folder);
    expect(directory).toMatchObject({ code: 3, stdout: "" });
    expect(directory.stderr).toContain("is a folder, not a file");
    folder.remove(HISTORY);
    symlinkSync("nowhere.json", folder.at(HISTORY));
    const link = await evaluate(folder);
    expect(link).toMatchObject({ code: 3, stdout: "" });
    expect(link.stderr).toContain("is a symbolic link");
    expect(folder.has("nowhere.json")).toBe(false);
  });

  test("keeps a history that is none aside, and begins a new one", async () => {
    using folder = await notes();
    folder.write(HISTORY, "{ broken");
    const { code, stderr } = await evaluate(folder);
    expect(code).toBe(0);
    expect(stderr).toContain("is not a history of kb eval; it is kept as ");
    const aside = folder.list().find((name) => name.startsWith(`${HISTORY}.unreadable-`))!;
    expect(folder.read(aside)).toBe("{ broken");
    expect(JSON.parse(folder.read(HISTORY)).runs).toHaveLength(1);
  });

  test.each([
    ["larger than 1 MiB", "#".repeat(1024 * 1024 + 1), "is larger than 1048576 bytes"],
    [
      "with aliases",
      "queries:\n  - &q {query: a, expected: []}\n  - *q\n",
      "line 2: anchors and aliases are not read here: &q",
    ],
    ["with an unknown key", "queries:\n  - {query: a, expcted: []}\n", 'line 2: unknown key "expcted"'],
    ["with nothing", "", "line 1: "],
  ])("refuses a golden file %s with 2", async (_, golden, message) => {
    using folder = await notes(golden);
    const { code, stdout, stderr } = await evaluate(folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(folder.has(HISTORY)).toBe(false);
  });

  test("says how to write a golden file where there is none, and follows no link to one", async () => {
    using folder = await notes();
    folder.rename(".kb-eval.yml", "golden.yaml");
    const missing = await evaluate(folder);
    expect(missing).toMatchObject({ code: 3, stdout: "" });
    expect(missing.stderr).toContain("no golden file at ");
    expect(missing.stderr).toContain("--golden <file>");
    symlinkSync("golden.yaml", folder.at(".kb-eval.yml"));
    expect((await evaluate(folder)).stderr).toContain("is a symbolic link, which is not followed");
    const named = await evaluate(folder, ["--golden", "golden.yaml"], { cwd: folder.path });
    expect(named.code).toBe(0);
    expect(folder.has("golden-history.json")).toBe(true);
  });
});
