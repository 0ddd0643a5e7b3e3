/**
 * Plain text: paragraphs between blank lines, nothing else.
 *
 * In goes a text with `\n` line ends, out come its blocks with line ranges. Text with
 * structure goes to `source/markdown.ts`.
 */
import type { Block } from "../core/document.ts";

/** One block per run of lines that are not blank; lines keep their indentation. Linear in the text. */
export function parsePlainText(text: string, firstLine = 1): Block[] {
  const blocks: Block[] = [];
  let line = firstLine;
  let start = -1;
  let startLine = line;
  for (let at = 0; at <= text.length; line += 1) {
    const lineFeed = text.indexOf("\n", at);
    const end = lineFeed === -1 ? text.length : lineFeed;
    const isBlank = isBlankRange(text, at, end);
    if (!isBlank && start === -1) {
      start = at;
      startLine = line;
    }
    if (isBlank && start !== -1) {
      blocks.push(paragraph(text.slice(start, at - 1), startLine, line - 1));
      start = -1;
    }
    at = end + 1;
  }
  if (start !== -1) blocks.push(paragraph(text.slice(start), startLine, line - 1));
  return blocks;
}

function paragraph(text: string, start: number, end: number): Block {
  return { kind: "paragraph", text, lines: { start, end } };
}

function isBlankRange(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    // Nearly every line has a letter among its first characters, so this rarely looks far.
    if (text[at]!.trim() !== "") return false;
  }
  return true;
}
