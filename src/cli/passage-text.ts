/**
 * A passage for the terminal: the lines around its matches, cut to the width, matches marked.
 *
 * Widths are columns, so that Japanese counts double. Colours are the caller's: it gets
 * each line as pieces that are a match or not.
 */
import type { ByteSpan } from "../core/span.ts";

export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

export interface PassageWindow {
  /** Shown lines, each as its pieces. */
  readonly lines: readonly (readonly Piece[])[];
  /** Offset of the first shown line within the lines that are not blank, counted from 0. */
  readonly firstLine: number;
  /** Lines of the passage that are not blank. */
  readonly lineCount: number;
}

/**
 * Leaves out lines of nothing but white space and invisible characters, chooses the `maxLines`
 * consecutive lines that hold the most matches (the first such window wins), takes the indentation
 * away that all of them share, and cuts each to `columns`, around its first match if that lies too
 * far right.
 *
 * @param spans UTF-8 byte offsets into `content`, sorted and disjoint.
 */
export function windowOfPassage(
  content: string,
  spans: readonly ByteSpan[],
  options: { readonly maxLines: number; readonly columns: number },
): PassageWindow {
  const lines = piecesByLine(content, spans).filter((pieces) => !BLANK.test(textOf(pieces)));
  const matches = lines.map((pieces) => pieces.filter((piece) => piece.isMatch).length);
  const firstLine = densestWindow(matches, options.maxLines);
  const shown = withoutIndentation(lines.slice(firstLine, firstLine + options.maxLines));
  return {
    lines: shown.map((pieces) => cutToWidth(pieces, options.columns)),
    firstLine,
    lineCount: lines.length,
  };
}

function piecesByLine(content: string, spans: readonly ByteSpan[]): Piece[][] {
  const bytes = Buffer.from(content);
  const lines: Piece[][] = [[]];
  const add = (start: number, end: number, isMatch: boolean) => {
    for (const [offset, text] of bytes.toString("utf8", start, end).split("\n").entries()) {
      if (offset > 0) lines.push([]);
      if (text !== "") lines.at(-1)!.push({ text, isMatch });
    }
  };
  let at = 0;
  for (const { start, end } of spans) {
    add(at, start, false);
    add(start, end, true);
    at = end;
  }
  add(at, bytes.length, false);
  return lines;
}

const BLANK = /^[\s\p{Cf}]*$/u;

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}

function withoutIndentation(lines: readonly (readonly Piece[])[]): Piece[][] {
  let shared: string | undefined;
  for (const pieces of lines) {
    const own = /^\s*/.exec(textOf(pieces))![0];
    shared ??= own;
    while (!own.startsWith(shared)) shared = shared.slice(0, -1);
  }
  return lines.map((pieces) => withoutStart(pieces, shared?.length ?? 0));
}

function withoutStart(pieces: readonly Piece[], length: number): Piece[] {
  let toDrop = length;
  const kept = pieces.map(({ text, isMatch }) => {
    const dropped = Math.min(toDrop, text.length);
    toDrop -= dropped;
    return { text: text.slice(dropped), isMatch };
  });
  return kept.filter(({ text }) => text !== "");
}

function densestWindow(matches: readonly number[], size: number): number {
  let sum = matches.slice(0, size).reduce((total, count) => total + count, 0);
  let best = sum;
  let bestStart = 0;
  for (let start = 1; start + size <= matches.length; start++) {
    sum += matches[start + size - 1]! - matches[start - 1]!;
    if (sum > best) {
      best = sum;
      bestStart = start;
    }
  }
  return bestStart;
}

function cutToWidth(pieces: readonly Piece[], columns: number): Piece[] {
  const widths = pieces.map((piece) => Bun.stringWidth(piece.text));
  if (widths.reduce((total, width) => total + width, 0) <= columns) return [...pieces];
  const firstMatch = pieces.findIndex((piece) => piece.isMatch);
  const before = widths.slice(0, Math.max(firstMatch, 0)).reduce((total, width) => total + width, 0);
  const skip =
    firstMatch > 0 && before + widths[firstMatch]! > columns - 1 ? before - Math.floor(columns / 3) : 0;
  return takeColumns(pieces, skip, columns);
}

function takeColumns(pieces: readonly Piece[], skip: number, columns: number): Piece[] {
  const taken: Piece[] = skip > 0 ? [{ text: "…", isMatch: false }] : [];
  let toSkip = skip;
  let room = columns - 1 - (skip > 0 ? 1 : 0);
  for (const { text, isMatch } of pieces) {
    let kept = "";
    for (const { segment } of GRAPHEMES.segment(text)) {
      const width = Bun.stringWidth(segment);
      if (toSkip > 0) {
        toSkip -= width;
      } else if (width <= room) {
        room -= width;
        kept += segment;
      } else {
        if (kept !== "") taken.push({ text: kept, isMatch });
        return [...taken, { text: "…", isMatch: false }];
      }
    }
    if (kept !== "") taken.push({ text: kept, isMatch });
  }
  return taken;
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
