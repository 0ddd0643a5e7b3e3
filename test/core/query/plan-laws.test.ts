/**
 * Laws of query compilation for any input, the last word being SQLite's: an
 * expression FTS5 refuses would fail a whole search, and comparing strings cannot show it.
 */
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PHRASE_MAX_COUNT, PHRASE_MIN_CHARS } from "../../../src/core/query/phrases.ts";
import { compileQuery } from "../../../src/core/query/plan.ts";

// biome-ignore format: a list to be scanned, not read
const AWKWARD_PIECES = [
  '"', '""', " ", "\u3000", "\0", "\uD800", "\uDC00", "\uFEFF", "\u200D", "\u0301", "\u3099", "-", "_", "*", "^",
  ":", "(", ")", "+", "\\", "'", "%", "{", "}", " OR ", " AND ", "NOT ", "NEAR(", "AI", "東京", "検索器", "データ",
  "の", "再", "abc", "é", "𠮟", "🦀", "〇", "1.2", "\n",
];

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.array(fc.constantFrom(...AWKWARD_PIECES), { maxLength: 24 }).map((pieces) => pieces.join("")),
);

// biome-ignore format: a list to be scanned, not read
const NASTIEST = [
  "", " ", '"', '""', '"""', '""""', '"""""', "'", "''", "\\", '\\"', '"\\"', "`", ";", "--", "/* */", "*", "foo*", '"foo"*',
  "^", "^foo", "+", "a + b + c", "(", ")", "((((", "(a OR b)", "OR", "OR OR OR", "AND", "NOT", "NOT foo", "foo NOT",
  "NEAR", "NEAR(", "NEAR(a b, 5)", "NEAR(cat dog)", "heading:", "heading:deploy", "{heading content}:x", "-heading:x",
  ":::", "a:b", "multi-agent", "don't", "C++", "C#", "GB/s", "1.0.21", "-東京", "title:東京", "{}", "%", "%%%", "___",
  "?", "?1", ":name", "@name", "$name", "\0", "\0\0\0", "abc\0", "\0abc", "a\0bcd", '"a\0bcd"', '"a\0bcd" tail',
  "\uD800", "\uDC00\uD800", "abc\uD800", '"\uD800\uD800\uD800"', "\uFEFF", "\uFEFFabc", "\u0301\u0301\u0301", "e\u0301a",
  '"\u0301\u0301\u0301"', "\u200D\u200D\u200D", "🦀🦀🦀", "👨‍👩‍👧 family", "\r\n\t", '"\r\n\t"', '"   "', "\u{10FFFF}\u{10FFFF}\u{10FFFF}",
  "\uFFFE\uFFFF\uFFFE", "�", "select * from chunks", "'; drop table texts; --", "İıẞſ", "한국어 검색", "हिन्दी भाषा", '"a""b"',
  '""a""', '"unclosed', 'closed" open', "x".repeat(10_000), '"'.repeat(1_001), "あ".repeat(5_000), "ab ".repeat(2_000),
  Array.from({ length: 100 }, (_, at) => `w${at}`).join(" "),
];

