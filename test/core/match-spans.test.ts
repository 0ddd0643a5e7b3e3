/**
 * The citation contract as it is with `scripts: "ascii"`; what changes with all scripts is in
 * `match-spans-scripts.test.ts`.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  MATCH_SPAN_CONTENT_MAX_BYTES,
  MATCH_SPAN_MAX_COUNT,
  matchSpans as matchSpansOf,
} from "../../src/core/match-spans.ts";
import { compileQuery } from "../../src/core/query/plan.ts";
import type { ByteSpan } from "../../src/core/span.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const matchSpans = (terms: readonly string[], content: string) =>
  matchSpansOf(terms, content, { unit: "byte", scripts: "ascii" });
const spansOf = (query: string, content: string) => matchSpans(compileQuery(query).spanTerms, content);
const pairs = (spans: readonly ByteSpan[] | null) => spans?.map(({ start, end }) => [start, end]) ?? null;

/** The text of a span as a client gets it: bytes cut, then decoded; throws inside a character. */
const cut = (content: string, { start, end }: ByteSpan) =>
  decoder.decode(encoder.encode(content).slice(start, end));

describe("matchSpans of ASCII terms", () => {
  // biome-ignore format: pairs read best in a row
  test.each([
    ["alpha beta", "alpha::beta alpha", [[0, 5], [7, 11], [12, 17]]],
    ['"blue green"', "Blue Green is blue", [[0, 10]]],
    ["blue green", "Blue Green is blue", [[0, 4], [5, 10], [14, 18]]],
    ['"blue green" blue', "Blue Green, then blue", [[0, 10], [17, 21]]],
    ['"blue green" lue', "a blue green", [[2, 12]]],
    ["cache caching", "caching the cache", [[0, 7], [12, 17]]],
    ["test testing", "testing a test", [[0, 7], [10, 14]]],
    ["build-tool tool-box", "a build-tool-box", [[2, 16]]],
    ["Rust", "RUST and rusty", [[0, 4], [9, 13]]],
    ["ML pipelines", "ML pipelines", [[3, 12]]],
    ["ab cd", "xx ab yy cd", [[3, 5], [9, 11]]],
    ['"ab"', 'ab "ab"', [[3, 7]]],
    ["a", "a".repeat(500), Array.from({ length: 100 }, (_, at) => [at, at + 1])],
    ["aaa", "aaaaaa", [[0, 3], [3, 6]]],
    ["tokio", "前置 tokio", [[7, 12]]],
    ["検索器", "検索器", null],
    ["C++ と Rust", "rust", [[0, 4]]],
    ["rust、tokio", "tokio rust", [[0, 5], [6, 10]]],
    ["tokio の", "tokio", [[0, 5]]],
    ["tokio の設計", "tokio", null],
    ["zzz", "abc", []],
    ["", "abc", null],
    [" \u3000", "abc", null],
    ["zzz", "", []],
  ] as const)("finds %j in %j", (query, content, expected) => {
    expect(pairs(spansOf(query, content))).toEqual(expected as number[][] | null);
  });

  test("counts bytes past characters of every length", () => {
    const content = "é あ 𠮟 🦀 \uD800 Rust ﾗ Rust";
    const spans = spansOf("rust", content);
    // biome-ignore format: pairs read best in a row
    expect(pairs(spans)).toEqual([[21, 25], [30, 34]]);
    expect(encoder.encode(content).slice(21, 25)).toEqual(encoder.encode("Rust"));
  });

  test.each(["ﬁnd", "\u212A", "ſ", "İ", "ı"])("does not take %j for ASCII letters", (lookalike) => {
    expect(matchSpans(["find", "k", "s", "i"], lookalike)).toEqual([]);
  });

  test("ignores the budget a rare term leaves over", () => {
    const spans = matchSpans(["a", "zzz"], `${"a ".repeat(200)}zzz`);
    expect(spans).toHaveLength(51);
    expect(spans?.at(-1)).toEqual({ start: 400, end: 403 });
  });

  test("reads a text of exactly the limit, in bytes, and none above", () => {
    const kana = Math.floor(MATCH_SPAN_CONTENT_MAX_BYTES / 3) - 2;
    const padding = MATCH_SPAN_CONTENT_MAX_BYTES - 3 * kana;
    const content = "あ".repeat(kana) + "rust".padStart(padding, " ");
    expect(encoder.encode(content)).toHaveLength(MATCH_SPAN_CONTENT_MAX_BYTES);
    expect(pairs(matchSpans(["rust"], content))).toEqual([
      [MATCH_SPAN_CONTENT_MAX_BYTES - 4, MATCH_SPAN_CONTENT_MAX_BYTES],
    ]);
    expect(matchSpans(["rust"], `${content} `)).toBeNull();
    expect(matchSpans(["rust"], "a".repeat(MATCH_SPAN_CONTENT_MAX_BYTES + 1))).toBeNull();
  });

  test("keeps the first hundred terms in byte order", () => {
    const terms = Array.from({ length: 101 }, (_, at) => `t${String(at).padStart(3, "0")}`);
    const content = terms.join(" ");
    const spans = matchSpans(terms.toReversed(), content);
    expect(spans?.map((span) => cut(content, span))).toEqual(terms.slice(0, 100));
  });

  test("refuses an empty term", () => {
    expect(() => matchSpans(["abc", ""], "abc")).toThrow(RangeError);
  });
});

