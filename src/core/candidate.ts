/**
 * What a leg proposes and what fusion answers.
 *
 * Raw scores are higher-is-better always: `store/` has turned bm25 and distances
 * around before anything leaves it.
 */
import { compareCodePoints } from "./code-point-order.ts";
import type { ChunkId } from "./document.ts";

export const LEG_NAMES = ["terms", "phrases", "dense"] as const;
export type LegName = (typeof LEG_NAMES)[number];

export interface Candidate {
  readonly chunkId: ChunkId;
  /** Positive bm25 for the lexical legs, cosine for the dense one. */
  readonly raw: number;
  /** The tie-break: document path, then chunk index. */
  readonly path: string;
  readonly chunkIndex: number;
}

/** Order of equals: by path in code point order, then chunk index; the same whatever the indexing history. */
export function comparePlaces(
  a: Pick<Candidate, "path" | "chunkIndex">,
  b: Pick<Candidate, "path" | "chunkIndex">,
): number {
  return compareCodePoints(a.path, b.path) || a.chunkIndex - b.chunkIndex;
}

/** One leg's answer, best first, ties already in (path, chunk index) order; a chunk occurs at most once. */
export interface LegResult {
  readonly leg: LegName;
  readonly candidates: readonly Candidate[];
}

export interface LegScore {
  /** Counted from 1. */
  readonly rank: number;
  readonly raw: number;
  /** What fusion made of the raw score: 0 to 1 under `convex`, the reciprocal-rank term under `rrf`. */
  readonly scaled: number;
}

export interface FusedCandidate {
  readonly chunkId: ChunkId;
  readonly path: string;
  readonly chunkIndex: number;
  readonly score: number;
  readonly scores: Partial<Record<LegName, LegScore>>;
}
