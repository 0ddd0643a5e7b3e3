import { describe, expect, test } from "bun:test";
import { compileQuery, formatMatchExpression, phrasesOfSegment } from "../../../src/core/query/plan.ts";

describe("compileQuery", () => {
  test("gives phrases unescaped and the expression escaped", () => {
    expect(compileQuery('"a""b" x')).toEqual({
      segments: [
        { kind: "quoted", text: 'a"b' },
        { kind: "plain", text: " x" },
      ],
      phrases: ['a"b'],
      cappedCount: 0,
      matchExpression: '"a""b"',
      literals: ['a"b'],
      isFallback: false,
      positiveText: '"a""b" x',
      spanTerms: ['a"b'],
      words: [
        { text: 'a"b', isQuoted: true, isShort: false },
        { text: "x", isQuoted: false, isShort: true },
      ],
      exclusions: [],
    });
  });

  test("takes the trimmed query literally when no part makes a phrase", () => {
    expect(compileQuery("\u3000AI と ML ")).toMatchObject({
      phrases: [],
      cappedCount: 0,
      matchExpression: '"AI と ML"',
      literals: ["AI と ML"],
      isFallback: true,
      positiveText: "\u3000AI と ML ",
      spanTerms: ["AI", "と", "ML"],
    });
  });

  test.each([
    ["", []],
    [" \u3000", []],
    ["東京", ["東京"]],
    ["a\0b", ["a\0b"]],
  ])("has nothing to match for %j", (raw, spanTerms) => {
    expect(compileQuery(raw)).toMatchObject({
      phrases: [],
      matchExpression: null,
      literals: [],
      isFallback: false,
      spanTerms,
    });
  });

  test("counts what the cap dropped", () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
    const plan = compileQuery(words.join(" "));
    expect(plan.phrases).toEqual(words.slice(0, 32));
    expect(plan.cappedCount).toBe(8);
    expect(plan.spanTerms).toEqual(plan.phrases);
  });

  test("keeps the order of segments", () => {
    expect(compileQuery('one "two three" four').phrases).toEqual(["one", "two three", "four"]);
  });
});

describe("phrasesOfSegment", () => {
  test.each([
    ["", []],
    ["AI", []],
    ["a\0bcd", []],
    [" , ", [" , "]],
    ["AI と ML", ["AI と ML"]],
    ["東京タワー、夜", ["東京タワー、夜"]],
  ])("keeps the quoted text %j verbatim or not at all", (text, phrases) => {
    expect(phrasesOfSegment({ kind: "quoted", text })).toEqual(phrases);
  });

  test("takes a plain text group by group and never joins across a separator", () => {
    expect(phrasesOfSegment({ kind: "plain", text: "再 構築手順 化" })).toEqual(["構築手順"]);
  });
});

describe("formatMatchExpression", () => {
  test.each([
    [["abc"], '"abc"'],
    [["abc", "d e f"], '"abc" OR "d e f"'],
    [['""""'], '""""""""""'],
    [["(a OR b)"], '"(a OR b)"'],
  ])("writes %j as %j", (phrases, expression) => {
    expect(formatMatchExpression(phrases)).toBe(expression);
  });
});