describe("matchSpans of any ASCII terms and any text", () => {
  const term = fc.string({ unit: fc.constantFrom(..."abAB- "), minLength: 1, maxLength: 4 });
  const terms = fc.array(term, { minLength: 1, maxLength: 40 });
  const content = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."abAB- é あ𠮟🦀"), maxLength: 300 }),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
  );
  const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const computed = (someTerms: readonly string[], text: string) => matchSpans(someTerms, text) ?? [];

  test("gives sorted, disjoint, non-empty spans, at most a hundred", () => {
    fc.assert(
      fc.property(terms, content, (someTerms, text) => {
        const spans = computed(someTerms, text);
        expect(spans.length).toBeLessThanOrEqual(MATCH_SPAN_MAX_COUNT);
        for (const [at, { start, end }] of spans.entries()) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(spans[at + 1]?.start ?? encoder.encode(text).length);
        }
      }),
    );
  });

  test("stays within a hundred spans for any number of terms that occur often", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 110 }), (count) => {
        const someTerms = Array.from({ length: count }, (_, at) => `<${at}>`);
        const spans = computed(someTerms, `${someTerms.join(" ")} `.repeat(110));
        expect(spans.length).toBeLessThanOrEqual(MATCH_SPAN_MAX_COUNT);
        expect(spans.length).toBeGreaterThan(MATCH_SPAN_MAX_COUNT / 2 - 1);
      }),
      { numRuns: 20 },
    );
  });

  test("cuts no character, and each span holds a term", () => {
    fc.assert(
      fc.property(terms, content, (someTerms, text) => {
        for (const span of computed(someTerms, text)) {
          const held = fold(cut(text, span));
          expect(someTerms.some((one) => held.includes(fold(one)))).toBe(true);
        }
      }),
    );
  });

  test("merges so that merging again changes nothing", () => {
    fc.assert(
      fc.property(terms, content, (someTerms, text) => {
        const spans = computed(someTerms, text);
        const again: ByteSpan[] = [];
        for (const span of spans) {
          const last = again.at(-1);
          if (last !== undefined && span.start < last.end)
            again[again.length - 1] = { ...last, end: span.end };
          else again.push(span);
        }
        expect(again).toEqual([...spans]);
      }),
    );
  });

  test("does not depend on the order of the words of a query", () => {
    const words = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom(..."abcAB_"), minLength: 3, maxLength: 5 }),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    const shuffled = words.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    const text = fc.string({ unit: fc.constantFrom(..."abcAB_ あ"), maxLength: 400 });
    fc.assert(
      fc.property(shuffled, text, ([some, other], body) => {
        expect(spansOf(other.join(" "), body)).toEqual(spansOf(some.join(" "), body));
      }),
    );
  });

  test("covers the first occurrence of every term", () => {
    fc.assert(
      fc.property(terms, content, (someTerms, text) => {
        const spans = computed(someTerms, text);
        for (const one of someTerms) {
          const unit = fold(text).indexOf(fold(one));
          if (unit < 0) continue;
          const start = encoder.encode(text.slice(0, unit)).length;
          expect(spans.some((span) => span.start <= start && start + one.length <= span.end)).toBe(true);
        }
      }),
    );
  });

  test("gives terms that differ in ASCII case one budget", () => {
    fc.assert(
      fc.property(terms, content, (someTerms, text) => {
        const doubled = [...someTerms, ...someTerms.map((one) => one.toUpperCase()), ...someTerms.map(fold)];
        expect(matchSpans(doubled, text)).toEqual(matchSpans(someTerms, text));
      }),
    );
  });

  test("computes nothing for terms of which one is not ASCII", () => {
    fc.assert(
      fc.property(terms, content, (someTerms, text) => {
        expect(matchSpans([...someTerms, "索"], text)).toBeNull();
      }),
    );
  });
});
