/**
 * Hits with their surroundings: which stretch of its document each one shows.
 *
 * Hits are widened in the order of their rank, each into what no other shows, so that no line
 * of a document is shown twice. Score and order stay. How a stretch grows and how its text is
 * joined is `core/expand.ts`.
 */
import type { LineRange } from "../../core/document.ts";
import {
  type ExpandLimits,
  type IndexRange,
  type JoinedText,
  joinChunks,
  rangeToShow,
  withoutEnd,
  withoutStart,
} from "../../core/expand.ts";
import { getPassages, type Passage } from "../../store/chunks.ts";
import { countChunksOf, listChunkSizes } from "../../store/document-chunks.ts";
import type { IndexDatabase } from "../../store/open.ts";
import type { ExpandedFrom } from "./search-answer.ts";

/** What a hit shows instead of its own chunk. */
export interface ExpandedText {
  readonly content: string;
  readonly lines: LineRange;
  readonly expandedFrom: ExpandedFrom;
}

/** @param hits Best first. @returns For each hit, in the same order. */
export function expandHits(
  db: IndexDatabase,
  hits: readonly Passage[],
  limits: ExpandLimits,
): readonly ExpandedText[] {
  const byDocument = Map.groupBy(hits, ({ documentId }) => documentId);
  const shown = new Map<Passage, ExpandedText>();
  for (const ofDocument of byDocument.values())
    for (const [hit, text] of expandDocument(db, ofDocument, limits)) shown.set(hit, text);
  return hits.map((hit) => shown.get(hit)!);
}

interface Stretch {
  readonly hit: Passage;
  readonly range: IndexRange;
  readonly parts: readonly Passage["chunk"][];
}

/** All hits of one document, best first. */
function expandDocument(
  db: IndexDatabase,
  hits: readonly Passage[],
  limits: ExpandLimits,
): ReadonlyMap<Passage, ExpandedText> {
  const totalChunks = countChunksOf(db, hits[0]!.documentId);
  const taken = new Set(hits.map(({ chunk }) => chunk.index));
  const stretches = hits.map((hit): Stretch => {
    const around = readAround(db, hit, limits.maxTokens);
    const isFree = (index: number) => !taken.has(index);
    const range = rangeToShow(around, hit.chunk.index, totalChunks, limits, isFree);
    for (let index = range.from; index <= range.to; index++) taken.add(index);
    return { hit, range, parts: around.filter(({ index }) => index >= range.from && index <= range.to) };
  });
  return new Map(
    stretches.map((stretch, rank) => {
      const { hit, range, parts } = stretch;
      // A single chunk that is small was shown whole on purpose; a large one could not be widened.
      const isWhole =
        parts.length === totalChunks &&
        (totalChunks > 1 || hit.chunk.tokenCount < limits.wholeDocumentBelowTokens);
      const text = isWhole || parts.length > 1 ? joinChunks(parts) : hit.chunk;
      const expandedFrom: ExpandedFrom = isWhole
        ? { kind: "whole_document", total_chunks: totalChunks }
        : { kind: "adjacent", from_index: range.from, to_index: range.to };
      return [hit, { ...withoutShared(text, stretch, rank, stretches), expandedFrom }];
    }),
  );
}

/** Of sentences that a stretch shares with a neighbour that is shown by another hit, the better hit has them. */
function withoutShared(
  { content, lines }: JoinedText,
  { range, parts }: Stretch,
  rank: number,
  all: readonly Stretch[],
): JoinedText {
  let text: JoinedText = { content, lines };
  const isBetter = (other: Stretch) => all.indexOf(other) < rank;
  const before = all.find((other) => other.range.to === range.from - 1);
  const after = all.find((other) => other.range.from === range.to + 1);
  const sharedBefore = parts[0]?.repeats ?? 0;
  const sharedAfter = after?.parts[0]?.repeats ?? 0;
  if (before !== undefined && isBetter(before) && sharedBefore > 0) text = withoutStart(text, sharedBefore);
  if (after !== undefined && isBetter(after) && sharedAfter > 0) text = withoutEnd(text, sharedAfter);
  return text;
}

/** The hit's chunk with as many on either side as the budget could hold; in order. */
function readAround(
  db: IndexDatabase,
  { documentId, chunk: { index, tokenCount } }: Passage,
  maxTokens: number,
): readonly Passage["chunk"][] {
  const sizes = listChunkSizes(db, documentId, { from: index - maxTokens, to: index + maxTokens });
  const at = sizes.findIndex((size) => size.index === index);
  const reach = (side: typeof sizes) => {
    let tokens = tokenCount;
    const end = side.findIndex((size) => {
      tokens += size.tokenCount;
      return tokens > maxTokens;
    });
    return end === -1 ? side : side.slice(0, end);
  };
  const before = reach(sizes.slice(0, at).reverse()).reverse();
  const after = reach(sizes.slice(at + 1));
  const ids = [...before, sizes[at]!, ...after].map(({ chunkId }) => chunkId);
  return getPassages(db, ids).map(({ chunk }) => chunk);
}
