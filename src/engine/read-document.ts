/**
 * Reading an indexed document back: from its file, and from nothing but indexed files.
 *
 * The path of a request is only ever looked up among the indexed documents; it never
 * becomes a file name. So no spelling of it leads out of the folder. Cutting a text into
 * parts is done in `document-page.ts`.
 */

import { findNearest } from "../config/nearest.ts";
import type { DocumentRequest } from "../config/request.ts";
import type { DocumentMeta, LineRange } from "../core/document.ts";
import { findSection, listHeadings } from "../core/find-section.ts";
import { AppError } from "../errors.ts";
import { parseDocument } from "../source/parse-document.ts";
import { MAX_DOCUMENT_BYTES, readDocument } from "../source/read.ts";
import { findDocument, listDocumentPaths } from "../store/documents.ts";
import type { IndexDatabase } from "../store/open.ts";
import { formatCursor, linesOf, type Page, pageFrom, parseCursor } from "./document-page.ts";

export interface ReadDocumentOptions {
  /** Most text returned at once, as `sizeOf` measures it; whole lines are left out beyond it. 65,536 if not given. */
  readonly maxBytes?: number;
  /** Of a text, in bytes, line ends apart; its UTF-8 bytes if not given. */
  readonly sizeOf?: (text: string) => number;
}

/** snake_case, because it goes over the wire as it is. */
export interface DocumentAnswer {
  readonly path: string;
  readonly title: string;
  readonly category: string | null;
  readonly topic: string | null;
  readonly date: string | null;
  readonly tags: readonly string[];
  readonly encoding: string;
  /** The heading whose section this is; present when one was asked for. */
  readonly heading?: string;
  readonly content: string;
  readonly lines: LineRange;
  readonly total_lines: number;
  /** Whether text that was asked for did not fit. */
  readonly truncated: boolean;
  /** First line that was not begun; present when `truncated` and there is one. */
  readonly next_line?: number;
  /** Where exactly to go on; present when `truncated`. */
  readonly next?: string;
}

/** A document's text as its file has it now. */
export interface IndexedDocumentText {
  readonly path: string;
  readonly meta: DocumentMeta;
  readonly encoding: string;
  readonly text: string;
  /** SHA-256 of the file's bytes, hex. */
  readonly contentHash: string;
}

const DEFAULT_MAX_BYTES = 65_536;
const NEAREST_MAX_CHARS = 256;
const SHOWN_HEADINGS = 30;

/**
 * @throws {AppError} `missing` if no indexed document has that path or heading, or its file is gone or unreadable
 *   now; `usage` if the lines asked for are not in it, or `next` is not of this document as it is now.
 */
export function readIndexedDocument(
  root: string,
  db: IndexDatabase,
  request: DocumentRequest,
  { maxBytes = DEFAULT_MAX_BYTES, sizeOf = Buffer.byteLength }: ReadDocumentOptions,
): DocumentAnswer {
  checkCombination(request);
  const document = readIndexedText(root, db, request.path);
  const { path, meta, encoding, text, contentHash } = document;
  const lines = linesOf(text);
  const { heading, start, offset, end } = wantedPart(document, request, lines.length);
  const page = pageFrom(lines, { line: start, offset }, end, { maxBytes, sizeOf });
  return {
    path,
    ...meta,
    encoding,
    ...(heading === undefined ? {} : { heading }),
    content: page.content,
    lines: page.lines,
    total_lines: lines.length,
    ...continuation(page, end, contentHash),
  };
}

/**
 * The whole text of an indexed document, from its file.
 *
 * @throws {AppError} `missing` if no indexed document has that path, or its file is gone or unreadable now.
 */
