import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { classOf, splitGroups } from "../../../src/core/query/groups.ts";

describe("classOf", () => {
  test.each([
    ["kanji", "一漢龍", "U+4E00 to U+9FFF"],
    ["kanji", "\u4E00\u9FFF\u3400\u4DBF\uF900\uFAFF\u{2F800}\u{2FA1F}", "the ends of the blocks"],
    ["kanji", "々〆", "the two marks that count as kanji"],
    ["hiragana", "あぁん\u3041\u309F", "letters and the ends of the block"],
    ["hiragana", "\u3099\u309A゛゜ゝゞゟ", "voicing and iteration marks"],
    ["hiragana", "\u3097\u3098", "unassigned places of the block"],
    ["katakana", "アァン\u30A1\u30FF", "letters and the ends of the block"],
    ["katakana", "・ーヽヾヿ", "middle dot, long mark, iteration marks"],
    ["katakana", "ｦｱﾝｰﾞﾟ\uFF66\uFF9F", "half width"],
    ["otherWord", "A7Ａ７п한äª①½²Ⅷ", "letters and numbers of any script"],
    ["otherWord", "〇〻\u3031\u3035", "ideographic marks outside the kanji blocks"],
    ["otherWord", "𠮟𩸽𠀋\u{20000}", "ideographs of extension B and above"],
    ["otherWord", "\u31F0\u31FF", "the small katakana extension"],
    ["otherWord", "_-", "low line and ASCII hyphen"],
    ["otherWord", "\u0345🅰", "a combining mark and a symbol that are alphabetic"],
    ["separator", "･｡｢｣､。、…！？「」（）", "Japanese punctuation, half-width middle dot included"],
    ["separator", "゠〃〜～", "double hyphen, ditto, wave dashes"],
    ["separator", "－‐−＿", "hyphens and low lines other than ASCII"],
    ["separator", "\u0300\u0301\u0362\u20E3", "combining accents and the keycap"],
    ["separator", "\u094D\u200C\u200D\uFE0F\u200B\uFEFF", "virama, joiners, variation selector, zero widths"],
    ["separator", "🦀🇯㍻㌔", "emoji, regional indicators, squared words"],
    ["separator", "\0\u0001\u007F \t\n\u0085\u00A0\u3000\u2028", "controls and white space"],
    ["separator", `.:/\\@#*^()+'’,"“”`, "ASCII and typographic punctuation"],
  ] as const)("is %s for each of %j: %s", (name, chars) => {
    for (const char of chars) expect(`${char} ${classOf(char)}`).toBe(`${char} ${name}`);
  });

  test.each(["\uD800", "\uDC00"])("takes the lone surrogate %j for a separator", (unit) => {
    expect(classOf(unit)).toBe("separator");
  });
});

describe("splitGroups", () => {
  test.each([
    ["", []],
    [" 、。 ", []],
    ["東京 天気", ["東京", "天気"]],
    ["node.js v20", ["node", "js", "v20"]],
    ["  a__b-c, d ", ["a__b-c", "d"]],
    ["全文検索エンジン", ["全文検索エンジン"]],
    ["ab\uD83Dcd", ["ab", "cd"]],
    ["髙島屋(横浜店)", ["髙島屋", "横浜店"]],
    ["nul\0byte", ["nul", "byte"]],
  ])("splits %j", (text, groups) => {
    expect(splitGroups(text)).toEqual(groups);
  });

  test("gives non-empty groups that hold every word character, in order", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const groups = splitGroups(text);
        expect(groups).not.toContain("");
        expect(groups.join("")).toBe([...text].filter((char) => classOf(char) !== "separator").join(""));
      }),
    );
  });
});
