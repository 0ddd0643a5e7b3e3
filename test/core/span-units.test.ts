import { describe, expect, test } from "bun:test";
import { convertSpans, isLongerThan } from "../../src/core/span-units.ts";

describe("convertSpans", () => {
  const text = "aé漢𠮟\uD800z";
  const spans = [
    { start: 0, end: 2 },
    { start: 3, end: 5 },
    { start: 5, end: 6 },
    { start: 6, end: 7 },
  ];

  test.each([
    ["utf16", spans.map(({ start, end }) => [start, end])],
    // biome-ignore format: pairs read best in a row
    ["byte", [[0, 3], [6, 10], [10, 13], [13, 14]]],
    // biome-ignore format: pairs read best in a row
    ["codepoint", [[0, 2], [3, 4], [4, 5], [5, 6]]],
  ] as const)("counts in the unit %s", (unit, pairs) => {
    expect(convertSpans(spans, text, unit).map(({ start, end }) => [start, end])).toEqual(
      pairs.map((pair) => [...pair]),
    );
  });
});

describe("isLongerThan", () => {
  test.each([
    ["abc", 3, false],
    ["abcd", 3, true],
    ["é", 2, false],
    ["é", 1, true],
    ["漢字", 6, false],
    ["漢字", 5, true],
    ["𠮟", 4, false],
    ["𠮟", 3, true],
    ["\uD800", 3, false],
  ])("of %j and %d bytes is %p", (text, maxBytes, isLonger) => {
    expect(isLongerThan(text, maxBytes)).toBe(isLonger);
  });
});
