/**
 * Text of documents and file names, made harmless for a terminal.
 *
 * Whatever a note or a name holds, it cannot move the cursor, change colours or turn the
 * direction of writing. The wire form stays as it is; JSON escapes by itself.
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
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function codePoint(character: string): string {
  return `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`;
}
