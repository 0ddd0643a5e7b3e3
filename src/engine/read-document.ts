/**
 * Reading an indexed document back: from its file, and from nothing but indexed files.
 *
 * The path of a request is only ever looked up among the indexed documents; it never
 * becomes a file name. So no spelling of it leads out of the folder.
 */

import { findNearest } from "../config/nearest.ts";
import type { DocumentRequest } from "../config/request.ts";
import type { LineRange } from "../core/document.ts";
import { AppError } from "../errors.ts";
import { MAX_DOCUMENT_BYTES, readDocument } from "../source/read.ts";
import { findDocument, listDocumentPaths } from "../store/documents.ts";
import type { IndexDatabase } from "../store/open.ts";

export interface ReadDocumentOptions {
  /** Most UTF-8 bytes of text returned at once; whole lines are left out beyond it. 65,536 if not given. */
  readonly maxBytes?: number;
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
  readonly content: string;
  readonly lines: LineRange;
  readonly total_lines: number;
  /** Whether lines that were asked for did not fit. */
  readonly truncated: boolean;
  /** Where to go on; present when `truncated`. */
  readonly next_line?: number;
}

const DEFAULT_MAX_BYTES = 65_536;
const NEAREST_MAX_CHARS = 256;

/**
 * @throws {AppError} `missing` if no indexed document has that path, or its file is gone or unreadable now;
 *   `usage` if the lines asked for are not in it.
 */
export function readIndexedDocument(
  root: string,
  db: IndexDatabase,
  request: DocumentRequest,
  { maxBytes = DEFAULT_MAX_BYTES }: ReadDocumentOptions,
): DocumentAnswer {
  const document = findDocument(db, request.path.normalize("NFC")) ?? findDocument(db, request.path);
  if (document === undefined) throw noSuchDocument(db, request.path);
  const read = readDocument(root, { rawPath: document.rawPath as string }, { maxBytes: MAX_DOCUMENT_BYTES });
  if (read.kind === "skip")
    throw new AppError("missing", `${document.path} cannot be read now: ${read.reason}`, {
      hint: "Bring the index up to date with: kb index",
    });

  const lines = linesOf(read.text);
  const start = request.start_line ?? 1;
  const wantedEnd = Math.min(request.end_line ?? lines.length, lines.length);
  if (start > lines.length || wantedEnd < start)
    throw new AppError(
      "usage",
      `lines ${start} to ${request.end_line ?? "the last"} are not in ${document.path}`,
      {
        hint: `It has ${lines.length} lines.`,
      },
    );
  const { content, end } = takeLines(lines, start, wantedEnd, maxBytes);
  const truncated = end < wantedEnd;
  return {
    path: document.path,
    ...document.meta,
    encoding: read.encoding,
    content,
    lines: { start, end },
    total_lines: lines.length,
    truncated,
    ...(truncated ? { next_line: end + 1 } : {}),
  };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop(); // a final newline ends a line, it does not begin one
  return lines;
}

/** At least one line, cut if it alone is too long; then as many whole lines as fit. */
function takeLines(
  lines: readonly string[],
  start: number,
  wantedEnd: number,
  maxBytes: number,
): { content: string; end: number } {
  let bytes = 0;
  let end = start - 1;
  while (end < wantedEnd) {
    const lineBytes = Buffer.byteLength(lines[end]!) + 1;
    if (bytes + lineBytes > maxBytes && end >= start) break;
    bytes += lineBytes;
    end++;
  }
  const content = lines.slice(start - 1, end).join("\n");
  if (bytes <= maxBytes) return { content, end };
  return {
    content: Buffer.from(content)
      .subarray(0, maxBytes)
      .toString("utf8")
      .replace(/\uFFFD$/, ""),
    end,
  };
}

/** The failure of naming a document that is not indexed, with the nearest path that is. */
export function noSuchDocument(db: IndexDatabase, path: string): AppError {
  // A path of a sensible length: comparing is quadratic, and a long one is no typing error.
  const nearest = path.length > NEAREST_MAX_CHARS ? undefined : nearestPath(path, listDocumentPaths(db));
  return new AppError("missing", `no indexed document at ${JSON.stringify(path)}`, {
    hint:
      nearest === undefined
        ? "Paths are those of search results, relative to the folder."
        : `Did you mean ${nearest}?`,
  });
}

/** A document of that very name in another folder comes before one that is spelt alike. */
function nearestPath(path: string, known: readonly string[]): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const namesakes = known.filter((candidate) => candidate === name || candidate.endsWith(`/${name}`));
  return findNearest(path, namesakes) ?? namesakes[0] ?? findNearest(path, known);
}
