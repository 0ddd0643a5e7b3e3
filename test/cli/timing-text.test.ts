import { describe, expect, test } from "bun:test";
import { formatTimes } from "../../src/cli/timing-text.ts";

describe("formatTimes", () => {
  test("sums the stages up, and keeps apart what ran beside them", () => {
    const stages = [
      { stage: "one", ms: 1.25 },
      { stage: "two", ms: 100 },
    ];
    expect(formatTimes({ stages, beside: [{ stage: "three", ms: 50 }] }).split("\n")).toEqual([
      "kb: time in milliseconds",
      "       1.3  one",
      "     100.0  two",
      "     101.3  in all",
      "      50.0  beside these: three",
    ]);
  });
});
