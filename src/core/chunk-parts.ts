/**
 * Chunking a document that is read in parts: its blocks in, the chunks of `core/chunk.ts` out as they are made.
 *
 * Only for documents without headings, which are one section however long they are. Slices are made
 * by `core/split-section.ts`; here is the window that moves over the text, so that memory does not
 * grow with it.
 */
import { budgetOf, type ChunkOptions, contextOf, linesOf } from "./chunk.ts";
import { type Joint, jointOfSections, jointOfSlices } from "./chunk-lead.ts";
import type { Block, Chunk, LineRange } from "./document.ts";
import { qualityOf } from "./quality.ts";
import { joinBlocks } from "./sections.ts";
import {
  isTriedWhole,
  listPieces,
  type Packing,
  type Piece,
  pack,
  type Slice,
  type SplitOptions,
  splitSection,
} from "./split-section.ts";

/**
 * The same chunks that `chunkDocument` makes of all the blocks.
 *
 * @param blocks No heading among them, and none that `followsGap`.
 * @param windowUnits UTF-16 units of blocks that are taken in at once; any number gives the same chunks.
 * @throws {RangeError} As `chunkDocument`.
 */
export function* chunkParagraphs(
  blocks: Iterable<Block>,
  title: string,
  options: ChunkOptions,
  windowUnits = WINDOW_UNITS,
): Generator<Chunk> {
  const budgetTokens = budgetOf(options);
  const { context, contextTokens } = contextOf([title], budgetTokens, options);
  const window = new Window({ ...options, budgetTokens: budgetTokens - contextTokens });
  const fixedTokens = options.fixedTokens + contextTokens;
  let index = 0;
  const chunksOf = (parts: readonly Part[]): Chunk[] =>
    parts.map(({ content, joint, lines, tokens }) => ({
      index: index++,
      heading: null,
      level: null,
      headingPath: [],
      context,
      content,
      ...joint,
      lines,
      tokenCount: fixedTokens + tokens,
      quality: qualityOf(content),
    }));
  let taken: Block[] = [];
  let units = 0;
  for (const block of blocks) {
    if (units >= windowUnits && !window.isTriedWhole(units)) {
      yield* chunksOf(window.take(taken, false));
      taken = [];
      units = 0;
    }
    taken.push(block);
    units += block.text.length;
  }
  yield* chunksOf(window.take(taken, true));
}

const WINDOW_UNITS = 256 * 1024;

/** One slice with what has to be said of it while its text is at hand. */
interface Part {
  readonly content: string;
  readonly joint: Joint;
  readonly lines: LineRange;
  readonly tokens: number;
}

class Window {
  readonly #options: SplitOptions;
  /** From the start of the last slice on, since the next one may repeat the end of it. */
  #text = "";
  /** Line of the file it begins on. */
  #firstLine = 0;
  #lastLine = 0;
  #packing: Packing = { pieces: [], first: 0 };
  #isFresh = true;

  constructor(options: SplitOptions) {
    this.#options = options;
  }

  /** Whether a text this long, if it were all, might become one slice without being looked into. */
  isTriedWhole(units: number): boolean {
    return this.#isFresh && isTriedWhole(units, this.#options);
  }

  take(blocks: readonly Block[], isEnd: boolean): Part[] {
    if (this.#isFresh && isEnd) {
      const section = joinBlocks(blocks);
      this.#text = section.text;
      this.#firstLine = section.firstLine;
      return this.#partsOf(undefined, splitSection(section, this.#options));
    }
    this.#append(blocks);
    const { before } = this.#packing;
    const parts = this.#partsOf(before, pack(this.#text, this.#packing, this.#options, isEnd));
    this.#moveOn();
    return parts;
  }

  #append(blocks: readonly Block[]): void {
    const [first] = blocks;
    if (first === undefined) return;
    if (this.#isFresh) this.#firstLine = first.lines.start;
    else if (!first.goesOn) this.#text += "\n".repeat(Math.max(1, first.lines.start - this.#lastLine));
    this.#isFresh = false;
    const section = joinBlocks(blocks);
    const added = listPieces(section, this.#options).map((piece) => shiftPiece(piece, this.#text.length));
    this.#packing = { ...this.#packing, pieces: [...this.#packing.pieces, ...added] };
    this.#text += section.text;
    this.#lastLine = blocks.at(-1)!.lines.end;
  }

  #partsOf(before: Slice | undefined, slices: readonly Slice[]): Part[] {
    const lines = linesOf({ text: this.#text, firstLine: this.#firstLine, gaps: [] }, slices);
    return slices.map((slice, offset) => {
      const previous = slices[offset - 1] ?? before;
      return {
        content: this.#text.slice(slice.start, slice.end),
        joint:
          previous === undefined
            ? jointOfSections(undefined, [], { lines: lines[offset]! })
            : jointOfSlices(this.#text, previous, slice),
        lines: lines[offset]!,
        tokens: slice.tokens,
      };
    });
  }

  /** Lets go of the text before the last slice, and of pieces that nobody asks about any more. */
  #moveOn(): void {
    const { pieces, first, before } = this.#packing;
    const start = before?.start ?? 0;
    const firstKept = Math.max(0, first - 1);
    for (let at = this.#text.indexOf("\n"); at !== -1 && at < start; at = this.#text.indexOf("\n", at + 1))
      this.#firstLine += 1;
    this.#text = this.#text.slice(start);
    this.#packing = {
      pieces: pieces.slice(firstKept).map((piece) => shiftPiece(piece, -start)),
      first: first - firstKept,
      ...(before === undefined ? {} : { before: { ...before, start: 0, end: before.end - start } }),
    };
  }
}

function shiftPiece(piece: Piece, by: number): Piece {
  return {
    ...piece,
    start: piece.start + by,
    end: piece.end + by,
    blockStart: piece.blockStart + by,
  };
}
