/**
 * Floors under how well the confidence tells answerable questions of the judged set from others.
 *
 * Measured with the built-in model; each floor lies a little below what was measured, out of fold
 * for the areas. Paraphrases share no word with their answers by design, and a third of those
 * answers are not among the first five hits: nothing that is measured here tells them apart.
 * `bun scripts/quality.ts --confidence` prints the figures.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { scoreOutOfFold } from "./fit-confidence.ts";
import { type JudgedIndex, openJudgedIndex } from "./judged-index.ts";
import { CASE_GROUPS, type ConfidenceCase, measureConfidence, separate } from "./measure-confidence.ts";

/** Area under the ROC curve by group, out of fold: with vectors, and by words alone. */
const FLOORS: readonly (readonly [group: string, all: number, byWords: number])[] = [
  ["all", 0.82, 0.8],
  ["all ja", 0.83, 0.79],
  ["all en", 0.8, 0.82],
  ["without paraphrases", 0.92, 0.88],
  ["without paraphrases ja", 0.91, 0.87],
  ["without paraphrases en", 0.94, 0.94],
  ["unanswerable without a topic", 0.89, 0.85],
  ["answer among the first five", 0.86, 0.9],
];

describe("the confidence of the judged set", () => {
  let index: JudgedIndex;
  const cases: Record<string, ConfidenceCase[]> = {};
  const outOfFold: Record<string, number[]> = {};

  beforeAll(async () => {
    index = await openJudgedIndex();
    cases.all = await measureConfidence(index, {});
    cases.byWords = await measureConfidence(index, { search: { fusion: { weight_dense: 0 } } });
    for (const [name, some] of Object.entries(cases)) outOfFold[name] = scoreOutOfFold(some);
  }, 120_000);
  afterAll(async () => {
    await index[Symbol.asyncDispose]();
  });

  test.each(FLOORS)(
    "separates %s at an area of %p, and by words alone of %p, or better",
    (name, all, byWords) => {
      const group = CASE_GROUPS.find((other) => other.name === name)!;
      for (const [kind, floor] of Object.entries({ all, byWords }))
        expect(separate(cases[kind]!, outOfFold[kind]!, group).area, kind).toBeGreaterThanOrEqual(floor);
    },
  );

  test("in use is no worse than out of fold, so that its weights are those of a fit", () => {
    for (const [kind, some] of Object.entries(cases)) {
      const scores = some.map(({ confidence }) => confidence.score);
      const [everything] = CASE_GROUPS;
      const inUse = separate(some, scores, everything!).area;
      expect(inUse, kind).toBeGreaterThanOrEqual(separate(some, outOfFold[kind]!, everything!).area);
    }
  });

  test("is low for no more than a tenth of the answerable questions but the paraphrases", () => {
    const some = cases.all!.filter(({ isAnswerable, query }) => isAnswerable && query.slice !== "paraphrase");
    expect(some.filter(({ isLow }) => isLow).length).toBeLessThanOrEqual(some.length / 10);
  });

  test("is low for every question without a topic here, and for most of the others without an answer", () => {
    const unanswered = cases.all!.filter(({ isAnswerable }) => !isAnswerable);
    const missed = unanswered.filter(({ isLow }) => !isLow);
    expect(missed.filter(({ query }) => !query.id.includes("-near-")).map(({ query }) => query.id)).toEqual(
      [],
    );
    expect(missed.length).toBeLessThanOrEqual(unanswered.length / 4);
  });
});
