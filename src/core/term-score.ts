/**
 * Scores of the terms leg that still mean something in a folder of a few chunks, and how far a
 * question's terms could reach.
 *
 * Finding the chunks is done in `store/terms-leg.ts`; the phrases leg has its own counts in
 * `lexical-scale.ts`; dividing scores by what is computed here, in `fusion.ts`.
 */
import type { ChunkId } from "./document.ts";

/** The analysed fields of one chunk, each as terms with single spaces between. */
export interface AnalysedChunk {
  readonly chunkId: ChunkId;
  readonly content: string;
  readonly title: string;
  readonly headings: string;
}

export interface TermFieldWeights {
  readonly content: number;
  readonly title: number;
  readonly headings: number;
}

/** A term of a question; a prefix stands for every term that begins with it. */
export interface ScoredTerm {
  readonly text: string;
  readonly isPrefix: boolean;
}

/**
 * `ln(1 + (N − n + 0.5) / (n + 0.5))`, the always positive inverse document frequency known from Lucene.
 *
 * @param matching Chunks with the term, `n`; counts above `totalChunks` are taken as all of them.
 */
export function termIdf(matching: number, totalChunks: number): number {
  const n = Math.min(matching, totalChunks);
  return Math.log(1 + (totalChunks - n + 0.5) / (n + 0.5));
}

/**
 * The score of a chunk of average length that has every term of the question once.
 *
 * @param matching For each term the number of chunks with it.
 */
export function reachOf(matching: readonly number[], totalChunks: number): number {
  return matching.reduce((sum, count) => sum + termIdf(count, totalChunks), 0);
}

/**
 * The raw score that counts as full evidence, so that it is scaled to 1.
 *
 * If the best passage has what a good part of the question asks for, that passage sets the scale.
 * If it has little of it, as when a question is put in other words than its answer, all scores
 * shrink, and faster than the best one: with `expected = share × reach`, the scale is
 * `best × (expected / best)³`. On the judged set this gained .04 MRR over dividing by the best
 * score; the square gained .03, the fourth power no more than the cube.
 *
 * @param best Of all candidates; not negative.
 * @param floor As in `lexicalScale`: what the scale never falls below; above 0.
 */
export function evidenceScale(best: number, reach: number, floor: number): number {
  const top = Math.max(best, floor);
  const shortfall = Math.max(1, (EXPECTED_SHARE * reach) / top);
  return top * shortfall ** 3;
}

/** Of the score of a passage with every term once: what a passage that answers the question usually reaches. */
const EXPECTED_SHARE = 0.6;

/**
 * BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009) with `termIdf`, counted in memory.
 *
 * @param chunks Every chunk that has a term; the average length is taken over these.
 * @param totalChunks Chunks in the index.
 * @returns Scores above 0 by chunk; chunks without any term are left out.
 */
export function scoreTerms(
  terms: readonly ScoredTerm[],
  chunks: readonly AnalysedChunk[],
  totalChunks: number,
  weights: TermFieldWeights,
): ReadonlyMap<ChunkId, number> {
  const rows = chunks.map((chunk) => ({
    chunkId: chunk.chunkId,
    fields: FIELDS.map((field) => ({ weight: weights[field], terms: chunk[field].split(" ") })),
  }));
  const lengths = rows.map(({ fields }) => fields.reduce((sum, field) => sum + field.terms.length, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, rows.length);
  const totals = rows.map(() => 0);
  for (const term of terms) {
    const matches = term.isPrefix
      ? (candidate: string) => candidate.startsWith(term.text)
      : (candidate: string) => candidate === term.text;
    const frequencies = rows.map(({ fields }) =>
      fields.reduce((sum, field) => sum + field.weight * field.terms.filter(matches).length, 0),
    );
    const idf = termIdf(frequencies.filter((frequency) => frequency > 0).length, totalChunks);
    for (const [at, frequency] of frequencies.entries()) {
      if (frequency === 0) continue;
      const damping = K1 * (1 - B + (B * lengths[at]!) / average);
      totals[at]! += (idf * frequency * (K1 + 1)) / (frequency + damping);
    }
  }
  return new Map(
    rows.map(({ chunkId }, at) => [chunkId, totals[at]!] as const).filter(([, score]) => score > 0),
  );
}

const FIELDS = ["content", "title", "headings"] as const;
const K1 = 1.2;
const B = 0.75;
