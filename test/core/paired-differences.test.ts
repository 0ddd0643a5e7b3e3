import { describe, expect, test } from "bun:test";
import {
  bootstrapInterval,
  countChanges,
  meanOf,
  permutationTest,
  signTest,
  standardError,
} from "../../src/core/paired-differences.ts";

describe("bootstrapInterval", () => {
  test("holds the mean, is the same each time, and shrinks with more queries", () => {
    const few = Array.from({ length: 10 }, (_, at) => (at % 2) - 0.3);
    const many = Array.from({ length: 200 }, (_, at) => (at % 2) - 0.3);
    const [wide, narrow] = [bootstrapInterval(few)!, bootstrapInterval(many)!];
    expect(bootstrapInterval(few)).toEqual(wide);
    expect(wide.low).toBeLessThanOrEqual(meanOf(few));
    expect(wide.high).toBeGreaterThanOrEqual(meanOf(few));
    expect(narrow.high - narrow.low).toBeLessThan(wide.high - wide.low);
  });

  test("is a point where all differences are equal, and nothing for one", () => {
    expect(bootstrapInterval([0.5, 0.5])).toEqual({ low: 0.5, high: 0.5 });
    expect(bootstrapInterval([0.5])).toBeUndefined();
  });
});

describe("standardError", () => {
  test.each([
    [[1, 3], 1],
    [[1, 2, 3, 4], Math.sqrt(5 / 3 / 4)],
    [[2, 2, 2], 0],
    [[2], Number.POSITIVE_INFINITY],
    [[], Number.POSITIVE_INFINITY],
  ])("of %p is %p", (differences, expected) => {
    expect(standardError(differences)).toBeCloseTo(expected, 12);
  });
});

describe("signTest", () => {
  test.each([
    ["nothing", [], 1],
    ["ties", [0, 1e-13, -1e-13], 1],
    ["one gain", [1], 1],
    ["five gains", [1, 1, 1, 1, 1], 2 / 32],
    ["nine gains and a loss", [1, 1, 1, 1, 1, 1, 1, 1, 1, -5], (2 * 11) / 1024],
    ["as many gains as losses", [1, -1, 1, -1], 1],
  ])("of %s is exact", (_, differences, expected) => {
    expect(signTest(differences)).toBeCloseTo(expected, 12);
  });

  test("stays a probability for thousands of queries", () => {
    const p = signTest(Array.from({ length: 4000 }, (_, at) => (at < 2100 ? 1 : -1)));
    expect(p).toBeGreaterThan(0.001);
    expect(p).toBeLessThan(0.002);
  });
});

describe("permutationTest", () => {
  test.each([
    ["nothing", [], 1],
    ["ties", [0, 0], 1],
    ["five equal gains", [1, 1, 1, 1, 1], 2 / 32],
    ["gains and losses that cancel each other", [1, -1, 2, -2], 1],
  ])("of %s is near the exact value", (_, differences, expected) => {
    expect(permutationTest(differences)).toBeCloseTo(expected, 1);
    expect(permutationTest(differences)).toBe(permutationTest(differences));
  });
});

describe("countChanges", () => {
  test("leaves out what rounding may have made", () => {
    expect(countChanges([0.1, -0.2, 0.3, 1e-13, 0])).toEqual({ improved: 2, degraded: 1 });
  });
});
