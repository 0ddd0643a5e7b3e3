import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fitText, textWidth } from "../../src/core/text-width.ts";

describe("textWidth", () => {
  test.each([
    ["", 0],
    ["日本", 4],
    ["😀", 2],
    ["か\u3099", 2],
  ])("takes %p for %p halves", (text, width) => {
    expect(textWidth(text)).toBeCloseTo(width);
  });
});

describe("fitText", () => {
  test.each([
    ["short", 10, "short"],
    ["見積書の書き方", 10, "見積書の…"],
    ["a rather long title", 10, "a rather…"],
    ["😀😀😀", 5.5, "😀😀…"],
  ])("cuts %p to %p halves as %p", (text, width, expected) => {
    expect(fitText(text, width)).toBe(expected);
  });

  test("never exceeds the room and never cuts a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 2, max: 20 }), (text, width) => {
        const fitted = fitText(text, width);
        expect(textWidth(fitted)).toBeLessThanOrEqual(Math.max(width, 2.05));
        if (fitted !== text) expect(text).toStartWith(fitted.slice(0, -1));
        expect(fitted.isWellFormed()).toBe(true);
      }),
    );
  });
});
