/**
 * Text of documents and file names, made harmless for a terminal and for a model that reads text.
 *
 * Whatever a note or a name holds, it cannot move the cursor, change colours, turn the direction of
 * writing, or say what nobody sees. The wire form stays as it is, so that spans fit; JSON escapes by itself.
 */

/** One line: control characters and bidirectional overrides as their code points; tabs as spaces. */
export function visible(text: string): string {
  return text.replaceAll("\t", "    ").replace(HARMFUL, codePoint);
}

/** A whole text: as `visible`, but its line ends and tabs are kept. */
export function visibleLines(text: string): string {
  return text.replace(/\r(?!\n)/g, codePoint).replace(HARMFUL, (character) => {
    return LINE_CONTROLS.includes(character) ? character : codePoint(character);
  });
}

const LINE_CONTROLS = "\t\n\r";
// Beside controls and overrides of direction: the tag characters, which spell ASCII without being shown.
const HARMFUL =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

function codePoint(character: string): string {
  return `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`;
}
