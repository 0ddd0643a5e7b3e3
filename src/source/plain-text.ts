/**
 * Plain text: paragraphs between blank lines, nothing else.
 *
 * In goes a text with `\n` line ends, whole or in parts, out come its blocks with line ranges.
 * A paragraph without end is cut, so that no block is large. Text with structure goes to
 * `source/markdown.ts`; where sentences and words end is known to `core/sentences.ts`.
 */
import type { Block } from "../core/document.ts";
import { sentenceEnds, wordEnds } from "../core/sentences.ts";

/** A longer paragraph, in UTF-16 units, becomes several blocks. */
const LONGEST_PARAGRAPH = 256 * 1024;

/** One block per run of lines that are not blank; lines keep their indentation. Linear in the text. */
export function parsePlainText(text: string, firstLine = 1): Block[] {
  return [...parsePlainTextParts([text], firstLine)];
}

/**
 * As `parsePlainText` of all parts joined: where one part ends and the next begins makes no difference.
 * Holds a part and a paragraph of at most `longest` units; only a run of blanks is held whole.
 */
export function* parsePlainTextParts(
  parts: Iterable<string>,
  firstLine = 1,
  longest = LONGEST_PARAGRAPH,
): Generator<Block> {
  const reader = new ParagraphReader(firstLine, longest);
  for (const part of parts) yield* reader.read(part);
  yield* reader.end();
}

class ParagraphReader {
  readonly #longest: number;
  #text = "";
  /** Where the line at hand begins, or what is left of it after a cut. */
  #at = 0;
  #line: number;
  /** Whether something of the line at hand was cut off already, so that it is not blank. */
  #isCutLine = false;
  /** Where the paragraph at hand begins; -1 between two. */
  #start = -1;
  #startLine = 0;
  /** Whether it begins where a cut was made inside a line. */
  #goesOn = false;

  constructor(firstLine: number, longest: number) {
    this.#line = firstLine;
    this.#longest = longest;
  }

  *read(part: string): Generator<Block> {
    const from = this.#start === -1 ? this.#at : this.#start;
    this.#text = this.#text.slice(from) + part;
    this.#at -= from;
    if (this.#start !== -1) this.#start = 0;
    for (let end = this.#text.indexOf("\n", this.#at); end !== -1; end = this.#text.indexOf("\n", this.#at))
      yield* this.#readLine(end);
    yield* this.#extendParagraph(this.#text.length);
  }

  *end(): Generator<Block> {
    yield* this.#readLine(this.#text.length);
    if (this.#start !== -1) yield this.#takeBlock(this.#at - 1, this.#line - 1);
  }

  *#readLine(end: number): Generator<Block> {
    const isBlank = yield* this.#extendParagraph(end);
    if (isBlank && this.#start !== -1) {
      yield this.#takeBlock(this.#at - 1, this.#line - 1);
      this.#start = -1;
    }
    this.#isCutLine = false;
    this.#at = end + 1;
    this.#line += 1;
  }

  /** Takes the line at hand, as far as it is known, into a paragraph, and tells whether it is blank. */
  *#extendParagraph(end: number): Generator<Block, boolean> {
    if (!this.#isCutLine && isBlankRange(this.#text, this.#at, end)) return true;
    if (this.#start === -1) this.#begin(this.#at, this.#line);
    while (end - this.#start > this.#longest) {
      const limit = this.#start + this.#longest;
      const lineFeed = this.#text.lastIndexOf("\n", limit);
      if (lineFeed > this.#start) {
        const line = this.#line - countLineFeeds(this.#text, lineFeed, this.#at);
        yield this.#takeBlock(lineFeed, line);
        this.#begin(lineFeed + 1, line + 1);
        continue;
      }
      const sentences = sentenceEnds(this.#text, this.#start, limit);
      const half = Math.max(1, this.#longest >> 1);
      const cut = sentences.at(-2) ?? wordEnds(this.#text, this.#start, limit, half)[0]!;
      yield this.#takeBlock(cut, this.#line);
      this.#begin(cut, this.#line);
      this.#goesOn = true;
      this.#at = cut;
      this.#isCutLine = true;
    }
    return false;
  }

  #begin(start: number, line: number): void {
    this.#start = start;
    this.#startLine = line;
    this.#goesOn = false;
  }

  #takeBlock(end: number, endLine: number): Block {
    const block: Block = {
      kind: "paragraph",
      text: this.#text.slice(this.#start, end),
      lines: { start: this.#startLine, end: endLine },
    };
    return this.#goesOn ? { ...block, goesOn: true } : block;
  }
}

function countLineFeeds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function isBlankRange(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    // Nearly every line has a letter among its first characters, so this rarely looks far.
    if (text[at]!.trim() !== "") return false;
  }
  return true;
}
