import { describe, expect, test } from "bun:test";
import { bootstrapInterval, meanOf } from "../../src/core/paired-differences.ts";

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
