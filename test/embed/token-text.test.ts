/** How a text is cleaned before it is cut into tokens. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { foldForTokens } from "../../src/embed/token-text.ts";

describe("foldForTokens", () => {
  test.each([
    ["", ""],
    [" ", ""],
    ["  a  b  ", "a b"],
    ["a\u3000b", "a b"],
    ["a\r\nb\tc", "a b c"],
    ["ＡＰＩ ﾃﾞｰﾀ", "API データ"],
    ["か\u3099", "が"],
    ["㈱", "(株)"],
    ["10～20", "10～20"],
    ["１～２", "1～2"],
    ["a\u0000b\u200bc", "ab c"],
    ["\u2581x", "x"],
  ])("turns %j into %j", (text, folded) => {
    expect(foldForTokens(text)).toBe(folded);
  });

  test("leaves no double space and none at either end", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(" ", "\n", "a", "　", "あ", "\u200b", "～", "ｱ") }),
        (text) => {
          expect(foldForTokens(text)).not.toMatch(/^ | {2}| $/);
        },
      ),
    );
  });
});
