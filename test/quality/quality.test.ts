/**
 * Floors under the defaults on the judged set, so that no change makes the search worse unseen.
 *
 * Measured with the built-in model; each floor lies a little below what was measured. Raise one
 * when a change earns it; `bun scripts/quality.ts --slices` prints the figures.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type JudgedIndex, openJudgedIndex } from "./judged-index.ts";
import { measureQueries, type QueryResult, type Summary, summarise } from "./measure.ts";
import { VARIANTS } from "./variants.ts";

/** MRR@10 by language and slice. */
const FLOORS: Readonly<Record<string, number>> = {
  "ja two-character": 0.95,
  "ja kana-kanji": 0.83,
  "ja width": 0.95,
  "ja identifier": 0.95,
  "ja long-question": 0.88,
  "ja paraphrase": 0.31,
  "ja keyword": 0.95,
  "ja mixed": 0.3,
  "en identifier": 0.9,
  "en long-question": 0.81,
  "en paraphrase": 0.27,
  "en keyword": 0.88,
  "en english": 0.78,
};

describe("the judged set", () => {
  let index: JudgedIndex;
  const results = new Map<string, QueryResult[]>();
  const overall = (variant: string): Summary => summarise(results.get(variant)!, () => "all").get("all")!;

  beforeAll(async () => {
    index = await openJudgedIndex();
    for (const variant of [
      "defaults",
      "terms alone",
      "phrases alone",
      "dense alone",
      "lexical legs",
      "rrf phrases + dense",
    ])
      results.set(
        variant,
        await measureQueries(index.queries, (query) => index.search(query, VARIANTS[variant]!)),
      );
  }, 120_000);
  afterAll(async () => {
    await index[Symbol.asyncDispose]();
  });

  test("has enough queries of every kind", () => {
    expect(index.queries.length).toBeGreaterThanOrEqual(120);
    expect(index.queries.filter(({ relevant }) => relevant.length === 0).length).toBeGreaterThanOrEqual(40);
  });

  test.each(Object.entries(FLOORS))("finds the slice %s at an MRR of %p or better", (slice, floor) => {
    const summaries = summarise(results.get("defaults")!, (query) => `${query.language} ${query.slice}`);
    expect(summaries.get(slice)?.reciprocalRank).toBeGreaterThanOrEqual(floor);
  });

  test("ranks better with all legs than with any one of them, and than rank fusion of two", () => {
    const defaults = overall("defaults").reciprocalRank;
    for (const variant of ["terms alone", "phrases alone", "dense alone", "rrf phrases + dense"])
      expect(defaults, variant).toBeGreaterThanOrEqual(overall(variant).reciprocalRank + 0.03);
  });

  test.each([0.1, 0.3])(
    "finds no less than without vectors when only %p of the passages has one",
    async (coverage) => {
      await using partial = await openJudgedIndex({ coverage });
      const found = await measureQueries(partial.queries, (query) => partial.search(query, {}));
      const { reciprocalRank } = summarise(found, () => "all").get("all")!;
      expect(reciprocalRank).toBeGreaterThan(overall("lexical legs").reciprocalRank);
      expect(reciprocalRank).toBeLessThan(overall("defaults").reciprocalRank);
    },
    120_000,
  );

  test("leaves no answerable query without a hit when there are no vectors", () => {
    const empty = results.get("lexical legs")!.filter(({ hitCount }) => hitCount === 0);
    expect(empty.map(({ query }) => query.id)).toEqual([]);
  });
});
