/**
 * Match spans: the terms of a query and a shown text in, the places where they occur out.
 *
 * This is the citation contract: byte offsets into exactly the text given here, so
 * call it on what will be returned, after any widening. Choosing the terms is done
 * in `query/plan.ts`, once per request.
 */
import type { ByteSpan } from "./span.ts";

/** Spans returned at most; the terms share this budget. */
export const MATCH_SPAN_MAX_COUNT = 100;

/** UTF-8 bytes of text above which no spans are computed, so that an abnormal text cannot hold up an answer. */
export const MATCH_SPAN_CONTENT_MAX_BYTES = 262_144;

/**
 * Finds the terms in the text, comparing ASCII letters without case.
 *
 * Terms that differ only in such case count once; each of the rest gets
 * `floor(100 / count)` (at least 1) of its leftmost non-overlapping occurrences.
 * What a rare term leaves over is not given to others, so the order of the terms
 * does not matter. Each term is searched no further than its last kept occurrence.
 *
 * @param terms Non-empty strings; beyond 100 distinct ones the last in byte order are left out.
 * @returns Sorted, disjoint and non-empty spans; overlaps are merged, spans that only
 *   touch are not. Empty if nothing was found. Null if not computed: no terms, a term
 *   with a non-ASCII character, or a text above the byte limit.
 * @throws {RangeError} If a term is empty.
 */
export function matchSpans(terms: readonly string[], content: string): readonly ByteSpan[] | null {
  if (terms.length === 0 || terms.some((term) => NON_ASCII.test(term))) return null;
  if (terms.includes("")) throw new RangeError("a term is empty");
  if (isLongerThan(content, MATCH_SPAN_CONTENT_MAX_BYTES)) return null;

  const distinct = [...new Set(terms.map(foldAscii))].sort().slice(0, MATCH_SPAN_MAX_COUNT);
  const budget = Math.max(1, Math.floor(MATCH_SPAN_MAX_COUNT / distinct.length));
  const folded = foldAscii(content);
  return toByteSpans(mergeOverlaps(distinct.flatMap((term) => occurrences(term, folded, budget))), content);
}

const NON_ASCII = /[^\x00-\x7F]/;

/** Offsets in UTF-16 units, which is what searching a string yields; they order as the bytes do. */
interface UnitSpan {
  readonly start: number;
  readonly end: number;
}

/** Lower case for A to Z only: no character changes its length, so offsets stay valid. */
function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function occurrences(term: string, folded: string, budget: number): UnitSpan[] {
  const found: UnitSpan[] = [];
  let start = folded.indexOf(term);
  while (start >= 0 && found.length < budget) {
    const end = start + term.length;
    found.push({ start, end });
    start = folded.indexOf(term, end);
  }
  return found;
}

function mergeOverlaps(spans: readonly UnitSpan[]): readonly UnitSpan[] {
  const merged: UnitSpan[] = [];
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

/** One walk over the text up to the last span. */
function toByteSpans(spans: readonly UnitSpan[], content: string): readonly ByteSpan[] {
  let unit = 0;
  let byte = 0;
  const byteAt = (target: number): number => {
    byte += utf8Length(content, unit, target);
    unit = target;
    return byte;
  };
  return spans.map((span) => ({ start: byteAt(span.start), end: byteAt(span.end) }));
}

function isLongerThan(text: string, maxBytes: number): boolean {
  // A unit takes one to three bytes (a pair takes four), so most texts need no walk.
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && utf8Length(text, 0, text.length) > maxBytes;
}

/** UTF-8 bytes of a range that cuts no surrogate pair; a lone surrogate is written as U+FFFD, in three. */
function utf8Length(text: string, start: number, end: number): number {
  let bytes = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.codePointAt(at)!;
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (code < 0x1_0000) bytes += 3;
    else {
      bytes += 4;
      at += 1;
    }
  }
  return bytes;
}
