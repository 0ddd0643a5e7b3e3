import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  emitPhrases,
  finishPhrases,
  isSearchable,
  PHRASE_MAX_COUNT,
  PHRASE_MIN_CHARS,
} from "../../../src/core/query/phrases.ts";

const runsOf = (...texts: string[]) => texts.map((text) => ({ text, charCount: [...text].length }));

describe("emitPhrases", () => {
  test.each([
    ["再 構築手順", ["再構築手順", "構築手順"]],
    ["データベース 化", ["データベース化", "データベース"]],
    ["非 データベース 型", ["非データベース型", "非データベース", "データベース"]],
    ["の 再 エンジン", ["の再エンジン", "エンジン"]],
    ["全文検索 エンジン の 選 び 方", ["全文検索", "エンジン", "の選び方", "の選び"]],
    ["10 月 5 日", ["10月5日", "10月"]],
    ["東京", []],
    ["東京 の", ["東京の"]],
    ["", []],
  ] as const)("turns the runs %j into %j", (runs, phrases) => {
    expect(emitPhrases(runsOf(...runs.split(" ").filter((run) => run !== "")))).toEqual([...phrases]);
  });

  test("never joins a long run forward", () => {
    expect(emitPhrases(runsOf("大阪城公園", "について"))).toEqual(["大阪城公園", "について"]);
  });

  test("appends a tail of several short runs at once", () => {
    expect(emitPhrases(runsOf("ユーザー", "a", "b"))).toEqual(["ユーザーab", "ユーザー"]);
  });

  test("extends only the last phrase", () => {
    expect(emitPhrases(runsOf("abc", "def", "g"))).toEqual(["abc", "defg", "def"]);
  });

  test("counts astral characters once", () => {
    expect(emitPhrases(runsOf("𠮟", "る"))).toEqual([]);
  });

  test("gives parts of the group that reach the minimum, or nothing if the group does not", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 })), (texts) => {
        const phrases = emitPhrases(runsOf(...texts));
        const group = texts.join("");
        for (const phrase of phrases) {
          expect(group).toContain(phrase);
          expect([...phrase].length).toBeGreaterThanOrEqual(PHRASE_MIN_CHARS);
        }
        expect(phrases.length === 0).toBe([...group].length < PHRASE_MIN_CHARS);
      }),
    );
  });

  test("covers every run of a group that is long enough", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 12 }), (lengths) => {
        // Each run is made of a letter of its own, so a phrase shows which runs it holds.
        const texts = lengths.map((length, at) => String.fromCharCode(97 + at).repeat(length));
        const phrases = emitPhrases(runsOf(...texts));
        if (phrases.length === 0) return;
        for (const text of texts) expect(phrases.some((phrase) => phrase.includes(text))).toBe(true);
      }),
    );
  });
});

describe("isSearchable", () => {
  test.each([
    ["", false],
    ["AI", false],
    ["𠮟る", false],
    ["a b", true],
    ["。、！", true],
    ["𠀋𠀋𠀋", true],
    ["a\0bcd", false],
    ["\0", false],
    ["abcdef\0", false],
  ])("is, for %j, %p", (text, expected) => {
    expect(isSearchable(text)).toBe(expected);
  });
});

describe("finishPhrases", () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);

  test("keeps the first of exact repeats and tells case apart", () => {
    expect(finishPhrases(["abc", "ABC", "abc", "xyz", "ABC"])).toEqual({
      phrases: ["abc", "ABC", "xyz"],
      cappedCount: 0,
    });
  });

  test("keeps as many as the cap allows and counts the rest", () => {
    expect(finishPhrases(numbered(PHRASE_MAX_COUNT + 8))).toEqual({
      phrases: numbered(PHRASE_MAX_COUNT),
      cappedCount: 8,
    });
  });

  test("removes repeats before it applies the cap", () => {
    const phrases = ["w0", ...numbered(PHRASE_MAX_COUNT)];
    expect(finishPhrases(phrases)).toEqual({ phrases: numbered(PHRASE_MAX_COUNT), cappedCount: 0 });
  });

  test("does not count repeats of kept or dropped phrases", () => {
    const phrases = [...numbered(PHRASE_MAX_COUNT), "w0", "late", "late", "w1"];
    expect(finishPhrases(phrases).cappedCount).toBe(1);
  });
});