export function readIndexedText(root: string, db: IndexDatabase, path: string): IndexedDocumentText {
  const document = findDocument(db, path.normalize("NFC")) ?? findDocument(db, path);
  if (document === undefined) throw noSuchDocument(db, path);
  const read = readDocument(
    root,
    { rawPath: document.rawPath as string },
    { maxBytes: MAX_DOCUMENT_BYTES, onlyInode: document.inode },
  );
  if (read.kind === "skip")
    throw new AppError("missing", `${document.path} cannot be read now: ${read.reason}`, {
      hint: "Bring the index up to date with: kb index",
    });
  const { encoding, text, contentHash } = read;
  return { path: document.path, meta: document.meta, encoding, text, contentHash };
}

function checkCombination({ start_line, end_line, heading, next }: DocumentRequest): void {
  const hasLines = start_line !== undefined || end_line !== undefined;
  if (next !== undefined && (hasLines || heading !== undefined))
    throw new AppError("usage", "next is given together with lines or heading", {
      hint: "Give path and next alone: next knows what was asked for.",
    });
  if (heading !== undefined && hasLines)
    throw new AppError("usage", "heading is given together with start_line or end_line", {
      hint: "Give one of them.",
    });
}

interface WantedPart {
  readonly heading?: string;
  readonly start: number;
  /** UTF-16 units of the first line that were read already. */
  readonly offset: number;
  readonly end: number;
}

function wantedPart(
  { path, text, contentHash }: IndexedDocumentText,
  request: DocumentRequest,
  lineCount: number,
): WantedPart {
  if (request.next !== undefined) {
    const { line, offset, end } = parseCursor(request.next, contentHash);
    const start = Math.min(line, lineCount);
    return { start, offset, end: Math.max(start, Math.min(end, lineCount)) };
  }
  if (request.heading !== undefined) {
    const { blocks } = parseDocument(path, text);
    const section = findSection(blocks, request.heading, lineCount);
    if (section === undefined) throw noSuchHeading(path, request.heading, listHeadings(blocks));
    const { start, end } = section.lines;
    return { heading: section.heading, start, offset: 0, end: Math.min(end, lineCount) };
  }
  const start = request.start_line ?? 1;
  const end = Math.min(request.end_line ?? lineCount, lineCount);
  if (start > lineCount || end < start)
    throw new AppError("usage", `lines ${start} to ${request.end_line ?? "the last"} are not in ${path}`, {
      hint: `It has ${lineCount} lines.`,
    });
  return { start, offset: 0, end };
}

function continuation({ next, lines }: Page, end: number, contentHash: string) {
  if (next === undefined) return { truncated: false };
  return {
    truncated: true,
    ...(lines.end < end ? { next_line: lines.end + 1 } : {}),
    next: formatCursor(next, end, contentHash),
  };
}

/** The error for a heading that is not there, with those that are. */
export function noSuchHeading(path: string, wanted: string, headings: readonly string[]): AppError {
  const shown = headings.slice(0, SHOWN_HEADINGS).map((heading) => JSON.stringify(heading.slice(0, 100)));
  const more = headings.length > shown.length ? ` and ${headings.length - shown.length} more` : "";
  return new AppError("missing", `${path} has no heading ${JSON.stringify(wanted)}`, {
    hint: headings.length === 0 ? "It has no headings." : `Its headings: ${shown.join(", ")}${more}.`,
  });
}

/** The failure of naming a document that is not indexed, with the nearest path that is. */
export function noSuchDocument(db: IndexDatabase, path: string): AppError {
  // A path of a sensible length: comparing is quadratic, and a long one is no typing error.
  const nearest = path.length > NEAREST_MAX_CHARS ? undefined : nearestPath(path, listDocumentPaths(db));
  return new AppError(
    "missing",
    `no indexed document at ${JSON.stringify(path.slice(0, NEAREST_MAX_CHARS))}`,
    {
      hint:
        nearest === undefined
          ? "Paths are those of search results, relative to the folder."
          : `Did you mean ${nearest}?`,
    },
  );
}

/** A document of that very name in another folder comes before one that is spelt alike. */
function nearestPath(path: string, known: readonly string[]): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const namesakes = known.filter((candidate) => candidate === name || candidate.endsWith(`/${name}`));
  return findNearest(path, namesakes) ?? namesakes[0] ?? findNearest(path, known);
}
