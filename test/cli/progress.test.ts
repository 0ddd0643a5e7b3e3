import { describe, expect, test } from "bun:test";
import { formatRemaining } from "../../src/cli/progress.ts";

describe("formatRemaining", () => {
  const rows: [seconds: unknown, shown: string][] = [
    ["0", "estimating"],
    ["NULL", "estimating"],
    ["INF", "estimating"],
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
