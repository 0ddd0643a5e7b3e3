/**
 * Stage 1 of query compilation: the raw query in, quoted and plain segments out.
 *
 * Only the ASCII double quote quotes; typographic quotes are ordinary characters
 * and separate words in stage 2 (`groups.ts`). Which quoted texts exclude is decided
 * in `exclusions.ts`, which of the others are usable as phrases in `phrases.ts`.
 */

export interface QuerySegment {
  readonly kind: "quoted" | "plain";
  /** Quoted: the content with doubled quotes undone, possibly empty. Plain: never empty. */
  readonly text: string;
}

const QUOTE = '"';

/**
 * Cuts a query at its closed `"…"` regions; inside one, `""` stands for one literal quote.
 *
 * A quote that is never closed is an ordinary character: all text after the last
 * closed region, that quote included, is then one plain segment.
 *
 * @returns In query order; empty for an empty query.
 */
export function segmentQuotes(raw: string): readonly QuerySegment[] {
  const segments: QuerySegment[] = [];
  let plainStart = 0;
  for (;;) {
    const open = raw.indexOf(QUOTE, plainStart);
    const close = open < 0 ? -1 : closingQuoteAfter(raw, open);
    if (close < 0) break;
    if (open > plainStart) segments.push({ kind: "plain", text: raw.slice(plainStart, open) });
    segments.push({ kind: "quoted", text: raw.slice(open + 1, close).replaceAll(QUOTE + QUOTE, QUOTE) });
    plainStart = close + 1;
  }
  if (plainStart < raw.length) segments.push({ kind: "plain", text: raw.slice(plainStart) });
  return segments;
}

/** The distinct texts of quoted segments, in query order, empty ones included. */
export function quotedTexts(segments: readonly QuerySegment[]): ReadonlySet<string> {
  return new Set(segments.filter(({ kind }) => kind === "quoted").map(({ text }) => text));
}

/**
 * Writes segments as the query they were cut from: `segmentQuotes` undone, exactly, for
 * segments in the order it gave them.
 */
export function formatQuotes(segments: readonly QuerySegment[]): string {
  return segments
    .map(({ kind, text }) =>
      kind === "plain" ? text : QUOTE + text.replaceAll(QUOTE, QUOTE + QUOTE) + QUOTE,
    )
    .join("");
}

/** Offset of the quote that closes the region opened at `open`, or -1. */
function closingQuoteAfter(raw: string, open: number): number {
  let at = raw.indexOf(QUOTE, open + 1);
  while (at >= 0 && raw[at + 1] === QUOTE) at = raw.indexOf(QUOTE, at + 2);
  return at;
}
