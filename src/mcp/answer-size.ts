/**
 * Making the hits of a search fit into an answer.
 *
 * In go hits and a budget, out come as many whole ones as fit, best first, and of the next one the lines
 * that fit. Spans are clipped with the content; everything else about a hit stays as it is.
 */
import type { Span, SpanUnit } from "../core/span.ts";

/** What is cut here of a hit. */
export interface SizedHit {
  readonly content: string;
  readonly match_spans?: readonly Span[] | undefined;
}

export interface FittingHits<Hit> {
  readonly hits: readonly Hit[];
  /** Rank of the hit whose content ends early, from 1; undefined if none does. */
  readonly cut: number | undefined;
}

/**
 * @param sizeOf Of one hit in the answer, in bytes; grows with its content.
 * @param unit Of the spans.
 */
export function fitHits<Hit extends SizedHit>(
  hits: readonly Hit[],
  budgetBytes: number,
  unit: SpanUnit,
  sizeOf: (hit: Hit) => number,
): FittingHits<Hit> {
  const fitting: Hit[] = [];
  let left = budgetBytes;
  for (const hit of hits) {
    const bytes = sizeOf(hit);
    if (bytes <= left) {
      fitting.push(hit);
      left -= bytes;
      continue;
    }
    const isWorthCutting = fitting.length === 0 || left >= SMALLEST_CUT_BYTES;
    const part = isWorthCutting ? cutToFit(hit, unit, (shorter) => sizeOf(shorter) <= left) : undefined;
    if (part === undefined) return { hits: fitting, cut: undefined };
    return { hits: [...fitting, part], cut: fitting.length + 1 };
  }
  return { hits: fitting, cut: undefined };
}

/** A scrap of a passage says less than its absence. */
const SMALLEST_CUT_BYTES = 1024;

/** The most whole lines that fit; of a first line that is too long, its beginning. Undefined if nothing fits. */
function cutToFit<Hit extends SizedHit>(
  hit: Hit,
  unit: SpanUnit,
  fits: (hit: Hit) => boolean,
): Hit | undefined {
  const { content } = hit;
  const ends = [...content.matchAll(/\n/g)].map(({ index }) => index);
  const fitsUpTo = (end: number) => fits(shortened(hit, end, unit));
  const lines = countFitting(ends.length, (count) => fitsUpTo(ends[count - 1]!));
  if (lines > 0) return shortened(hit, ends[lines - 1]!, unit);
  const units = countFitting(ends[0] ?? content.length, (count) => fitsUpTo(wholeCharacters(content, count)));
  return units === 0 ? undefined : shortened(hit, wholeCharacters(content, units), unit);
}

/** The largest count up to `most` that fits, where smaller ones fit too; 0 if not even 1 does. */
function countFitting(most: number, fits: (count: number) => boolean): number {
  let fitting = 0;
  let tooMany = most + 1;
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}

/** One less where a surrogate pair would be cut. */
function wholeCharacters(text: string, length: number): number {
  return length > 0 && text.codePointAt(length - 1)! > 0xffff ? length - 1 : length;
}

function shortened<Hit extends SizedHit>(hit: Hit, length: number, unit: SpanUnit): Hit {
  const content = hit.content.slice(0, length);
  if (hit.match_spans === undefined) return { ...hit, content };
  const end = lengthIn(content, unit);
  const spans = hit.match_spans
    .filter((span) => span.start < end)
    .map((span) => ({ start: span.start, end: Math.min(span.end, end) }));
  return { ...hit, content, match_spans: spans };
}

function lengthIn(text: string, unit: SpanUnit): number {
  if (unit === "utf16") return text.length;
  return unit === "byte" ? Buffer.byteLength(text) : [...text].length;
}
