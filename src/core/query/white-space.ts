/**
 * White space as Unicode's `White_Space` property has it: text in, trimmed or split text out.
 *
 * The language's own `trim` and `\s` differ from it: they take U+FEFF for white
 * space and do not know U+0085. What separates words in a query is decided in
 * `groups.ts`, not here.
 */

const WHITE_SPACE = /\p{White_Space}/u;
const WHITE_SPACE_RUN = /\p{White_Space}+/u;

/** The text without white space at either end. Linear in its length. */
export function trimWhiteSpace(text: string): string {
  // One unit at a time is safe: no white space lies outside the basic plane.
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.test(text[start]!)) start += 1;
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

/** The pieces between white space, in order; none is empty. */
export function splitWhiteSpace(text: string): readonly string[] {
  return text.split(WHITE_SPACE_RUN).filter((piece) => piece !== "");
}
