/**
 * What queries with exclusions compile to, as a table, and what cutting them out may not
 * change about the rest.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compileQuery } from "../../../src/core/query/plan.ts";
import { AppError } from "../../../src/errors.ts";

describe("compileQuery", () => {
  test.each([
    ["deploy -canary", "deploy ", ["deploy"], ["canary"]],
    ["-canary deploy", " deploy", ["deploy"], ["canary"]],
    ["deploy - canary", "deploy - canary", ["deploy", "canary"], []],
    ["deploy-canary", "deploy-canary", ["deploy-canary"], []],
    ["deploy --canary", "deploy --canary", ["deploy", "--canary"], []],
    ["exit code -1", "exit code -1", ["exit", "code"], []],
    ["全文検索\u3000-東京", "全文検索\u3000", ["全文検索"], ["東京"]],
    ['foo -"bar"-baz', "foo -baz", ["foo", "-baz"], ["bar"]],
    ['guide -"blue green"', "guide ", ["guide"], ["blue green"]],
    ['guide -"blue green', 'guide -"blue green', ["guide", "blue", "green"], []],
    ['guide -""', "guide ", ["guide"], []],
    ["-canary", "-canary", ["-canary"], []],
    ['"-canary" deploy', '"-canary" deploy', ["-canary", "deploy"], []],
    ["rust -c++", "rust ", ["rust"], ["c++"]],
    ["git commit -m message", "git commit -m message", ["git", "commit", "message"], []],
    ['git commit -"m" message', "git commit  message", ["git", "commit", "message"], ["m"]],
    ['x -foo"one two"', 'x "one two"', ["one two"], ["foo"]],
    ["x (-foo)", "x (-foo)", ["-foo"], []],
    ["x、-foo", "x、-foo", ["-foo"], []],
    ["AI と -評価", "AI と ", [], ["評価"]],
    ["retry －budget", "retry －budget", ["retry", "budget"], []],
    ["検索 -再構築", "検索 ", [], ["再構築"]],
    ["-Xmx512m", "-Xmx512m", ["-Xmx512m"], []],
    ['-"blue green"', '-"blue green"', ["blue green"], []],
  ])("reads %j as %j with the phrases %j and the exclusions %j", (raw, positiveText, phrases, exclusions) => {
    expect(compileQuery(raw)).toMatchObject({ positiveText, phrases, exclusions });
  });

  test("marks and lists what it searches for, also right after an excluded phrase", () => {
    const { spanTerms, words } = compileQuery('foo -"bar"-baz');
    expect(spanTerms).toEqual(["foo", "-baz"]);
    expect(words.map(({ text }) => text)).toEqual(["foo", "-baz"]);
  });

  test("falls back on the positive text alone", () => {
    expect(compileQuery("AI と -評価")).toMatchObject({
      matchExpression: '"AI と"',
      isFallback: true,
      spanTerms: ["AI", "と"],
    });
    expect(compileQuery("検索 -再構築")).toMatchObject({ matchExpression: null, spanTerms: ["検索"] });
  });

  test("takes the syntax for text when it is off, but excludes what is named", () => {
    const plan = compileQuery("deploy -canary", { exclusions: false, exclude: ["beta"] });
    expect(plan).toMatchObject({
      matchExpression: '"deploy" OR "-canary"',
      positiveText: "deploy -canary",
      exclusions: ["beta"],
    });
  });

  test("excludes what is named even if the query is nothing but an exclusion", () => {
    expect(compileQuery("-canary", { exclude: ["beta"] })).toMatchObject({
      positiveText: "-canary",
      phrases: ["-canary"],
      exclusions: ["beta"],
    });
  });

  test("counts exclusions of both kinds once each when normalised, as first typed", () => {
    const plan = compileQuery("log -API -ａｐｉ -Api", {
      exclude: ["api", "", "Beta"],
      normalize: (text) => text.normalize("NFKC").toLowerCase(),
    });
    expect(plan.exclusions).toEqual(["API", "Beta"]);
  });

  const excluding = (count: number) => Array.from({ length: count }, (_, at) => ` -word${at}`).join("");

  test("refuses more than 16, but not repeats nor what is only text", () => {
    expect(compileQuery(`x${excluding(16)}${excluding(16)}`).exclusions).toHaveLength(16);
    expect(compileQuery(excluding(17)).exclusions).toEqual([]);
    expect(() => compileQuery(`x${excluding(17)}`)).toThrow(AppError);
    expect(() => compileQuery(`x${excluding(16)}`, { exclude: ["word"] })).toThrow(
      "excludes 17 different terms",
    );
  });

  // biome-ignore format: a list to be scanned, not read
  const PIECES = [
    " ", " ", "\u3000", "-", ' -"', '"', "-aa", " -bb", ' -"c c"', "foo", "検索器", "東京", "の", "--", "－", "!", "\0", "\uD800", "-1",
  ];
  const anyQuery = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(""));

  test("throws nothing but the refusal of too many", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.constantFrom(" -", "a", "b", "c", '"'), { maxLength: 300 })
        .map((pieces) => pieces.join("")),
      anyQuery,
    );
    fc.assert(
      fc.property(anyText, fc.array(fc.string(), { maxLength: 20 }), (raw, exclude) => {
        try {
          expect(compileQuery(raw, { exclude }).exclusions.length).toBeLessThanOrEqual(16);
        } catch (thrown) {
          expect(thrown).toMatchObject({ name: "AppError", code: "usage" });
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("gives only phrases that the query holds, and holds without the syntax too", () => {
    fc.assert(
      fc.property(anyQuery, (raw) => {
        const { phrases } = compileQuery(raw);
        const literal = compileQuery(raw, { exclusions: false });
        if (!raw.includes('""')) for (const phrase of phrases) expect(raw).toContain(phrase);
        if (literal.cappedCount === 0) expect(literal.phrases).toEqual(expect.arrayContaining([...phrases]));
      }),
      { numRuns: 2000 },
    );
  });

  test("is the plan of the positive text without the syntax", () => {
    fc.assert(
      fc.property(anyQuery, (raw) => {
        const { exclusions: _, ...plan } = compileQuery(raw);
        expect(compileQuery(plan.positiveText, { exclusions: false })).toMatchObject(plan);
      }),
      { numRuns: 2000 },
    );
  });
});
