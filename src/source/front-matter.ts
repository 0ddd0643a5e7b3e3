/**
 * Front matter: what a Markdown file says about itself in its first lines.
 *
 * In goes a whole text, out come the fields we know, the warnings, and where the body begins.
 * A bad key costs that key, never the document. YAML that does not parse is read line by line
 * in `source/yaml-fields.ts`; defaults from headings and path are set in `source/parse-document.ts`.
 */
import { type FrontMatterFields, NO_FIELDS, readFields } from "./yaml-fields.ts";

export interface FrontMatter {
  readonly fields: FrontMatterFields;
  readonly warnings: readonly string[];
  /** Where the body begins in the text, in UTF-16 units. */
  readonly bodyOffset: number;
  /** The line of the file the body begins on, counted from 1. */
  readonly bodyLine: number;
}

/**
 * Reads the block between a first line `---` and the next line `---` or `...`.
 *
 * It is front matter only if it is a YAML mapping, or broken YAML made of `key:` lines; otherwise the
 * text is all body. Blanks at the end of a marker line do not count, nor does a byte-order mark before the first.
 * A second block right after the first fills in what the first did not say.
 */
export function parseFrontMatter(text: string): FrontMatter {
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  const first = readBlock(text, mark, 1);
  if (first === undefined) return { fields: NO_FIELDS, warnings: [], bodyOffset: mark, bodyLine: 1 };
  const second = readBlock(text, first.bodyOffset, first.bodyLine);
  if (second === undefined || second.isEmpty) return first;
  return {
    fields: {
      title: first.fields.title ?? second.fields.title,
      category: first.fields.category ?? second.fields.category,
      topic: first.fields.topic ?? second.fields.topic,
      date: first.fields.date ?? second.fields.date,
      tags: first.fields.tags.length > 0 ? first.fields.tags : second.fields.tags,
    },
    warnings: [...first.warnings, SECOND_BLOCK, ...second.warnings],
    bodyOffset: second.bodyOffset,
    bodyLine: second.bodyLine,
  };
}

const SECOND_BLOCK =
  "front matter: a second block follows the first; it is used where the first says nothing";
/** In UTF-16 units; a longer block is a text between two rules. */
const LONGEST_BLOCK = 64 * 1024;
/** No front matter is longer: two blocks with the lines around them, in UTF-16 units. */
export const LONGEST_FRONT_MATTER = 4 * LONGEST_BLOCK;
const OPENING = /---[ \t]*\r?\n/y;
const CLOSING = /^(?:---|\.\.\.)[ \t]*\r?(?:\n|$(?![\s\S]))/gm;

function readBlock(
  text: string,
  offset: number,
  line: number,
): (FrontMatter & { isEmpty: boolean }) | undefined {
  OPENING.lastIndex = offset;
  if (!OPENING.test(text)) return undefined;
  const start = OPENING.lastIndex;
  CLOSING.lastIndex = 0;
  const window = text.slice(start, start + LONGEST_BLOCK);
  const closing = CLOSING.exec(window);
  if (closing === null) return undefined;
  const yaml = window.slice(0, closing.index);
  const read = readFields(yaml.replaceAll("\r\n", "\n"));
  if (read === undefined) return undefined;
  const bodyOffset = start + closing.index + closing[0].length;
  return {
    ...read,
    bodyOffset,
    bodyLine: line + countLineFeeds(text.slice(offset, bodyOffset)),
    isEmpty: yaml.trim() === "",
  };
}

function countLineFeeds(text: string): number {
  return text.split("\n").length - 1;
}
