import { describe, expect, test } from "bun:test";
import { foldCase, foldCharacter } from "../../../src/core/normalize/fold.ts";

function codePoints(): string[] {
  const ranges = [
    [0, 0xd7ff],
    [0xe000, 0x1_ffff],
    [0xe_0000, 0xe_01ff],
  ] as const;
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
  );
}

describe("foldCase", () => {
  // Lines of Unicode's CaseFolding.txt, status C and F; none of status T.
  // biome-ignore format: pairs read best in a row
  test.each([
    ["A", "a"], ["µ", "μ"], ["ß", "ss"], ["İ", "i\u0307"], ["I", "i"], ["ı", "ı"], ["ŉ", "ʼn"], ["ſ", "s"], ["ǰ", "ǰ"],
    ["ͅ", "ι"], ["ΐ", "ι\u0308\u0301"], ["ς", "σ"], ["Σ", "σ"], ["ϐ", "β"], ["ϴ", "θ"], ["և", "եւ"], ["Ա", "ա"], ["Ა", "ა"],
    ["ᲀ", "в"], ["ẖ", "ẖ"], ["ẚ", "aʾ"], ["ẞ", "ss"], ["ᾀ", "ἀι"], ["ᾼ", "αι"], ["ﬃ", "ffi"], ["ﬗ", "մխ"], ["Ꙋ", "ꙋ"],
    ["\u212A", "k"], ["\u2126", "ω"], ["Ⅷ", "ⅷ"], ["Ⓐ", "ⓐ"], ["𐐀", "𐐨"], ["ΣΑΣ", "σασ"],
  ])("folds %j to %j", (text, folded) => {
    expect(foldCase(text)).toBe(folded.normalize(text === "ΐ" || text === "ǰ" || text === "ẖ" ? "NFD" : "NFC"));
  });

  test("joins at least what a regular expression without case takes for equal, but for ı", () => {
    const apart = codePoints().filter((character) => {
      const folded = foldCase(character);
      if (folded === character || [...folded].length > 1 || character === "ẞ") return false;
      return !new RegExp(`^${folded}$`, "iu").test(character);
    });
    expect(apart).toEqual([]);
  });
});

describe("foldCharacter", () => {
  test.each([
    ["é", "e"],
    ["e\u0301", "e"],
    ["ǖ", "u"],
    ["ợ", "o"],
    ["ø", "ø"],
    ["đ", "đ"],
    ["ł", "ł"],
    ["й", "й"],
    ["и\u0306", "й"],
    ["ё", "ё"],
    ["ά", "ά"],
    ["กี่", "กี่"],
    ["कि", "कि"],
    ["שׁ", "ש\u05C1"],
    ["عَ", "عَ"],
    ["か\u3099", "が"],
    ["ﾊﾟ", "パ"],
    ["う゛", "ゔ"],
    ["ﾞ", "\u3099"],
    ["a\u3099", "a\u3099"],
    ["a\u00AD\u0301", "a"],
    ["\u212B", "a"],
    ["ᄒ\u1161\u11AB", "한"],
    ["ㅎㅏ", "하"],
    ["\u00A0", " "],
    ["\n", "\n"],
    ["\r", " "],
    ["\t", " "],
    ["\0", ""],
    ["\u2028", " "],
    ["\uFEFF", ""],
    ["⁻", "\u2010"],
    ["\uFF0D", "\u2010"],
    ["-", "-"],
    ["〜", "~"],
    ["～", "~"],
    ["∼", "~"],
    ["’", "'"],
    ["㍿", "株式会社"],
    ["½", "1⁄2"],
    ["\uD800", "\uFFFD"],
    ["髙", "髙"],
    ["國", "國"],
    ["\uF900", "豈"],
    ["❤\uFE0F", "❤"],
    ["葛\u{E0100}", "葛"],
  ])("makes %j into %j", (character, folded) => {
    expect(foldCharacter(character)).toBe(folded);
  });

  test("changes nothing a second time, for every code point", () => {
    const unstable = codePoints().filter((character) => {
      const folded = foldCharacter(character);
      return folded !== character && foldCharacter(folded) !== folded;
    });
    expect(unstable).toEqual([]);
  });

  test("gives upper and lower case the same form, for every code point", () => {
    const apart = codePoints().filter((character) => {
      const lower = character.toLowerCase();
      const upper = character.toUpperCase();
      return (
        (lower !== character && foldCharacter(lower) !== foldCharacter(character)) ||
        (upper !== character && character !== "ı" && foldCharacter(upper) !== foldCharacter(character))
      );
    });
    expect(apart).toEqual([]);
  });
});
