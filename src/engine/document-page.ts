/**
 * A document's text in parts: as many whole lines as fit, and a cursor for what follows.
 *
 * In go lines and a place among them, out come the text from there and the place where it ended.
 * A line that alone does not fit is cut between two characters. Which lines are wanted is decided
 * in `read-document.ts`.
 */
import type { LineRange } from "../core/document.ts";
import { AppError } from "../errors.ts";

/** A place in a text: a line, counted from 1, and UTF-16 units into it. */
export interface Place {
  readonly line: number;
  readonly offset: number;
}

export interface Page {
  readonly content: string;
  /** Lines that are in it, wholly or in part. */
  readonly lines: LineRange;
  /** Where the rest of what was wanted begins; undefined when that is all. */
  readonly next: Place | undefined;
}

export interface PageSize {
  readonly maxBytes: number;
  /** Of a text without its line end, in bytes; of a text made of two at most the sum of both. */
  readonly sizeOf: (text: string) => number;
}

/** The lines of a text; a final line feed ends a line, it does not begin one. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** @param end Last line that is wanted; at least that of `from`. */
export function pageFrom(lines: readonly string[], from: Place, end: number, size: PageSize): Page {
  const first = lines[from.line - 1]!.slice(from.offset);
  if (size.sizeOf(first) > size.maxBytes) {
    const content = first.slice(0, fittingLength(first, size));
    return {
      content,
      lines: { start: from.line, end: from.line },
      next: { line: from.line, offset: from.offset + content.length },
    };
  }
  let bytes = size.sizeOf(first);
  let last = from.line;
  while (last < end) {
    bytes += size.sizeOf(lines[last]!) + LINE_END_BYTES;
    if (bytes > size.maxBytes) break;
    last++;
  }
  return {
    content: [first, ...lines.slice(from.line, last)].join("\n"),
    lines: { start: from.line, end: last },
    next: last < end ? { line: last + 1, offset: 0 } : undefined,
  };
}

/**
 * @param end Last line that was wanted.
 * @param contentHash Of the file, hex: another text has other places.
 */
export function formatCursor({ line, offset }: Place, end: number, contentHash: string): string {
  return `${line}.${offset}.${end}.${contentHash.slice(0, HASH_LENGTH)}`;
}

/** @throws {AppError} `usage` for anything that `formatCursor` has not made for this text. */
export function parseCursor(cursor: string, contentHash: string): Place & { readonly end: number } {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.([0-9a-f]{12})$/.exec(cursor);
  if (match === null)
    throw new AppError("usage", `next is ${JSON.stringify(cursor)}, which no answer has given`, {
      hint: "Pass the next of the last answer unchanged, or leave it away to begin again.",
    });
  if (match[4] !== contentHash.slice(0, HASH_LENGTH))
    throw new AppError("usage", "the document has changed since the part before was read", {
      hint: "Leave next away to read it again from its start.",
    });
  const [line, offset, end] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return { line: Math.max(1, line), offset, end: Math.max(line, end) };
}

const HASH_LENGTH = 12;

/** A line feed is two bytes in JSON. */
const LINE_END_BYTES = 2;

/** Longest beginning that fits, in UTF-16 units; at least one character, and none cut in two. */
function fittingLength(text: string, { maxBytes, sizeOf }: PageSize): number {
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (sizeOf(text.slice(0, middle)) <= maxBytes) fits = middle;
    else tooLong = middle;
  }
  const isCutPair = fits > 0 && (text.codePointAt(fits - 1) ?? 0) > 0xffff;
  if (isCutPair) fits -= 1;
  return fits > 0 ? fits : text.codePointAt(0)! > 0xffff ? 2 : 1;
}
