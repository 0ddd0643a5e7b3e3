/**
 * A document's chunks in the form the index keeps: ready to be bound, nothing left to compute.
 *
 * In go chunks, out come blocks of neighbours with their compressed texts, the fields of full
 * text and the hashes by which vectors are shared. All of it is plain data, so that it can be
 * made on another thread; no database is needed. Writing it is done in `chunk-rows.ts`.
 */
import { analyseDocumentField } from "../core/analyse.ts";
import { type Chunk, embeddingTextOf } from "../core/document.ts";
import { normalizeText } from "../core/normalize.ts";
import { type BlockBody, packTexts } from "./text-blocks.ts";

export interface IndexedText {
  /** Terms of the document's title; each chunk is found by them. */
  readonly titleTerms: string;
  /** All chunks in document order. May be made while they are iterated, and anew each time. */
  readonly blocks: Iterable<IndexedBlock>;
}

export interface IndexedBlock {
  /** The texts of these chunks, as `text-blocks.ts` packs them. */
  readonly body: BlockBody;
  readonly chunks: readonly IndexedChunk[];
}

/** A chunk without its text. */
export interface IndexedChunk extends Pick<Chunk, "index" | "quality" | "level" | "lines" | "tokenCount"> {
  /** 16 bytes that stand for the text it is embedded from. */
  readonly inputHash: Uint8Array;
  /** Normalised, for exact strings. */
  readonly phrases: { readonly content: string; readonly heading: string | null; readonly context: string };
  /** Analysed, for words. */
  readonly terms: { readonly content: string; readonly headings: string };
}

/**
 * Nothing is computed before the blocks are iterated: so a huge document never lies in memory
 * in two forms. Spread them into an array to have it done.
 *
 * @param title Of the document.
 * @param chunks Taken one after the other, once for each time the blocks are iterated.
 */
export function prepareIndexedText(title: string, chunks: Iterable<Chunk>): IndexedText {
  return {
    titleTerms: termsOf(title),
    blocks: { [Symbol.iterator]: () => prepareBlocks(chunks) },
  };
}

function* prepareBlocks(chunks: Iterable<Chunk>): Generator<IndexedBlock> {
  /** Those that are on their way into a block. */
  const waiting: Chunk[] = [];
  for (const { count, body } of packTexts(watched(chunks, (chunk) => waiting.push(chunk)))) {
    yield { body, chunks: waiting.splice(0, count).map(prepareChunk) };
  }
}

function* watched<Item>(items: Iterable<Item>, onItem: (item: Item) => void): Generator<Item> {
  for (const item of items) {
    onItem(item);
    yield item;
  }
}

function prepareChunk(chunk: Chunk): IndexedChunk {
  const { index, quality, level, lines, tokenCount, heading, headingPath, context } = chunk;
  const content = normalizeText(chunk.content);
  return {
    index,
    quality,
    level,
    lines,
    tokenCount,
    inputHash: hashInput(chunk),
    phrases: {
      content,
      heading: heading === null ? null : normalizeText(heading),
      context: normalizeText(context),
    },
    terms: { content: analyseDocumentField(content), headings: termsOf(headingPath.join("\n")) },
  };
}

function termsOf(text: string): string {
  return analyseDocumentField(normalizeText(text));
}

// 128 bits of SHA-256: nobody gains from a collision here, and the index on them stays small.
function hashInput(chunk: Chunk): Uint8Array {
  return new Uint8Array(
    new Bun.CryptoHasher("sha256").update(embeddingTextOf(chunk)).digest().subarray(0, 16),
  );
}
