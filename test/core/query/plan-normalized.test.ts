/**
 * Compiling with a normaliser: quotes and exclusions are those of the query as typed, all
 * else is as if the normalised query had been typed.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { normalizeText } from "../../../src/core/normalize.ts";
import { compileQuery } from "../../../src/core/query/plan.ts";

/** Folds width, compatibility forms and case, and drops what is invisible: enough to tell the order of steps. */
const fold = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\u200B\u200D]/g, "")
    .normalize("NFKC");

/** Whether a character acts in a query, or vanishes from it, only when it is folded. */
const foldsToSyntax = (normalize: (text: string) => string) => (char: string) => {
  const folded = normalize(char);
  return (
    folded !== char &&
    (folded === "" || /[-"\p{White_Space}]/u.test(folded)) &&
    !/\p{White_Space}/u.test(char)
  );
};

describe.each([
  ["a stand-in", fold],
  ["the normaliser of the index", normalizeText],
] as const)("compileQuery with %s", (_, normalize) => {
  test.each([
    ["API ａｐｉ", ["api"]],
    ["ＡＰＩ設計", ["api設計", "api"]],
    ["ﾗｰﾒﾝ屋", ["ラーメン屋", "ラーメン"]],
    ["Ｎｏｄｅ．ｊｓ v２０", ["node", "v20"]],
    ['"Blue　GREEN" ㍻時代', ["blue green", "平成時代"]],
    ["retry －budget", ["retry", "-budget"]],
    ["＂blue green＂", ["blue", "green"]],
  ])("makes of %j the phrases %j", (raw, phrases) => {
    expect(compileQuery(raw, { normalize }).phrases).toEqual(phrases);
  });

  test("falls back on the normalised text and keeps the positive text as typed", () => {
    expect(compileQuery("\u200B　ＡＩ と ＭＬ -評価", { normalize })).toMatchObject({
      matchExpression: '"ai と ml"',
      literals: ["ai と ml"],
      spanTerms: ["ai", "と", "ml"],
      positiveText: "\u200B　ＡＩ と ＭＬ ",
      exclusions: ["評価"],
    });
  });

  test("lists normalised words", () => {
    const { words } = compileQuery('ＡＩ "ＡＩ" Ｃ＋＋ と ﾃﾞｰﾀ', { normalize });
    expect(words).toEqual([
      { text: "ai", isQuoted: true, isShort: true },
      { text: "c++", isQuoted: false, isShort: false },
      { text: "と", isQuoted: false, isShort: true },
      { text: "データ", isQuoted: false, isShort: false },
    ]);
  });

  test("drops plain segments of which nothing is left", () => {
    expect(compileQuery('"blue"\u200D"green"', { normalize }).segments).toEqual([
      { kind: "quoted", text: "blue" },
      { kind: "quoted", text: "green" },
    ]);
  });

  test("equals compiling the normalised query, unless folding made syntax", () => {
    const piece = fc.oneof(
      // biome-ignore format: a list to be scanned, not read
      fc.constantFrom(
        " ", "　", "-", ' -"', '"', ' -', "ＡＰＩ", "ﾃﾞｰﾀ", "ﾊ", "ﾞ", "か\u3099", "Ｃ＋＋", "㈱", "①", "㍻", "５０", "é", "e\u0301", "İ", "ß",
        "Σ", "ΟΣ", "ﬁ", "Ⅷ", "東京", "検索器", "の", "々", "ー", "🦀", "\uD800", "x", "Go",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const raw = [...pieces.join("")].filter((char) => !foldsToSyntax(normalize)(char)).join("");
        const { positiveText, exclusions, ...plan } = compileQuery(raw, { normalize });
        const again = compileQuery(normalize(raw), { normalize });
        expect(again).toMatchObject(plan);
        expect(compileQuery(normalize(raw))).toMatchObject(plan);
        expect(again.positiveText).toBe(normalize(positiveText));
        expect(again.exclusions).toEqual(exclusions.map(normalize));
      }),
      { numRuns: 2000 },
    );
  });
});
