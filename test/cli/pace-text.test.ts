import { describe, expect, test } from "bun:test";
import { formatRate, formatRemaining } from "../../src/cli/pace-text.ts";

describe("formatRemaining", () => {
  const rows: [seconds: number | undefined, shown: string][] = [
    [undefined, "estimating"],
    [0, "0 s left"],
    [59, "59 s left"],
    [60, "1 min 0 s left"],
    [3599, "59 min 59 s left"],
    [3600, "1 h 0 min left"],
    [90_000, "25 h 0 min left"],
  ];
  test.each(rows)("shows %j as %s", (seconds, shown) => {
    expect(formatRemaining(seconds)).toBe(shown);
  });
});

describe("formatRate", () => {
  const rows: [perSecond: number, shown: string][] = [
    [0.04, "0.0 a second"],
    [1.25, "1.3 a second"],
    [9.94, "9.9 a second"],
    [10, "10 a second"],
    [1234.5, "1235 a second"],
  ];
  test.each(rows)("shows %d as %s", (perSecond, shown) => {
    expect(formatRate(perSecond)).toBe(shown);
  });
});
