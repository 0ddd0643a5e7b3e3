/**
 * From the ranked pool to the hits of an answer: grouped by document, then chosen for variety.
 *
 * The pool is asked for deeper until it has enough documents, so that grouping loses none. Variety
 * comes after grouping: what stands for a document is its best passage, whatever the others are
 * like. Fusing the pool is done in `legs.ts`, choosing in `core/mmr.ts`.
 */
import type { FusedCandidate } from "../../core/candidate.ts";
import { type DocumentGroup, eachAlone, groupByDocument } from "../../core/grouping.ts";
import { chooseVaried } from "../../core/mmr.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { getVectors } from "../../store/vectors.ts";
import type { AnswerOptions } from "./answer-options.ts";
import type { Weighing } from "./explain.ts";

export type RankedGroup = DocumentGroup<FusedCandidate>;

/** One ranking of what the legs proposed. */
export interface RankedPool {
  /** Best first. */
  readonly ranked: readonly FusedCandidate[];
  /** Whether a deeper pool would hold nothing more. */
  readonly isExhausted: boolean;
  /** Documents that there are at most: with all of them there is nothing more to find. */
  readonly documentCount: number;
}

/** The first pool, of growing depth, that has `limit` hits; the last one if there are fewer. */
export function rankUntilFull<Pool extends RankedPool>(
  { limit, groupBy }: Pick<AnswerOptions, "limit" | "groupBy">,
  rank: (poolSize: number) => Pool,
): { readonly pool: Pool; readonly groups: readonly RankedGroup[] } {
  for (let poolSize = firstPoolSize(limit); ; poolSize *= DEEPEN_BY) {
    const pool = rank(poolSize);
    const groups = groupBy === "document" ? groupByDocument(pool.ranked) : eachAlone(pool.ranked);
    const hasAll = groupBy === "document" && groups.length >= pool.documentCount;
    if (groups.length >= limit || hasAll || pool.isExhausted) return { pool, groups };
  }
}

/** Candidates each leg is asked for at first. */
export function firstPoolSize(limit: number): number {
  return Math.max(POOL_PER_HIT * limit, POOL_MIN);
}

/**
 * The hits, in their final order.
 *
 * @param relevanceOf On a scale of 0 to 1 that is the same for all questions.
 */
export function chooseGroups(
  db: IndexDatabase,
  groups: readonly RankedGroup[],
  { limit, mmr }: Pick<AnswerOptions, "limit" | "mmr">,
  relevanceOf: (candidate: FusedCandidate) => number,
): readonly RankedGroup[] {
  if (mmr === undefined) return groups.slice(0, limit);
  const pool = groups.slice(0, Math.max(POOL_MIN, VARIED_POOL_PER_HIT * limit));
  const vectors = getVectors(
    db,
    pool.map(({ best }) => best.chunkId),
  );
  const candidates = pool.map(({ best }) => ({
    relevance: relevanceOf(best),
    document: best.path,
    vector: vectors.get(best.chunkId),
  }));
  return chooseVaried(candidates, { ...mmr, limit }).map((offset) => pool[offset]!);
}

/**
 * Brings scores to 0 to 1: those of `convex` are there already; a sum of reciprocal ranks is compared
 * with that of a passage that is first in every leg.
 *
 * @param heldShare As `putQuotedFirst` gives it: where texts are quoted, half of a score is that share.
 */
export function relevanceScale(
  { weights, method, heldShare }: Pick<Weighing, "weights" | "method" | "heldShare">,
  damping: number,
): (candidate: FusedCandidate) => number {
  if (method === "convex") return ({ score }) => score;
  const most = Object.values(weights).reduce((sum, weight) => sum + weight, 0) / (damping + 1);
  return ({ score, chunkId }) => {
    if (heldShare === undefined) return score / most;
    const share = heldShare(chunkId);
    return ((2 * score - share) / most + share) / 2;
  };
}

const POOL_MIN = 100;
const POOL_PER_HIT = 5;
const DEEPEN_BY = 4;

/** Of a thousand hits each more would be compared with a thousand. */
const VARIED_POOL_PER_HIT = 2;
