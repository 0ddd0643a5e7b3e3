import { describe, expect, test } from "bun:test";
import { extentOfCharacter, Kind, kindAt } from "../../../src/core/normalize/characters.ts";

/** The text cut into characters. */
function cut(text: string): string[] {
  const characters: string[] = [];
  for (let at = 0; at < text.length; ) {
    const { end } = extentOfCharacter(text, at);
    characters.push(text.slice(at, end));
    at = end;
  }
  return characters;
}

describe("extentOfCharacter", () => {
  // biome-ignore format: rows read best in one line
  test.each([
    ["a b", ["a", " ", "b"]],
    ["e\u0301x", ["e\u0301", "x"]],
    ["か\u3099ｶﾞか゛", ["か\u3099", "ｶﾞ", "か゛"]],
    ["กี่น้ำ", ["กี่", "น้ำ"]],
    ["ᄒ\u1161\u11ABㅎㅏ한", ["ᄒ\u1161\u11AB", "ㅎㅏ", "한"]],
    ["a\u1161", ["a", "\u1161"]],
    ["👨‍👩‍👧x", ["👨‍👩‍👧", "x"]],
    ["👨‍a", ["👨‍", "a"]],
    ["👍🏽👍", ["👍🏽", "👍"]],
    ["🇯🇵🇫🇷🇯", ["🇯🇵", "🇫🇷", "🇯"]],
    ["1️⃣2", ["1️⃣", "2"]],
    ["葛\u{E0100}城", ["葛\u{E0100}", "城"]],
    ["𠮟る", ["𠮟", "る"]],
    ["\uD800\uD800\u0301", ["\uD800", "\uD800\u0301"]],
  ] as const)("cuts %j into %j", (text, characters) => {
    expect(cut(text)).toEqual([...characters]);
  });

  test("takes along what is dropped, and tells where the visible part ends", () => {
    expect(extentOfCharacter("a\u00AD\u200Bb", 0)).toEqual({ end: 3, visibleEnd: 1 });
    expect(extentOfCharacter("a\u00AD\u0301b", 0)).toEqual({ end: 3, visibleEnd: 3 });
    expect(extentOfCharacter("❤\uFE0F\u00ADb", 0)).toEqual({ end: 3, visibleEnd: 2 });
  });
});

describe("kindAt", () => {
  test.each([
    ["a", Kind.plain],
    ["漢", Kind.plain],
    ["𠮟", Kind.plain],
    ["A", Kind.unit],
    ["é", Kind.unit],
    ["\uDC00", Kind.unit],
    ["\uD800", Kind.unit],
    ["㈱", Kind.other],
    ["𝐀", Kind.other],
    ["\u0301", Kind.mark],
    ["ﾞ", Kind.mark],
    ["ำ", Kind.mark],
    ["🏽", Kind.mark],
    ["\u200D", Kind.joiner],
    ["\uFE0F", Kind.joiner],
    ["\u17B4", Kind.joiner],
    ["\u{E0067}", Kind.joiner],
    ["\u00AD", Kind.dropped],
    ["\0", Kind.dropped],
    ["\u1161", Kind.jamo],
    ["ㅏ", Kind.jamo],
    ["🇯", Kind.regional],
  ])("of %j is %d", (text, kind) => {
    expect(kindAt(text, 0)).toBe(kind);
  });
});
