import { describe, expect, test } from "bun:test";
import { findOccurrences, occursIn } from "../../src/core/occurrences.ts";

describe("findOccurrences", () => {
  // biome-ignore format: rows read best in one line
  test.each([
    ["aaa", "aaaaaa", [0, 3]],
    ["rust", "rust rusty trust", [0, 5, 12]],
    ["go", "go going cargo go", [0, 15]],
    ["go", "egogo go", [6]],
    ["ai", "ai技術 生成ai", [0, 7]],
    ["ai", "maiai é ai", [8]],
    ["a-b", "xa-b a-b a-bc", [5]],
    ["c++", "abc++ c++11", [6]],
    ["#1", "a#1 #12 #1", [1, 8]],
    ["++", "a++b", [1]],
    ["1", "1１1 2", []],
    ["é", "née", [1]],
    ["税", "消費税率", [2]],
    ["東京", "東京都東京", [0, 3]],
    ["x", "", []],
  ] as const)("finds %j in %j at %j", (term, text, starts) => {
    const found = findOccurrences(term, text, 10);
    expect(found).toEqual(starts.map((start) => ({ start, end: start + term.length })));
  });

  test("stops at the limit, not counting what lies inside words", () => {
    expect(findOccurrences("go", "ego go go go", 2)).toEqual([
      { start: 4, end: 6 },
      { start: 7, end: 9 },
    ]);
  });
});

describe("occursIn", () => {
  test.each([
    ["go", "going", false],
    ["go", "ready, go", true],
    ["索", "検索", true],
  ])("says whether %j occurs in %j: %p", (term, text, occurs) => {
    expect(occursIn(term, text)).toBe(occurs);
  });
});
