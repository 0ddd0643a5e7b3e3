import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { rocArea, rocInterval } from "../../src/core/roc.ts";

const scores = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 20 });

describe("rocArea", () => {
  test.each([
    ["all above", [3, 4], [1, 2], 1],
    ["all below", [1, 2], [3, 4], 0],
    ["all equal", [2, 2], [2, 2, 2], 0.5],
    ["one of four pairs wrong", [2, 4], [1, 3], 0.75],
    ["a tie in one of two pairs", [2], [2, 1], 0.75],
  ])("with the positives %s is the share of pairs in order", (_, positives, negatives, area) => {
    expect(rocArea(positives, negatives)).toBe(area);
  });

  test("is not a number without cases of both kinds", () => {
    expect(rocArea([], [1])).toBeNaN();
    expect(rocArea([1], [])).toBeNaN();
  });

  test("keeps its value under any rising change of the scores, and is mirrored when the kinds swap", () => {
    fc.assert(
      fc.property(scores, scores, (positives, negatives) => {
        const area = rocArea(positives, negatives);
        const rising = (score: number) => Math.exp(score / 3) - 7;
        expect(rocArea(positives.map(rising), negatives.map(rising))).toBe(area);
        expect(rocArea(negatives, positives)).toBeCloseTo(1 - area, 12);
      }),
    );
  });
});

describe("rocInterval", () => {
  test("holds the area, is the same each time, and is narrower with more cases", () => {
    const few = [
      [5, 6, 2, 8, 9, 4],
      [1, 2, 3, 6, 4, 0],
    ] as const;
    const many = few.map((kind) => Array.from({ length: 10 }, () => kind).flat()) as [number[], number[]];
    const interval = rocInterval(...few);
    expect(interval).toEqual(rocInterval(...few));
    expect(interval.low).toBeLessThanOrEqual(rocArea(...few));
    expect(interval.high).toBeGreaterThanOrEqual(rocArea(...few));
    const narrower = rocInterval(...many);
    expect(narrower.high - narrower.low).toBeLessThan(interval.high - interval.low);
  });

  test("is a point where nothing is left to chance", () => {
    expect(rocInterval([1, 2], [0])).toEqual({ low: 1, high: 1 });
  });
});
