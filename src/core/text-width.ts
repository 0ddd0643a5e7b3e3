/**
 * How much room text takes in a drawing, estimated: no font is asked.
 *
 * In go text and a number of halves of an ideograph's width, out comes as much of it as fits.
 */

/** Scripts and signs as wide as they are high, by and large. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}|[\u{1f000}-\u{3ffff}]/u;
const NO_WIDTH = /\p{M}|\u200b|\u200d|\ufeff/u;

/** Width in halves of an ideograph. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** The text, or its beginning with `…`, at most `width` halves of an ideograph wide; cut between code points. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let taken = "";
  let room = width - widthOf("…");
  for (const character of text) {
    room -= widthOf(character);
    if (room < 0) break;
    taken += character;
  }
  return `${taken.trimEnd()}…`;
}

/** Capitals are wider than small letters. */
function widthOf(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  if (WIDE.test(character)) return 2;
  return /[A-ZÀ-ÞWmw@%&—]/.test(character) ? 1.35 : 1.05;
}