describe("compileQuery", () => {
  test("gives only substrings of a query without quotes", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const raw = text.replaceAll('"', "");
        for (const phrase of compileQuery(raw).phrases) expect(raw).toContain(phrase);
      }),
      { numRuns: 300 },
    );
  });

  test("gives few enough, distinct, long enough phrases, and an expression unless nothing is searchable", () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const { phrases, matchExpression, isFallback } = compileQuery(raw);
        expect(phrases.length).toBeLessThanOrEqual(PHRASE_MAX_COUNT);
        expect(new Set(phrases).size).toBe(phrases.length);
        for (const phrase of phrases) expect([...phrase].length).toBeGreaterThanOrEqual(PHRASE_MIN_CHARS);
        expect(isFallback).toBe(phrases.length === 0 && matchExpression !== null);
      }),
      { numRuns: 300 },
    );
  });

  test("never throws and always answers alike", () => {
    const units = fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    });
    fc.assert(
      fc.property(fc.oneof(units, anyText), (raw) => {
        expect(compileQuery(raw)).toEqual(compileQuery(raw));
      }),
      { numRuns: 500 },
    );
  });

  test("is not changed by white space around the query", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(" ", "\u3000", "\u0085\n"), (raw, space) => {
        const { positiveText: _, segments: __, ...bare } = compileQuery(raw);
        expect(compileQuery(`${space}${raw}${space}`)).toMatchObject(bare);
      }),
    );
  });

  test("keeps the first 32 of 40 distinct words", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcdefgh"), minLength: 3, maxLength: 8 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 40, maxLength: 40 }), (words) => {
        expect(compileQuery(words.join(" "))).toMatchObject({ phrases: words.slice(0, 32), cappedCount: 8 });
      }),
    );
  });

  test.each([
    "キャッシュが古いまま残ってしまうときに、設定ファイルのどこを見直せばよいか教えてください",
    "本番環境のデータベースを停止せずにスキーマを変更する手順と、失敗したときの戻し方について知りたい",
    "新しく入ったメンバーが最初の一週間で読んでおくべき運用手順書と連絡先の一覧はどこにありますか",
    "How do I rotate the signing keys of the staging cluster without invalidating the sessions of users?",
    "Kubernetes の Pod が CrashLoopBackOff になったときに、ログを確認して再起動の原因を特定する方法",
    "社内ネットワークからVPN経由で接続すると、APIサーバーの応答が遅くなる原因は何でしょうか",
  ])("stays at 16 phrases or fewer for %j", (sentence) => {
    const { phrases, cappedCount } = compileQuery(sentence);
    expect(phrases.length).toBeGreaterThan(0);
    expect(phrases.length).toBeLessThanOrEqual(16);
    expect(cappedCount).toBe(0);
  });
});

describe("compileQuery, asked of a real FTS5 trigram table", () => {
  const db = new Database(":memory:", { strict: true });
  db.run(`CREATE VIRTUAL TABLE texts USING fts5(
    heading, content, tokenize = 'trigram remove_diacritics 1 case_sensitive 0')`);
  const insert = db.query("INSERT INTO texts (heading, content) VALUES ($heading, $content)");
  const match = db.query<{ rowid: number }, { expression: string }>(
    "SELECT rowid FROM texts WHERE texts MATCH $expression ORDER BY bm25(texts), rowid",
  );
  const rowsFor = (expression: string) => match.all({ expression }).map(({ rowid }) => rowid);

  insert.run({ heading: "全文検索", content: "再構築手順と東京タワーの天気。Blue Green deploy 🦀🦀🦀" });
  insert.run({ heading: "notes", content: "構築手順だけを書いた、NEAR AND OR NOT を含む文" });
  insert.run({ heading: "quotes", content: 'he said "AI" and a"b' });
  afterAll(() => db.close());

  test("has more than fifty fixed inputs to try", () => {
    expect(NASTIEST.length).toBeGreaterThanOrEqual(50);
  });

  test.each(NASTIEST.map((raw) => [raw.length > 60 ? `${raw.slice(0, 20)}…` : raw, raw] as const))(
    "gives an expression it accepts, for %j",
    (_, raw) => {
      const { matchExpression } = compileQuery(raw);
      if (matchExpression !== null) expect(() => rowsFor(matchExpression)).not.toThrow();
    },
  );

  test("gives an expression it accepts, for any input", () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const { matchExpression } = compileQuery(raw);
        if (matchExpression !== null) rowsFor(matchExpression);
      }),
      { numRuns: 512 },
    );
  });

  test.each([
    ["構築手順", [1, 2]],
    ["再構築手順", [1]],
    ["の再構築手順", [1]],
    ["東京タワー", [1]],
    ['"blue green"', [1]],
    ["deploy NOT quotes", [1, 2, 3]],
    ["🦀🦀🦀", [1]],
    ['"AI"', [3]],
    ['"a""b"', [3]],
    ["東京", null],
  ])("finds with %j the rows %j", (raw, rows) => {
    const { matchExpression } = compileQuery(raw);
    expect(matchExpression === null ? null : rowsFor(matchExpression).sort()).toEqual(rows);
  });
});
