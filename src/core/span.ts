/**
 * Spans: half-open `[start, end)` ranges; the unit is named where one is made or passed on.
 */

/** Offsets in UTF-8 bytes. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}
