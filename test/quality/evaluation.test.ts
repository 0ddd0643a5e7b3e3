/**
 * `kb eval` on the judged set, against the figures that the set's own code makes of it.
 */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { evaluate } from "../../src/engine/evaluation/evaluate.ts";
import { goldenTextOf } from "./golden-text.ts";
import { openJudgedIndex } from "./judged-index.ts";
import { measureQueries, summarise } from "./measure.ts";

describe("evaluate, on the judged set as a golden file", () => {
  test("gives the figures of the judged set, over all and for each language", async () => {
    await using index = await openJudgedIndex();
    const parts = index.parts({});
    writeFileSync(join(parts.root, ".kb-eval.yml"), goldenTextOf(index.queries));
    const report = await evaluate(parts, {
      golden: undefined,
      cwd: parts.root,
      limit: 10,
      depths: [1, 5, 10],
      baseline: undefined,
      saveBaseline: undefined,
      mustCompare: false,
      onProgress() {},
    });
    const results = await measureQueries(index.queries, (query) => index.search(query, {}));
    const own = summarise(results, () => "all").get("all")!;
    expect(report.aggregate.query_count).toBe(own.queries);
    expect(report.aggregate.mrr).toBeCloseTo(own.reciprocalRank, 10);
    expect(report.aggregate.success_at_k[5]).toBeCloseTo(own.successAt5, 10);
    expect(report.aggregate.ndcg_at_k[10]).toBeCloseTo(own.gainAt10, 10);
    for (const [language, summary] of summarise(results, (query) => query.language))
      expect(report.slices.find(({ slice }) => slice === `tag:${language}`)?.mrr, language).toBeCloseTo(
        summary.reciprocalRank,
        10,
      );
    expect(report.findings.filter(({ severity }) => severity === "error")).toEqual([]);
  }, 120_000);
});
