/**
 * Spans in every script: what is marked, and the guarantees of the citation contract (G1 to G8)
 * for terms and texts of any characters.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  MATCH_SPAN_CONTENT_MAX_BYTES,
  MATCH_SPAN_MAX_COUNT,
  type MatchSpanOptions,
  matchSpans,
} from "../../src/core/match-spans.ts";
import { extentOfCharacter } from "../../src/core/normalize/characters.ts";
import { normalizeText } from "../../src/core/normalize.ts";
import { occursIn } from "../../src/core/occurrences.ts";
import type { Span } from "../../src/core/span.ts";
import { anyPiece, settledPiece, textOf } from "../support/mixed-text.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const inUnit = (unit: MatchSpanOptions["unit"]) => ({ unit, scripts: "all" }) as const;

/** The marked texts, by byte offsets as a client uses them. */
function marked(terms: readonly string[], content: string): string[] | null {
  const bytes = encoder.encode(content);
  const spans = matchSpans(terms.map(normalizeText), content, inUnit("byte"));
  return spans?.map(({ start, end }) => decoder.decode(bytes.slice(start, end))) ?? null;
}

describe("matchSpans of all scripts", () => {
  // biome-ignore format: rows read best in one line
  test.each([
    [["検索器"], "高速な検索器です", ["検索器"]],
    [["東京"], "東京都と東京湾", ["東京", "東京"]],
    [["税"], "消費税と税率", ["税", "税"]],
    [["データ"], "ﾃﾞｰﾀとデータとデ―タ", ["ﾃﾞｰﾀ", "データ", "デ―タ"]],
    [["ﾃﾞｰﾀ"], "データ", ["データ"]],
    [["API"], "ＡＰＩ、api", ["ＡＰＩ", "api"]],
    [["株"], "㈱山田", ["㈱"]],
    [["(株)"], "㈱山田と(株)佐藤", ["㈱", "(株)"]],
    [["式会"], "㍿", ["㍿"]],
    [["1"], "①と1と10と１", ["①", "1", "１"]],
    [["高"], "髙と高", ["高"]],
    [["cafe"], "Café, cafe\u0301!", ["Café", "cafe\u0301"]],
    [["straße"], "STRASSE", ["STRASSE"]],
    [["find"], "ﬁnd", ["ﬁnd"]],
    [["が"], "か\u3099", ["か\u3099"]],
    [["か"], "が", []],
    [["か"], "か\u0302", ["か\u0302"]],
    [["人"], "人々", ["人", "々"]],
    [["人々"], "人人、人々", ["人人", "人々"]],
    [["ก"], "กี่", ["กี่"]],
    [["한"], "한국", ["한"]],
    [["👨"], "👨‍👩‍👧!", ["👨‍👩‍👧"]],
    [["👍"], "👍🏽👍", ["👍🏽", "👍"]],
    [["🇵🇫"], "🇯🇵🇫🇷", ["🇯🇵🇫🇷"]],
    [["1"], "1️⃣", ["1️⃣"]],
    [["software"], "soft\u00ADware\u200B.", ["soft\u00ADware"]],
    [["𠮟る"], "𠮟る", ["𠮟る"]],
    [["blue green"], "Blue　Green", ["Blue　Green"]],
    [["10〜20"], "１０～２０", ["１０～２０"]],
    [["検索", "索器"], "検索器", ["検索器"]],
    [["\uD800"], "\uDC00\uDC00", ["�", "�"]],
  ] as const)("marks %j in %j as %j", (terms, content, texts) => {
    expect(marked(terms, content)).toEqual([...texts]);
  });

  // biome-ignore format: rows read best in one line
  test.each([
    [["go"], "Go, going, cargo, go_mod, Ｇｏ", ["Go", "go", "Ｇｏ"]],
    [["AI"], "AI技術、MAIL、生成AIの", ["AI", "AI"]],
    [["bun"], "Bunで実行", ["Bun"]],
    [["R"], "R言語, Rust, r²", ["R"]],
    [["C++"], "C++, C++11, abc++", ["C++", "C++"]],
    [["C#"], "C#7 and ac#", ["C#"]],
    [[".NET"], ".NET, ASP.NET, .NETwork", [".NET", ".NET", ".NET"]],
    [["v2"], "v2.1 V20 é v2", ["v2", "v2"]],
    [["a"], "éa aé a", ["a"]],
  ] as const)("marks a short ASCII term only between borders: %j in %j as %j", (terms, content, texts) => {
    expect(marked(terms, content)).toEqual([...texts]);
  });

  // Rows of the contract's examples whose answer differs from `scripts: "ascii"`: the words are marked
  // that were too short or not ASCII, and a letter inside a word is no longer a word.
  // biome-ignore format: rows read best in one line
  test.each([
    [["ml", "pipelines"], "ML pipelines", [[0, 2], [3, 12]]],
    [["a"], "a".repeat(500), []],
    [["検索器"], "検索器", [[0, 9]]],
    [["tokio", "の設計"], "tokio", [[0, 5]]],
    [["tokio", "前置"], "前置 tokio", [[0, 6], [7, 12]]],
  ] as const)("gives for %j in %j a new answer", (terms, content, pairs) => {
    const spans = matchSpans(terms, content, inUnit("byte"));
    expect(spans?.map(({ start, end }) => [start, end])).toEqual(pairs.map((pair) => [...pair]));
  });

  // biome-ignore format: rows read best in one line
  test.each([
    [["alpha", "beta"], "alpha::beta alpha", [[0, 5], [7, 11], [12, 17]]],
    [["blue green"], "Blue Green is blue", [[0, 10]]],
    [["blue", "green"], "Blue Green is blue", [[0, 4], [5, 10], [14, 18]]],
    [["blue green", "blue"], "Blue Green, then blue", [[0, 10], [17, 21]]],
    [["cache", "caching"], "caching the cache", [[0, 7], [12, 17]]],
    [["test", "testing"], "testing a test", [[0, 7], [10, 14]]],
    [["build-tool", "tool-box"], "a build-tool-box", [[2, 16]]],
    [["rust"], "RUST and rusty", [[0, 4], [9, 13]]],
    [["ab", "cd"], "xx ab yy cd", [[3, 5], [9, 11]]],
    [['"ab"'], 'ab "ab"', [[3, 7]]],
    [["aaa"], "aaaaaa", [[0, 3], [3, 6]]],
    [["tokio"], "前置 tokio", [[7, 12]]],
    [["c++", "rust"], "rust", [[0, 4]]],
    [["zzz"], "abc", []],
    [["zzz"], "", []],
    [[], "abc", null],
  ] as const)("keeps for %j in %j the answer of the contract", (terms, content, pairs) => {
    const spans = matchSpans(terms, content, inUnit("byte"));
    expect(spans?.map(({ start, end }) => [start, end]) ?? null).toEqual(pairs?.map((pair) => [...pair]) ?? null);
  });

  test("gives the offsets in the unit asked for", () => {
    const content = "é あ𠮟🦀 検索";
    const spanIn = (unit: MatchSpanOptions["unit"]) => matchSpans(["検索"], content, inUnit(unit));
    expect(spanIn("byte")).toEqual([{ start: 15, end: 21 }]);
    expect(spanIn("utf16")).toEqual([{ start: 8, end: 10 }]);
    expect(spanIn("codepoint")).toEqual([{ start: 6, end: 8 }]);
  });

  test("computes nothing above the limit in bytes, whatever the unit", () => {
    const content = "検".repeat(Math.floor(MATCH_SPAN_CONTENT_MAX_BYTES / 3));
    expect(matchSpans(["検"], content, inUnit("codepoint"))).toHaveLength(100);
    expect(matchSpans(["検"], `${content}検`, inUnit("codepoint"))).toBeNull();
  });

  test("keeps the first hundred terms in code point order", () => {
    const terms = Array.from({ length: 101 }, (_, at) => String.fromCodePoint(0xe000 + at));
    expect(matchSpans(["🦀", ...terms.slice(0, 100)], "🦀\uE000", inUnit("utf16"))).toEqual([
      { start: 2, end: 3 },
    ]);
    expect(matchSpans(terms.toReversed(), terms.join(""), inUnit("utf16"))).toHaveLength(100);
  });

  test("ignores the budget a rare term leaves over", () => {
    expect(marked(["検", "珍"], `${"検".repeat(200)}珍`)).toHaveLength(51);
  });

  test("refuses an empty term", () => {
    expect(() => matchSpans(["検索", ""], "検索", inUnit("byte"))).toThrow(RangeError);
  });
});

