import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareCodePoints } from "../../src/core/code-point-order.ts";

const encoder = new TextEncoder();

describe("compareCodePoints", () => {
  test.each([
    ["", "", 0],
    ["", "a", -1],
    ["a", "ab", -1],
    ["a/b", "a/b", 0],
    ["Z", "a", -1],
    ["a10", "a2", -1],
    ["～", "𠮟", -1],
    ["\uE000", "\u{10000}", -1],
    ["𠮟", "𩸽", -1],
  ])("puts %j and %j in order", (a, b, sign) => {
    expect(Math.sign(compareCodePoints(a, b))).toBe(sign);
    expect(Math.sign(compareCodePoints(b, a))).toBe(sign === 0 ? 0 : -sign);
  });

  test("agrees with the order of the UTF-8 bytes", () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(..."aé～𠮟\uE000🦀"), fc.string({ unit: "binary", maxLength: 1 })),
    });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const bytes = Buffer.compare(encoder.encode(a), encoder.encode(b));
        expect(Math.sign(compareCodePoints(a, b))).toBe(bytes);
      }),
      { numRuns: 500 },
    );
  });
});
