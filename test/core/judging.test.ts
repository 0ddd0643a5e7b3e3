import { describe, expect, test } from "bun:test";
import { judge, meets } from "../../src/core/judging.ts";
import { normalisedGain, recallAt } from "../../src/core/metrics.ts";

const hit = (path: string, heading: string | null = null) => ({
  path,
  heading,
  content: "text",
  lines: { start: 5, end: 9 },
});
const judged = (hits: ReturnType<typeof hit>[], expected: Parameters<typeof judge>[1]) =>
  judge(hits.length, expected, (at, wanted) => meets(hits[at]!, expected[wanted]!));

describe("judge", () => {
  test("lets one hit meet two equal expectations for recall, and one for the gain", () => {
    const { ranks, grades } = judged(
      [hit("a")],
      [
        { path: "a", grade: 1 },
        { path: "a", grade: 1 },
      ],
    );
    expect(recallAt(ranks, 5)).toBe(1);
    expect(normalisedGain(grades, 5, [1, 1])).toBeCloseTo(0.6131, 4);
  });

  test("uses up the expectation with more conditions first", () => {
    const { grades } = judged(
      [hit("a", "H"), hit("a", "X")],
      [
        { path: "a", grade: 1 },
        { path: "a", heading: " h ", grade: 1 },
      ],
    );
    expect(normalisedGain(grades, 5, [1, 1])).toBe(1);
  });
});

describe("meets", () => {
  test.each([
    [{ lines: { start: 9, end: 20 } }, true],
    [{ lines: { start: 10, end: 20 } }, false],
    [{ contains: "ex" }, true],
    [{ heading: "other" }, false],
  ])("with the condition %p is %p", (condition, expected) => {
    expect(meets(hit("a", "H"), { path: "a", grade: 1, ...condition })).toBe(expected);
  });
});
