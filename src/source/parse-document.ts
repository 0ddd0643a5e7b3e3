/**
 * One document's text to its description and blocks.
 *
 * In go the key and the text of a file, out come what front matter, headings and path
 * say about it, and its blocks. Never throws for a text. Which parser
 * reads it follows from the extension; chunking is done in `core/chunk.ts`.
 */
import { dayOfDate } from "../core/calendar-date.ts";
import type { Block, DocumentMeta } from "../core/document.ts";
import { type DocumentLinks, NO_LINKS } from "../core/link.ts";
import { placeFromPath, titleFromPath } from "../core/path-meta.ts";
import { type FrontMatter, LONGEST_FRONT_MATTER, parseFrontMatter } from "./front-matter.ts";
import { parseMarkdown } from "./markdown.ts";
import { listLinks } from "./markdown-links.ts";
import { parsePlainText, parsePlainTextParts } from "./plain-text.ts";

/** Longer Markdown, in UTF-16 units, is read as plain text: its block structure would not fit in memory. */
export const LONGEST_MARKDOWN = 4 * 1024 * 1024;

export interface ParsedDocument {
  readonly meta: DocumentMeta;
  readonly blocks: readonly Block[];
  readonly links: DocumentLinks;
  /** What could not be used as meant, each one sentence without the path. */
  readonly warnings: readonly string[];
}

/**
 * Parses Markdown (`md`, `markdown`, `mdx`), and anything else as plain text.
 *
 * The title is that of the front matter, else the first heading of level 1, else made from the file name.
 * Category and topic are those of the front matter, else the first two folders of the path; they and the tags are NFC.
 * Lines of the blocks count from the file's first line.
 */
export function parseDocument(path: string, text: string): ParsedDocument {
  if (!isMarkdown(path)) return { ...describePlain(path), blocks: parsePlainText(text), links: NO_LINKS };
  const frontMatter = parseFrontMatter(text);
  const { bodyOffset, bodyLine } = frontMatter;
  const body = text.slice(bodyOffset);
  if (body.length > LONGEST_MARKDOWN) {
    return {
      ...describeMarkdown(path, frontMatter, undefined, [TOO_LONG]),
      blocks: parsePlainText(body, bodyLine),
      links: NO_LINKS,
    };
  }
  let links = NO_LINKS;
  const blocks = parseMarkdown(body, bodyLine, (tokens, environment) => {
    links = listLinks(tokens, environment, bodyLine);
  });
  const firstTitle = blocks.find(({ level }) => level === 1)?.text;
  return { ...describeMarkdown(path, frontMatter, firstTitle, []), blocks, links };
}

/** A text in parts, anew each time it is iterated. */
export interface TextParts {
  readonly parts: Iterable<string>;
  /** UTF-16 units of all parts together. */
  readonly units: number;
}

/**
 * As `parseDocument`, for a text that is not held whole: its blocks are made as they are iterated, and
 * there is no heading among them.
 *
 * @returns Undefined if it has to be parsed whole, for its Markdown.
 */
export function parseTextParts(
  path: string,
  { parts, units }: TextParts,
): (Omit<ParsedDocument, "blocks"> & { readonly blocks: Iterable<Block> }) | undefined {
  if (!isMarkdown(path)) {
    const blocks = { [Symbol.iterator]: () => parsePlainTextParts(parts) };
    return { ...describePlain(path), blocks, links: NO_LINKS };
  }
  const frontMatter = parseFrontMatter(headOf(parts, LONGEST_FRONT_MATTER));
  const { bodyOffset, bodyLine } = frontMatter;
  if (units - bodyOffset <= LONGEST_MARKDOWN) return undefined;
  const blocks = {
    [Symbol.iterator]: () => parsePlainTextParts(withoutStart(parts, bodyOffset), bodyLine),
  };
  return { ...describeMarkdown(path, frontMatter, undefined, [TOO_LONG]), blocks, links: NO_LINKS };
}

/** Whether a file is read as Markdown, and may have front matter. */
export function isMarkdown(path: string): boolean {
  return MARKDOWN.test(path);
}

const MARKDOWN = /\.(?:md|markdown|mdx)$/i;
const TOO_LONG = `read as plain text, without headings: it is longer than ${LONGEST_MARKDOWN} characters`;

function describePlain(path: string): Pick<ParsedDocument, "meta" | "warnings"> {
  const meta = { title: titleFromPath(path) ?? path, ...placeFromPath(path), date: null, tags: [] };
  return { meta, warnings: [] };
}

function describeMarkdown(
  path: string,
  { fields, warnings }: FrontMatter,
  firstTitle: string | undefined,
  moreWarnings: readonly string[],
): Pick<ParsedDocument, "meta" | "warnings"> {
  const place = placeFromPath(path);
  return {
    meta: {
      title: fields.title ?? firstTitle ?? titleFromPath(path) ?? path,
      category: fields.category?.normalize("NFC") ?? place.category,
      topic: fields.topic?.normalize("NFC") ?? place.topic,
      date: fields.date,
      tags: [...new Set(fields.tags.map((tag) => tag.normalize("NFC")))],
    },
    warnings: [
      ...warnings,
      ...(fields.date === null || dayOfDate(fields.date) !== null ? [] : [unreadableDate(fields.date)]),
      ...moreWarnings,
    ],
  };
}

/** At least `units` of the text, if it has as many. */
function headOf(parts: Iterable<string>, units: number): string {
  let head = "";
  for (const part of parts) {
    head += part;
    if (head.length >= units) break;
  }
  return head;
}

function* withoutStart(parts: Iterable<string>, units: number): Generator<string> {
  let left = units;
  for (const part of parts) {
    if (left < part.length) yield part.slice(left);
    left = Math.max(0, left - part.length);
  }
}

function unreadableDate(date: string): string {
  const shown = date.length > 60 ? `${date.slice(0, 60)}…` : date;
  return `front matter: \`date\` is ${JSON.stringify(shown)}, which is no date of the calendar; it is shown, but no filter by date finds the document`;
}
