import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  EXCLUSION_MAX_COUNT,
  effectiveExclusions,
  parseLiteral,
  parseQuery,
} from "../../../src/core/query/exclusions.ts";
import { formatQuotes, segmentQuotes } from "../../../src/core/query/quotes.ts";
import { AppError } from "../../../src/errors.ts";

const asTyped = (text: string) => text;
const folded = (text: string) => text.normalize("NFKC").toLowerCase().replaceAll("\u200B", "");
const q = (text: string) => ({ kind: "quoted", text }) as const;
const p = (text: string) => ({ kind: "plain", text }) as const;
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);

/** Texts full of what exclusions are made of. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom("-", '"', " ", "\u3000", "a", "b", "1", "東", "!", "🦀", "\uD800") }),
  fc
    .array(fc.constantFrom("-aa", '-"b b"', '-"', '"c"', '""', " ", "\n", "dd", "-e", '-""', "--ff", "－gg"))
    .map((pieces) => pieces.join("")),
  fc.string({ unit: "binary" }),
);

describe("parseQuery", () => {
  test.each([
    ["deploy -canary", "deploy ", ["canary"]],
    ["-canary deploy", " deploy", ["canary"]],
    ["deploy\n-canary", "deploy\n", ["canary"]],
    ["全文検索\u3000-東京", "全文検索\u3000", ["東京"]],
    ["a\u0085-bcd", "a\u0085", ["bcd"]],
    ["x -_private", "x ", ["_private"]],
    ["x -かな -カナ -漢字 -été -пёс", "x     ", ["かな", "カナ", "漢字", "été", "пёс"]],
    ["x -𠮟責", "x ", ["𠮟責"]],
  ])("cuts from %j and leaves %j", (raw, positiveText, exclusions) => {
    expect(parseQuery(raw, asTyped)).toMatchObject({ positiveText, exclusions });
  });

  test.each([
    ["deploy - canary", "a marker before white space"],
    ["deploy -", "a marker at the end"],
    ["deploy-canary", "a hyphen within a word"],
    ["deploy --canary", "two hyphens"],
    ["exit code -1", "a number"],
    ["range -5th", "a digit, whatever follows"],
    ["x (-foo)", "a marker after a bracket"],
    ["x、-foo", "a marker after a comma"],
    ["a\uFEFF-foo", "a marker after a character that is not white space"],
    ["retry －budget", "a wide dash"],
    ["retry −budget", "a minus sign"],
    ["retry ‐budget", "a typographic hyphen"],
    ["git commit -m message", "one character"],
    ["git -𠮟 x", "one character of two units"],
    ["x -.net", "a symbol"],
    ["x -!!", "punctuation"],
    ["x -🦀🦀", "emoji"],
    ["x -“foo”", "a typographic quote"],
  ])("takes %j for text: %s", (raw) => {
    expect(parseQuery(raw, asTyped)).toEqual(parseLiteral(raw));
  });

  test.each([
    ["rust -c++", "rust ", ["c++"]],
    ["x -foo.bar(baz), y", "x  y", ["foo.bar(baz),"]],
    ['x -foo"one two"', 'x "one two"', ["foo"]],
    ['x -foo-"one two"', 'x "one two"', ["foo-"]],
    ["x -foo-bar", "x ", ["foo-bar"]],
  ])("takes all up to white space or a quote: %j", (raw, positiveText, exclusions) => {
    expect(parseQuery(raw, asTyped)).toMatchObject({ positiveText, exclusions });
  });

  test.each([
    ['guide -"blue green"', [p("guide ")], ["blue green"]],
    ['-"blue green" guide', [p(" guide")], ["blue green"]],
    ['foo -"bar"-baz', [p("foo -baz")], ["bar"]],
    ['foo -"bar"baz', [p("foo baz")], ["bar"]],
    ['foo -"bar""baz" x', [p("foo  x")], ['bar"baz']],
    ['foo -"bar" "baz"', [p("foo  "), q("baz")], ["bar"]],
    ['foo -"-5" x', [p("foo  x")], ["-5"]],
    ['foo -"" -"!!"', [p("foo  ")], ["", "!!"]],
    ['-"a"-"b"', [p("-"), q("b")], ["a"]],
    ['foo --"bar"', [p("foo --"), q("bar")], []],
    ['foo-"bar"', [p("foo-"), q("bar")], []],
  ])("ends a quoted exclusion exactly at its closing quote: %j", (raw, segments, exclusions) => {
    expect(parseQuery(raw, asTyped)).toMatchObject({ segments, exclusions });
  });

  test.each([
    ['"-canary" deploy', [q("-canary"), p(" deploy")], []],
    ['"see -canary" deploy', [q("see -canary"), p(" deploy")], []],
    ['"one" -two', [q("one"), p(" ")], ["two"]],
    ['"one"-two', [q("one"), p("-two")], []],
  ])("knows no marker inside quotes nor right after them: %j", (raw, segments, exclusions) => {
    expect(parseQuery(raw, asTyped)).toMatchObject({ segments, exclusions });
  });

  test.each([
    ['guide -"blue green', [p('guide -"blue green')], []],
    ['say "hi -there', [p('say "hi ')], ["there"]],
    ['say "hi -there"" -"" -you', [p('say "hi "" -"" ')], ["there", "you"]],
  ])(
    "still knows bare exclusions, and no quoted ones, after a quote never closed: %j",
    (raw, segments, exclusions) => {
      expect(parseQuery(raw, asTyped)).toMatchObject({ segments, exclusions });
    },
  );

  test.each(["-canary", "-Xmx512m", ' -"blue green" ', '-""', "-one -two", "  ", ""])(
    "excludes nothing when no text would be left: %j",
    (raw) => {
      expect(parseQuery(raw, asTyped)).toEqual(parseLiteral(raw));
    },
  );

  test("asks the normalised form whether a term excludes, and whether text is left", () => {
    expect(parseQuery("code -５０", folded)).toEqual(parseLiteral("code -５０"));
    expect(parseQuery("code -ﾊﾞ", folded)).toEqual(parseLiteral("code -ﾊﾞ"));
    expect(parseQuery("code -㍻", folded).exclusions).toEqual(["㍻"]);
    expect(parseQuery("\u200B -canary", folded)).toEqual(parseLiteral("\u200B -canary"));
  });

  test("gives segments and positive text that agree, read for quotes alone", () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const { segments, positiveText } = parseQuery(raw, asTyped);
        expect(formatQuotes(segments)).toBe(positiveText);
        expect(segmentQuotes(positiveText)).toEqual(segments);
      }),
      { numRuns: 2000 },
    );
  });

  test("loses and adds no character but markers and their quotes", () => {
    const countOf = (text: string) => [...text.replaceAll(/[-"]/g, "")].sort().join("");
    fc.assert(
      fc.property(anyText, (raw) => {
        const { exclusions, positiveText } = parseQuery(raw, asTyped);
        expect(countOf(positiveText + exclusions.join(""))).toBe(countOf(raw));
        let at = 0;
        for (const char of positiveText) at = raw.indexOf(char, at) + char.length;
        expect(at).toBeLessThanOrEqual(raw.length);
        if (exclusions.length === 0) expect(positiveText).toBe(raw);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("parseLiteral", () => {
  test("takes every hyphen for text", () => {
    expect(parseLiteral('deploy -canary -"x y"')).toEqual({
      segments: [p("deploy -canary -"), q("x y")],
      exclusions: [],
      positiveText: 'deploy -canary -"x y"',
    });
  });
});

describe("effectiveExclusions", () => {
  test("gives the query's own first, then the named ones, each as typed", () => {
    expect(effectiveExclusions(["Beta", "c++"], ["Alpha", " x "], asTyped)).toEqual([
      "Beta",
      "c++",
      "Alpha",
      " x ",
    ]);
  });

  test("keeps the first of those that are the same when normalised", () => {
    expect(effectiveExclusions(["API", "ａｐｉ"], ["api", "ｱ", "ア"], folded)).toEqual(["API", "ｱ"]);
    expect(effectiveExclusions(["API", "api", "API"], ["api"], asTyped)).toEqual(["API", "api"]);
  });

  test.each([
    [["", "!!", " ", "🦀", "、。"], []],
    [
      ["-", "_", "1", "東", "a!"],
      ["-", "_", "1", "東", "a!"],
    ],
  ])("ignores, of the query's own %j, those without a word character", (parsed, effective) => {
    expect(effectiveExclusions(parsed, [], asTyped)).toEqual(effective);
  });

  test("ignores blank named ones only", () => {
    expect(effectiveExclusions([], ["", " \u3000\n", "!!", "🦀"], asTyped)).toEqual(["!!", "🦀"]);
  });

  test("refuses more than the limit, and says how many they are", () => {
    const most = numbered(EXCLUSION_MAX_COUNT);
    expect(effectiveExclusions(most, [...most, "", "W1"], folded)).toEqual(most);
    expect(() => effectiveExclusions(most, ["last"], folded)).toThrow(
      new AppError("usage", "the query excludes 17 different terms; at most 16 are possible"),
    );
  });
});
