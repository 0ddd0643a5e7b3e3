/**
 * Converting spans: UTF-16 spans of a text in, the same places in the unit asked for out.
 *
 * A lone surrogate counts as one code point and, since it is written as U+FFFD, three bytes.
 */
import type { Span, SpanUnit } from "./span.ts";

/**
 * One walk over the text up to the last span.
 *
 * @param spans In UTF-16 units, sorted and disjoint, none cutting a surrogate pair.
 */
export function convertSpans(spans: readonly Span[], text: string, unit: SpanUnit): readonly Span[] {
  if (unit === "utf16") return spans;
  const lengthOf = unit === "byte" ? utf8Length : codePointLength;
  let walked = 0;
  let length = 0;
  const convert = (target: number): number => {
    length += lengthOf(text, walked, target);
    walked = target;
    return length;
  };
  return spans.map((span) => ({ start: convert(span.start), end: convert(span.end) }));
}

/** Whether a text has more UTF-8 bytes than that; most texts need no walk to tell. */
export function isLongerThan(text: string, maxBytes: number): boolean {
  // A unit takes one to three bytes (a pair takes four).
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && utf8Length(text, 0, text.length) > maxBytes;
}

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

function codePointLength(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    if (text.codePointAt(at)! >= 0x1_0000) at += 1;
    count += 1;
  }
  return count;
}
