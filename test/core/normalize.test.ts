import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { foldCharacter } from "../../src/core/normalize/fold.ts";
import { normalizeText, normalizeWithMap } from "../../src/core/normalize.ts";
import { anyText, settledPiece, textOf } from "../support/mixed-text.ts";

describe("normalizeText", () => {
  // biome-ignore format: pairs read best in a row
  test.each([
    ["ﾃﾞｰﾀ", "データ"], ["ＡＰＩ", "API"], ["①", "1"], ["㈱", "(株)"], ["Ⅷ", "viii"], ["ﬁ", "fi"], ["İ", "i"],
    ["straße", "STRASSE"], ["Café", "cafe"], ["Cafe\u0301", "Café"], ["か\u3099", "が"], ["ｻｰﾊﾞ", "サーバ"], ["サ―バ", "サーバ"],
    ["サ－バ", "サーバ"], ["サ−バ", "サーバ"], ["ｻ－ﾊﾞ", "サーバ"], ["サ─バ", "サーバ"], ["１０月", "10月"], ["Ａ‐Ｂ", "A-B"],
    ["タイプ－Ａ", "タイプ-A"], ["０３−１２３４", "03-1234"], ["０３ー１２３４", "03-1234"], ["東京－大阪", "東京-大阪"],
    ["人々", "人人"], ["すゞ", "すず"], ["すす\u3099", "すず"], ["す\u309D\u3099", "すず"], ["バナヽ", "バナナ"], ["部分々々", "部分部分"],
    ["１０〜２０", "10～20"], ["don’t", "don't"], ["ΌΣΟΣ", "όσος"], ["Ǆ", "dž"], ["㍻", "平成"], ["㌀", "アパート"], ["ヿ", "コト"],
    ["ｱﾞ", "ア゛"], ["ㅎㅏ", "하"], ["ᄒ\u1161\u11AB", "한"], ["Straẞe", "strasse"], ["Ａ　Ｂ", "a b"], ["a\u00A0b", "a b"], ["a\tb", "a b"],
    ["soft\u00ADware", "software"], ["東\u200B京", "東京"], ["葛\u{E0100}", "葛"], ["\uFEFFa", "a"], ["a\0b", "ab"], ["1️⃣", "1\u20E3"],
    ["℃", "°C"], ["№", "No"], ["½", "1⁄2"], ["Đặng", "đang"], ["\uD800", "\uFFFD"],
  ])("brings %j and %j together", (one, other) => {
    expect(normalizeText(one)).toBe(normalizeText(other));
  });

  // biome-ignore format: pairs read best in a row
  test.each([
    ["髙", "高"], ["國", "国"], ["ひらがな", "ヒラガナ"], ["は", "ば"], ["は", "ぱ"], ["й", "и"], ["ё", "е"], ["ø", "o"], ["đ", "d"],
    ["ł", "l"], ["ı", "i"], ["กี", "กิ"], ["ά", "α"], ["サ-バ", "サーバ"], ["〆", "締"], ["あ", "ぁ"], ["ヶ", "ケ"], ["a\n", "a "], ["a  b", "a b"],
  ])("keeps %j and %j apart", (one, other) => {
    expect(normalizeText(one)).not.toBe(normalizeText(other));
  });

  test("returns a normal text as it is", () => {
    const text = "plain text, 1-2 (3)\n吾輩は猫である。名前はまだ無い。データ 𠮟 🦀 กี่ 한";
    expect(normalizeText(text)).toBe(text);
  });

  test("changes nothing a second time", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normal = normalizeText(text);
        expect(normalizeText(normal)).toBe(normal);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each(["e", "か", "", "\u1161"])("keeps 32 marks in a row at most, here after %j", (base) => {
    const marks = "\u0591\u05BC\uFF9E".repeat(40_000);
    const normal = normalizeText(`${base}${marks}x`);
    expect(normal.match(/\p{M}/gu)?.length).toBeLessThanOrEqual(32);
    expect(normalizeText(normal)).toBe(normal);
    expect(normal.at(-1)).toBe("x");
  });

  test("is NFKC, lower case and well-formed, without controls or white space other than space and line feed", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normal = normalizeText(text);
        expect(normal.isWellFormed()).toBe(true);
        expect(normal.normalize("NFKC")).toBe(normal);
        // A sigma is written by its place in the word when a whole word is lowered.
        expect(normal.toLowerCase().replaceAll("ς", "σ")).toBe(normal);
        expect(normal).not.toMatch(/(?![\n ])[\p{White_Space}\p{Cc}]|\p{Default_Ignorable_Code_Point}/u);
      }),
      { numRuns: 2_000 },
    );
  });

  test("does character by character what folding does to the whole", () => {
    fc.assert(
      fc.property(textOf(settledPiece), (text) => {
        // Folding leaves the dashes to be decided.
        expect(normalizeText(text)).toBe(normalizeText(foldCharacter(text)));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("normalizeWithMap", () => {
  test("leads back to whole characters", () => {
    const { text, sourceStart, sourceEnd } = normalizeWithMap("㈱ﾃﾞ\u00ADe\u0301𠮟👨‍👩‍👧x");
    expect(text).toBe("(株)デe𠮟👨👩👧x");
    const sources = [...text].map((_, at, all) => {
      const start = all.slice(0, at).join("").length;
      return [sourceStart(start), sourceEnd(start + all[at]!.length)];
    });
    // biome-ignore format: pairs read best in a row
    expect(sources).toEqual([[0, 1], [0, 1], [0, 1], [1, 3], [4, 6], [6, 8], [8, 16], [8, 16], [8, 16], [16, 17]]);
  });

  test("leads an offset inside a surrogate pair to the borders of the pair", () => {
    const { sourceStart, sourceEnd } = normalizeWithMap("a𠮟");
    expect([sourceStart(2), sourceEnd(2)]).toEqual([1, 3]);
  });

  test("has a map for the empty text", () => {
    const { text, sourceStart, sourceEnd } = normalizeWithMap("");
    expect([text, sourceStart(0), sourceEnd(0)]).toEqual(["", 0, 0]);
    expect(normalizeWithMap("\u00AD").sourceStart(0)).toBe(1);
  });

  test.each([-1, 2, Number.NaN])("refuses the offset %p of a text of one unit", (offset) => {
    const { sourceStart, sourceEnd } = normalizeWithMap("A");
    expect(() => sourceStart(offset)).toThrow(RangeError);
    expect(() => sourceEnd(offset)).toThrow(RangeError);
  });

  test("gives the same text as normalizeText", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(normalizeWithMap(text).text).toBe(normalizeText(text));
      }),
      { numRuns: 3_000 },
    );
  });

  test("gives every unit a source, in order, and leaves out only what normalises to nothing", () => {
    fc.assert(
      fc.property(anyText, (source) => {
        const { text, sourceStart, sourceEnd } = normalizeWithMap(source);
        let covered = 0;
        let before = 0;
        for (let at = 0; at < text.length; at += 1) {
          const start = sourceStart(at);
          const end = sourceEnd(at + 1);
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeGreaterThanOrEqual(covered);
          if (start > covered) expect(normalizeText(source.slice(covered, start))).toBe("");
          before = start;
          covered = end;
        }
        expect(normalizeText(source.slice(covered))).toBe("");
        expect(sourceStart(text.length)).toBe(source.length);
        expect(sourceEnd(0)).toBe(0);
      }),
      { numRuns: 3_000 },
    );
  });

  test("cuts no surrogate pair, and no base from its marks, joiners and modifiers", () => {
    const cutsCharacter = (source: string, at: number) =>
      (at > 0 && source.codePointAt(at - 1)! > 0xffff) ||
      /^(?:\p{M}|\p{Emoji_Modifier}|\p{Variation_Selector}|[\u200D]|[\uFF9E\uFF9F])/u.test(source.slice(at));
    fc.assert(
      fc.property(anyText, (source) => {
        const { text, sourceStart, sourceEnd } = normalizeWithMap(source);
        const first = sourceStart(0);
        for (let at = 0; at <= text.length; at += 1) {
          if (sourceStart(at) > first) expect(cutsCharacter(source, sourceStart(at))).toBe(false);
          if (at > 0) expect(cutsCharacter(source, sourceEnd(at))).toBe(false);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test("leads to a source that normalises to a text around the same part, where neighbours do not matter", () => {
    fc.assert(
      fc.property(textOf(settledPiece), fc.nat(), fc.nat(), (source, one, other) => {
        const { text, sourceStart, sourceEnd } = normalizeWithMap(source);
        const start = Math.min(one, other) % (text.length + 1);
        const end = start + (Math.max(one, other) % (text.length + 1 - start));
        const wanted = text.slice(start, end);
        fc.pre(wanted !== "" && wanted.isWellFormed());
        expect(normalizeText(source.slice(sourceStart(start), sourceEnd(end)))).toContain(wanted);
      }),
      { numRuns: 5_000 },
    );
  });
});
