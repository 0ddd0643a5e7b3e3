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
import { parseFrontMatter } from "./front-matter.ts";
import { parseMarkdown } from "./markdown.ts";
import { listLinks } from "./markdown-links.ts";
import { parsePlainText } from "./plain-text.ts";

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
  const place = placeFromPath(path);
  if (!isMarkdown(path)) {
    const meta = { title: titleFromPath(path) ?? path, ...place, date: null, tags: [] };
    return { meta, blocks: parsePlainText(text), links: NO_LINKS, warnings: [] };
  }
  const { fields, warnings, bodyOffset, bodyLine } = parseFrontMatter(text);
  const body = text.slice(bodyOffset);
  const isTooLong = body.length > LONGEST_MARKDOWN;
  let links = NO_LINKS;
  const blocks = isTooLong
    ? parsePlainText(body, bodyLine)
    : parseMarkdown(body, bodyLine, (tokens, environment) => {
        links = listLinks(tokens, environment, bodyLine);
      });
  const firstTitle = blocks.find(({ level }) => level === 1)?.text;
  return {
    meta: {
      title: fields.title ?? firstTitle ?? titleFromPath(path) ?? path,
      category: fields.category?.normalize("NFC") ?? place.category,
      topic: fields.topic?.normalize("NFC") ?? place.topic,
      date: fields.date,
      tags: [...new Set(fields.tags.map((tag) => tag.normalize("NFC")))],
    },
    blocks,
    links,
    warnings: [
      ...warnings,
      ...(fields.date === null || dayOfDate(fields.date) !== null ? [] : [unreadableDate(fields.date)]),
      ...(isTooLong ? [TOO_LONG] : []),
    ],
  };
}

/** Whether a file is read as Markdown, and may have front matter. */
export function isMarkdown(path: string): boolean {
  return MARKDOWN.test(path);
}

const MARKDOWN = /\.(?:md|markdown|mdx)$/i;
const TOO_LONG = `read as plain text, without headings: it is longer than ${LONGEST_MARKDOWN} characters`;

function unreadableDate(date: string): string {
  const shown = date.length > 60 ? `${date.slice(0, 60)}…` : date;
  return `front matter: \`date\` is ${JSON.stringify(shown)}, which is no date of the calendar; it is shown, but no filter by date finds the document`;
}
