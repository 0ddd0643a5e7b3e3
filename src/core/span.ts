/**
 * Spans: half-open `[start, end)` ranges; the unit is named where one is made or passed on.
 */

/** What offsets count: UTF-8 bytes, UTF-16 units (a pair counts two), or Unicode code points. */
export type SpanUnit = "byte" | "utf16" | "codepoint";

/** The unit is the one asked for when it was made. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Offsets in UTF-8 bytes. */
export type ByteSpan = Span;