describe("matchSpans of any terms and texts", () => {
  const termsOf = (piece: fc.Arbitrary<string>) =>
    fc
      .array(textOf(piece, 3).map(normalizeText), { minLength: 1, maxLength: 6 })
      .map((terms) => terms.filter((term) => term !== ""))
      .filter((terms) => terms.length > 0);
  const settled = fc.tuple(termsOf(settledPiece), textOf(settledPiece, 24));
  const any = fc.tuple(termsOf(anyPiece), textOf(anyPiece, 24));
  const slices = (spans: readonly Span[], content: string) =>
    spans.map(({ start, end }) => content.slice(start, end));

  /** Where a term lies in a text, overlapping places included. */
  const placesOf = (term: string, text: string): number[] => {
    const places: number[] = [];
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) places.push(at);
    return places;
  };

  test("marks a text that, normalised, holds a term, and beyond it only the rest of whole characters", () => {
    fc.assert(
      fc.property(settled, ([terms, content]) => {
        for (const slice of slices(matchSpans(terms, content, inUnit("utf16"))!, content)) {
          const normal = normalizeText(slice);
          const first = normalizeText(slice.slice(0, extentOfCharacter(slice, 0).end));
          let lastStart = 0;
          for (let at = 0; at < slice.length; at = extentOfCharacter(slice, at).end) lastStart = at;
          const last = normalizeText(slice.slice(lastStart));
          const places = terms.flatMap((term) =>
            placesOf(term, normal).map((at) => [at, at + term.length] as const),
          );
          expect(places.some(([start]) => start < first.length)).toBe(true);
          expect(places.some(([, end]) => end > normal.length - last.length)).toBe(true);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  test("marks every term that occurs, and nothing if none does, whatever the neighbours", () => {
    fc.assert(
      fc.property(any, ([terms, content]) => {
        const spans = matchSpans(terms, content, inUnit("utf16"))!;
        // What a dash or an iteration mark becomes is decided by up to two characters at either side.
        const around = spans.map(({ start, end }) =>
          normalizeText(content.slice(Math.max(0, start - 12), end + 12)),
        );
        const normal = normalizeText(content);
        for (const term of terms.filter((one) => occursIn(one, normal)))
          expect(around.some((text) => text.includes(term))).toBe(true);
        expect(spans.length > 0).toBe(terms.some((term) => occursIn(term, normal)));
      }),
      { numRuns: 3_000 },
    );
  });

  test("marks the same texts in each unit", () => {
    fc.assert(
      fc.property(any, ([terms, content]) => {
        const units = slices(matchSpans(terms, content, inUnit("utf16"))!, content).map((text) =>
          text.toWellFormed(),
        );
        const points = [...content];
        const byPoint = matchSpans(terms, content, inUnit("codepoint"))!;
        expect(byPoint.map(({ start, end }) => points.slice(start, end).join("").toWellFormed())).toEqual(
          units,
        );
        expect(marked(terms, content)).toEqual(units);
      }),
      { numRuns: 3_000 },
    );
  });

  test("gives sorted, disjoint, non-empty spans, at most a hundred", () => {
    const repeated = fc.tuple(
      termsOf(anyPiece),
      textOf(anyPiece, 12).map((text) => text.repeat(60)),
    );
    fc.assert(
      fc.property(fc.oneof(any, repeated), ([terms, content]) => {
        const spans = matchSpans(terms, content, inUnit("utf16"))!;
        expect(spans.length).toBeLessThanOrEqual(MATCH_SPAN_MAX_COUNT);
        for (const [at, { start, end }] of spans.entries()) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(spans[at + 1]?.start ?? content.length);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("does not depend on the order of the terms, nor on repeats", () => {
    fc.assert(
      fc.property(any, ([terms, content]) => {
        const spans = matchSpans(terms, content, inUnit("byte"));
        expect(matchSpans([...terms.toReversed(), ...terms], content, inUnit("byte"))).toEqual(spans);
      }),
      { numRuns: 1_000 },
    );
  });

  test("marks ASCII words of three or more letters as with ASCII only, in ASCII texts", () => {
    const word = fc
      .string({ unit: fc.constantFrom(..."abAB-"), minLength: 3, maxLength: 4 })
      .filter((text) => (text.match(/\w/g)?.length ?? 0) > 2);
    const text = fc.string({ unit: fc.constantFrom(..."abAB- \n"), maxLength: 120 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), text, (terms, content) => {
        const ascii = matchSpans(terms, content, { unit: "byte", scripts: "ascii" });
        expect(matchSpans(terms.map(normalizeText), content, inUnit("byte"))).toEqual(ascii);
      }),
      { numRuns: 1_000 },
    );
  });
});
