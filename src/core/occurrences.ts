/**
 * Where a term occurs: a normalised term and a normalised text in, places in that text out.
 *
 * Here alone is decided what counts as an occurrence, for spans and for the fields a term
 * was found in. Mapping places back to the shown text is done in `match-spans.ts`.
 */
import type { Span } from "./span.ts";

/**
 * The leftmost occurrences that do not overlap, in UTF-16 units.
 *
 * A term occurs anywhere, also inside a word, with one exception: a short one in ASCII, with at most
 * two letters or digits (`go`, `r`, `c++`), occurs only between borders, so that Go does not mark going.
 * A border is asked for only on a side where the term ends in a letter or digit, and is anything but
 * a Latin letter or a digit: AI occurs in AI技術, and in go_ai.
 *
 * @param term Not empty.
 * @param limit Occurrences after which searching stops.
 */
export function findOccurrences(term: string, text: string, limit: number): readonly Span[] {
  const isShort = isShortAscii(term);
  const needsBorderBefore = isShort && ASCII_WORD.test(term[0]!);
  const needsBorderAfter = isShort && ASCII_WORD.test(term.at(-1)!);
  const found: Span[] = [];
  let start = text.indexOf(term);
  while (start >= 0 && found.length < limit) {
    const end = start + term.length;
    const isInsideWord =
      (needsBorderBefore && WORD.test(text.charAt(start - 1))) ||
      (needsBorderAfter && WORD.test(text.charAt(end)));
    if (!isInsideWord) found.push({ start, end });
    start = text.indexOf(term, isInsideWord ? start + 1 : end);
  }
  return found;
}

/** Whether `findOccurrences` finds any. */
export function occursIn(term: string, text: string): boolean {
  return findOccurrences(term, text, 1).length > 0;
}

const ASCII_WORD = /[0-9A-Za-z]/;
const WORD = /[\p{Script=Latin}\p{Nd}]/u;

function isShortAscii(term: string): boolean {
  if (!/^[\x00-\x7F]*$/.test(term)) return false;
  const count = term.match(/[0-9A-Za-z]/g)?.length ?? 0;
  return count === 1 || count === 2;
}
