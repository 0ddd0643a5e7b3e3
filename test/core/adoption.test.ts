import { describe, expect, test } from "bun:test";
import { reasonsToKeep } from "../../src/core/adoption.ts";

const GOOD = { refit: 3, gains: [0.05, 0.06, 0.05, 0.06], stability: 0.9 };
const LEVEL = { metric: "mrr", before: 0.8, after: 0.8 };

describe("reasonsToKeep", () => {
  test("finds none against a sure, stable gain without a loss", () => {
    expect(reasonsToKeep(GOOD, [LEVEL, { metric: "recall@5", before: 0.9, after: 0.896 }])).toEqual([]);
  });

  test.each([
    ["that nothing is better", { ...GOOD, refit: 0, gains: [0, 0] }, LEVEL, ["same"]],
    ["too small a gain", { ...GOOD, gains: [0.02, 0.02] }, LEVEL, ["gain"]],
    ["an uncertain gain", { ...GOOD, gains: [0.3, 0, 0, 0.01] }, LEVEL, ["certainty"]],
    ["a single difference", { ...GOOD, gains: [0.3] }, LEVEL, ["certainty"]],
    ["a loss", { ...GOOD, gains: [-0.1, -0.1] }, LEVEL, ["gain", "certainty"]],
    ["an unstable choice", { ...GOOD, stability: 0.5 }, LEVEL, ["stability"]],
    ["a loss elsewhere", GOOD, { metric: "recall@10", before: 0.9, after: 0.89 }, ["side_loss"]],
    ["not a number", { ...GOOD, gains: [Number.NaN, 1] }, LEVEL, ["gain", "certainty"]],
  ])("tells %s", (_, validation, figure, checks) => {
    expect(reasonsToKeep(validation, [figure]).map(({ check }) => check)).toEqual(
      checks as ReturnType<typeof reasonsToKeep>[number]["check"][],
    );
  });

  test("tells every reason with its figures", () => {
    const reasons = reasonsToKeep({ refit: 1, gains: [0.01, 0], stability: 0.25 }, [
      { metric: "mrr", before: 0.81, after: 0.8 },
    ]);
    expect(reasons.map(({ sentence }) => sentence)).toEqual([
      "on queries it was not chosen by, nDCG@5 changes by +0.005; more than 0.02 is asked for",
      "with a standard error of 0.005 that may be chance; a gain of more than 3 of them is asked for",
      "25 % of the parts choose it; more than 50 % are asked for",
      "mrr falls from 0.810 to 0.800",
    ]);
  });
});
