/**
 * Match spans: the terms of a query and a shown text in, the places where they occur out.
 *
 * This is the citation contract: offsets into exactly the text given here, so call it on
 * what will be returned, after any widening. Choosing the terms is done in `query/plan.ts`,
 * once per request; what counts as an occurrence is decided in `occurrences.ts`.
 */
import { compareCodePoints } from "./code-point-order.ts";
import { normalizeWithMap } from "./normalize.ts";
import { findOccurrences } from "./occurrences.ts";
import type { Span, SpanUnit } from "./span.ts";
import { convertSpans, isLongerThan } from "./span-units.ts";

/** Spans returned at most; the terms share this budget. */
export const MATCH_SPAN_MAX_COUNT = 100;

/** UTF-8 bytes of text above which no spans are computed, so that an abnormal text cannot hold up an answer. */
export const MATCH_SPAN_CONTENT_MAX_BYTES = 262_144;

export interface MatchSpanOptions {
  /** What the offsets count. */
  readonly unit: SpanUnit;
  /**
   * `all` finds every spelling that normalises alike, in any script. `ascii` looks for the terms as typed,
   * comparing only ASCII letters without case and asking for no borders, and computes nothing if a term
   * has other characters.
   */
  readonly scripts: "all" | "ascii";
}

/**
 * Finds the terms in the text.
 *
 * Equal terms count once; each of the rest gets `floor(100 / count)` (at least 1) of its leftmost
 * non-overlapping occurrences. What a rare term leaves over is not given to others, so the order of
 * the terms does not matter. Each term is searched no further than its last kept occurrence.
 *
 * A span holds whole characters: all of ㈱ for 株, a base with its marks, an emoji with its sequence.
 *
 * @param terms Non-empty strings, with `scripts: "all"` as `normalizeText` gives them, otherwise as
 *   typed; beyond 100 distinct ones the last in code point order are left out.
 * @returns Sorted, disjoint and non-empty spans; overlaps are merged, spans that only touch are not.
 *   Empty if nothing was found. Null if not computed: no terms, a text above the byte limit, or with
 *   `scripts: "ascii"` a term with another character.
 * @throws {RangeError} If a term is empty.
 */
export function matchSpans(
  terms: readonly string[],
  content: string,
  { unit, scripts }: MatchSpanOptions,
): readonly Span[] | null {
  if (terms.length === 0 || (scripts === "ascii" && terms.some((term) => NON_ASCII.test(term)))) return null;
  if (terms.includes("")) throw new RangeError("a term is empty");
  if (isLongerThan(content, MATCH_SPAN_CONTENT_MAX_BYTES)) return null;
  const found = scripts === "ascii" ? findAscii(terms, content) : findNormalized(terms, content);
  return convertSpans(mergeOverlaps(found), content, unit);
}

const NON_ASCII = /[^\x00-\x7F]/;

type Search = (term: string, limit: number) => readonly Span[];

function findNormalized(terms: readonly string[], content: string): readonly Span[] {
  const { text, sourceStart, sourceEnd } = normalizeWithMap(content);
  return searchEach(terms, (term, limit) =>
    findOccurrences(term, text, limit).map(({ start, end }) => ({
      start: sourceStart(start),
      end: sourceEnd(end),
    })),
  );
}

function findAscii(terms: readonly string[], content: string): readonly Span[] {
  const folded = foldAscii(content);
  return searchEach(terms.map(foldAscii), (term, limit) => findAnywhere(term, folded, limit));
}

/** Shares the budget out. */
function searchEach(terms: readonly string[], search: Search): readonly Span[] {
  const distinct = [...new Set(terms)].sort(compareCodePoints).slice(0, MATCH_SPAN_MAX_COUNT);
  const budget = Math.max(1, Math.floor(MATCH_SPAN_MAX_COUNT / distinct.length));
  return distinct.flatMap((term) => search(term, budget));
}

/** Lower case for A to Z only: no character changes its length, so offsets stay valid. */
function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function findAnywhere(term: string, folded: string, limit: number): readonly Span[] {
  const found: Span[] = [];
  let start = folded.indexOf(term);
  while (start >= 0 && found.length < limit) {
    const end = start + term.length;
    found.push({ start, end });
    start = folded.indexOf(term, end);
  }
  return found;
}

function mergeOverlaps(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    } else {
      merged.push(span);
    }
  }
  return merged;
}
