/**
 * `kb eval` on the judged set, against the figures that the set's own code makes of it, and `kb tune`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EvalParts, evaluate } from "../../src/engine/evaluation/evaluate.ts";
import { type TuneOptions, tune } from "../../src/engine/evaluation/tune.ts";
import { goldenTextOf } from "./golden-text.ts";
import { type JudgedIndex, openJudgedIndex } from "./judged-index.ts";
import { measureQueries, summarise } from "./measure.ts";

let index: JudgedIndex;
beforeAll(async () => {
  index = await openJudgedIndex();
}, 120_000);
afterAll(async () => {
  await index[Symbol.asyncDispose]();
});

/** The settings are those of `[search.fusion]`. */
function partsWith(fusion: object): EvalParts {
  const parts = index.parts({ search: { fusion } });
  writeFileSync(join(parts.root, ".kb-eval.yml"), goldenTextOf(index.queries));
  return parts;
}

describe("evaluate, on the judged set as a golden file", () => {
  test("gives the figures of the judged set, over all and for each language", async () => {
    const parts = partsWith({});
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

describe("tune, on the judged set as a golden file", () => {
  const tuned = (fusion: object) => {
    const parts = partsWith(fusion);
    const options: TuneOptions = {
      golden: undefined,
      cwd: parts.root,
      limit: undefined,
      depths: undefined,
      onProgress() {},
    };
    return tune(parts, options);
  };

  test("keeps the defaults, whose figures are those of kb eval", async () => {
    const report = await tuned({});
    expect(report.recommendation).toBe("keep");
    const results = await measureQueries(index.queries, (query) => index.search(query, {}));
    expect(report.current.measures.mrr).toBeCloseTo(
      summarise(results, () => "all").get("all")!.reciprocalRank,
      10,
    );
  }, 120_000);

  test("replaces weights that listen to exact strings only", async () => {
    const report = await tuned({ weight_terms: 0, weight_phrases: 1, weight_dense: 0 });
    expect(report).toMatchObject({ recommendation: "adopt", reasons: [] });
    expect(report.validation!.mean_gain).toBeGreaterThan(0.03);
    expect(report.toml).toContain("weight_terms = ");
  }, 120_000);
});
