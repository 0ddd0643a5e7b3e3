import { describe, expect, test } from "bun:test";
import { normalisedGain, recallAt, reciprocalRank, successAt } from "../../src/core/metrics.ts";

describe("reciprocalRank", () => {
  test.each([
    [[2, 0, 0], 10, 1],
    [[0, 0, 1], 10, 1 / 3],
    [[0, 0, 1], 2, 0],
    [[], 10, 0],
  ])("of %p within %p is %p", (ranking, depth, expected) => {
    expect(reciprocalRank(ranking, depth)).toBe(expected);
  });
});

describe("successAt", () => {
  test.each([
    [[0, 1], 1, 0],
    [[0, 1], 2, 1],
    [[], 5, 0],
  ])("of %p at %p is %p", (ranking, depth, expected) => {
    expect(successAt(ranking, depth)).toBe(expected);
  });
});

describe("recallAt", () => {
  test.each<[(number | undefined)[], number, number]>([
    [[1, 3, undefined, undefined], 3, 0.5],
    [[1, 3, undefined, undefined], 1, 0.25],
    [[2, 2], 2, 1],
    [[], 5, 1],
  ])("of expectations first met at %p within %p is %p", (ranks, depth, expected) => {
    expect(recallAt(ranks, depth)).toBe(expected);
  });
});

describe("normalisedGain", () => {
  test("is 1 for the ideal order and less for any other", () => {
    expect(normalisedGain([2, 1, 0], 10, [1, 2])).toBe(1);
    expect(normalisedGain([1, 2, 0], 10, [1, 2])).toBeLessThan(1);
    expect(normalisedGain([0, 2, 1], 10, [1, 2])).toBeLessThan(normalisedGain([2, 0, 1], 10, [1, 2]));
  });

  test("agrees with a value worked out by hand", () => {
    // (3/log2(3) ) / (3/1) for one answer of grade 2 at rank 2
    expect(normalisedGain([0, 2], 10, [2])).toBeCloseTo(1 / Math.log2(3), 12);
  });

  test("is 1 when nothing is judged", () => {
    expect(normalisedGain([0, 0], 10, [])).toBe(1);
  });
});
