/**
 * The texts of chunks in the form they are kept in: blocks of neighbours, compressed together.
 *
 * Texts in, bodies for the table `chunk_texts` out, and back without a difference. A block
 * is small enough that one hit in a huge document opens little of it. Which ids the texts
 * of a block belong to is the business of `chunk-rows.ts`; a block starts at its first id,
 * and the ids of a block follow each other without a gap.
 */
import { constants, zstdCompressSync } from "node:zlib";
import type { Chunk, ChunkId } from "../core/document.ts";
import { AppError } from "../errors.ts";

/** What a chunk says, without its numbers. */
export type ChunkText = Pick<Chunk, "heading" | "headingPath" | "context" | "content" | "lead" | "repeats">;

/** Compressed bytes, or plain text where compressing it gains nothing. */
export type BlockBody = Uint8Array | string;

export interface TextBlock {
  /** How many texts are in it; at least 1. */
  readonly count: number;
  readonly body: BlockBody;
}

/** One chunk's place in a block, as a row of a statement. */
export interface BlockRow {
  readonly id: ChunkId;
  readonly first_chunk_id: ChunkId;
  readonly body: BlockBody;
}

/** The texts in blocks, in order, each made when it is asked for; every text is in exactly one block. */
export function* packTexts(texts: Iterable<ChunkText>): Generator<TextBlock> {
  let lines: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const line = formatLine(text);
    const lineBytes = Buffer.byteLength(line) + 1;
    if (lines.length > 0 && bytes + lineBytes > BLOCK_BYTES) {
      yield blockOf(lines);
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += lineBytes;
  }
  if (lines.length > 0) yield blockOf(lines);
}

/** Takes texts out of blocks and opens each block once; keep one for a single answer, as it holds what it opened. */
export class BlockReader {
  readonly #opened = new Map<ChunkId, Buffer>();

  /** @throws {AppError} `corrupt` if the block is damaged or does not hold the chunk. */
  textOf({ id, first_chunk_id: firstId, body }: BlockRow): ChunkText {
    try {
      let block = this.#opened.get(firstId);
      if (block === undefined) {
        block = decompress(body);
        this.#opened.set(firstId, block);
      }
      return parseLine(lineAt(block, id - firstId));
    } catch (cause) {
      throw unreadable(id, cause);
    }
  }
}

/** All texts of a block, in order, without opening it once for each. @throws {AppError} `corrupt` if it is damaged. */
export function readBlock(firstId: ChunkId, body: BlockBody): ChunkText[] {
  try {
    return decompress(body).toString("utf8").split("\n").map(parseLine);
  } catch (cause) {
    throw unreadable(firstId, cause);
  }
}

/*
 * Documentation of 17 MB takes 9.3, 8.6, 9.0, 8.1 MB of pages in blocks of 4, 8, 16, 32 kB (a
 * page of 8 kB is filled better by smaller rows), and 50 hits anywhere in it 0.7, 0.9, 1.2, 1.6 ms.
 */
const BLOCK_BYTES = 8 * 1024;

/*
 * Level 6 takes three times as long for a twentieth less. With its checksum, of 4 bytes, a block in
 * which a bit has changed is refused; without, two of three such blocks give another text.
 */
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

const LINE_FEED = 10;

/** The heading is 0 where it is the last of its path; what is missing at the end is not known. */
type Line = readonly [
  content: string,
  context: string,
  headingPath: readonly string[],
  heading?: string | null | 0,
  lead?: string,
  repeats?: number,
];

// JSON, since it keeps every string exactly and has no line feed in it.
function formatLine({ heading, headingPath, context, content, lead, repeats }: ChunkText): string {
  const line: Line = [content, context, headingPath];
  const isLast = heading === lastOf(headingPath);
  if (lead === undefined) return JSON.stringify(isLast ? line : [...line, heading]);
  return JSON.stringify([...line, isLast ? 0 : heading, lead, ...(repeats ? [repeats] : [])]);
}

function parseLine(line: string): ChunkText {
  const [content, context, headingPath, stored = 0, lead, repeats = 0] = JSON.parse(line) as Line;
  const heading = stored === 0 ? lastOf(headingPath) : stored;
  return { heading, headingPath, context, content, ...(lead === undefined ? {} : { lead, repeats }) };
}

function lastOf(headingPath: readonly string[]): string | null {
  return headingPath.at(-1) ?? null;
}

function unreadable(id: ChunkId, cause: unknown): AppError {
  return new AppError("corrupt", `the text of passage ${id} cannot be read from the index`, {
    hint: "Rebuild the index with `kb index --force`.",
    cause,
  });
}

function blockOf(lines: readonly string[]): TextBlock {
  return { count: lines.length, body: compress(lines.join("\n")) };
}

function compress(text: string): BlockBody {
  const plain = Buffer.from(text);
  const compressed = zstdCompressSync(plain, COMPRESSION);
  return compressed.length < plain.length ? compressed : text;
}

function decompress(body: BlockBody): Buffer {
  return typeof body === "string" ? Buffer.from(body) : Bun.zstdDecompressSync(body);
}

/** Only this line is decoded: that takes a sixth of the time of splitting the block. */
function lineAt(block: Buffer, offset: number): string {
  let start = 0;
  for (let line = 0; line < offset; line++) {
    const end = block.indexOf(LINE_FEED, start);
    if (end === -1)
      throw new RangeError(`the block has ${line + 1} texts, the one at ${offset} was asked for`);
    start = end + 1;
  }
  const end = block.indexOf(LINE_FEED, start);
  return block.toString("utf8", start, end === -1 ? block.length : end);
}
