/**
 * Fusion: the answers of several legs in, one ranked list out, by scaled scores or by ranks.
 *
 * Scores of different legs share no unit, so each leg brings a scale made for it
 * (`lexical-scale.ts`, `dense-scale.ts`); turning distances around happened in
 * `store/`. Spreading or thinning out the fused list is done after this.
 */

import type { Candidate, FusedCandidate, LegName, LegResult, LegScore } from "./candidate.ts";
import { comparePlaces, LEG_NAMES } from "./candidate.ts";
import type { ChunkId } from "./document.ts";

/** Raised whenever equal answers of the legs are ranked otherwise, so that measurements are not compared across it. */
export const FUSION_VERSION = 1;

/** Two raw scores of a leg: what counts as nothing and what counts as everything. Finite, `zero` below `one`. */
export interface ScoreScale {
  readonly zero: number;
  readonly one: number;
}

/** What a leg found and how to read it. A leg that did not run is left out, not passed empty. */
export interface LegInput extends LegResult {
  readonly scale: ScoreScale;
  /** False for a chunk the leg had no chance to find, such as one without a vector yet. */
  readonly couldSee: (chunkId: ChunkId) => boolean;
}

export interface FusionWeights {
  /** Relative trust in each leg, finite and not negative; 0 mutes a leg. */
  readonly weights: Readonly<Record<LegName, number>>;
}

export interface ReciprocalRankOptions extends FusionWeights {
  /** Damping, in ranks; finite and above 0. Higher values flatten the top. */
  readonly damping: number;
}

/**
 * The weighted mean of the scaled scores, over the legs that could see the chunk.
 *
 * A leg that could see a chunk and did not propose it counts with 0; one that could
 * not see it does not count, neither above nor below the line. A muted leg is the
 * same as an absent one: what only it found does not appear, and it is in no `scores`.
 *
 * @returns Best first; every chunk once; scores from 0 to 1, comparable within one call
 *   only. Ties by path in code point order, then chunk index. The order of the legs
 *   and the chunks' ids do not matter.
 * @throws {RangeError} For a weight, scale or raw score outside its range, or a leg or
 *   a chunk within a leg given twice.
 */
export function fuseConvex(legs: readonly LegInput[], { weights }: FusionWeights): FusedCandidate[] {
  const heard = legsToHear(legs, weights);
  for (const { leg, scale } of heard) checkScale(leg, scale);
  return rankPool(
    poolCandidates(heard, ({ scale }, { raw }) => scaleScore(raw, scale)),
    (scores, { chunkId }) => {
      let score = 0;
      let total = 0;
      for (const { leg, couldSee } of heard) {
        const own = scores[leg];
        if (own === undefined && !couldSee(chunkId)) continue;
        score += weights[leg] * (own?.scaled ?? 0);
        total += weights[leg];
      }
      return score / total;
    },
  );
}

/**
 * The sum of `weight / (damping + rank)` over the legs a chunk was found by, ranks counted from 1.
 *
 * Looks at ranks only. Muted legs, order and ties are as in `fuseConvex`; `scaled` is the
 * leg's share of the sum.
 *
 * @throws {RangeError} For damping not above 0, a bad weight, or a leg or a chunk within
 *   a leg given twice.
 */
export function fuseReciprocalRank(
  legs: readonly LegResult[],
  { damping, weights }: ReciprocalRankOptions,
): FusedCandidate[] {
  if (!(damping > 0 && Number.isFinite(damping))) {
    throw new RangeError(`damping must be finite and above 0, got ${damping}`);
  }
  return rankPool(
    poolCandidates(legsToHear(legs, weights), ({ leg }, _, rank) => weights[leg] / (damping + rank)),
    // Smallest first: chunks with the same ranks in different legs then tie to the last bit.
    (scores) => {
      const shares = Object.values(scores).map(({ scaled }) => scaled);
      return shares.sort((a, b) => a - b).reduce((sum, share) => sum + share, 0);
    },
  );
}

type Scores = FusedCandidate["scores"];

interface Pooled {
  readonly candidate: Candidate;
  readonly scores: Partial<Record<LegName, LegScore>>;
}

/** The legs with a weight, in the order of `LEG_NAMES`, so that sums round the same however they were given. */
function legsToHear<Leg extends LegResult>(legs: readonly Leg[], weights: FusionWeights["weights"]): Leg[] {
  for (const name of LEG_NAMES) {
    const weight = weights[name];
    if (!(weight >= 0 && Number.isFinite(weight))) {
      throw new RangeError(`the weight of ${name} must be finite and not negative, got ${weight}`);
    }
  }
  if (new Set(legs.map(({ leg }) => leg)).size < legs.length) throw new RangeError("a leg is given twice");
  return legs
    .filter(({ leg }) => weights[leg] > 0)
    .sort((a, b) => LEG_NAMES.indexOf(a.leg) - LEG_NAMES.indexOf(b.leg));
}

function poolCandidates<Leg extends LegResult>(
  legs: readonly Leg[],
  scaledOf: (leg: Leg, candidate: Candidate, rank: number) => number,
): Iterable<Pooled> {
  const pool = new Map<ChunkId, Pooled>();
  for (const leg of legs) {
    for (const [offset, candidate] of leg.candidates.entries()) {
      const pooled = pool.get(candidate.chunkId) ?? { candidate, scores: {} };
      if (pooled.scores[leg.leg] !== undefined) {
        throw new RangeError(`${leg.leg} proposes chunk ${candidate.chunkId} twice`);
      }
      const rank = offset + 1;
      pooled.scores[leg.leg] = { rank, raw: candidate.raw, scaled: scaledOf(leg, candidate, rank) };
      pool.set(candidate.chunkId, pooled);
    }
  }
  return pool.values();
}

function rankPool(
  pool: Iterable<Pooled>,
  scoreOf: (scores: Scores, candidate: Candidate) => number,
): FusedCandidate[] {
  const fused: FusedCandidate[] = [];
  for (const { candidate, scores } of pool) {
    const { chunkId, path, chunkIndex } = candidate;
    fused.push({ chunkId, path, chunkIndex, score: scoreOf(scores, candidate), scores });
  }
  return fused.sort((a, b) => b.score - a.score || comparePlaces(a, b));
}

function checkScale(leg: LegName, { zero, one }: ScoreScale): void {
  if (!(zero < one && Number.isFinite(one - zero))) {
    throw new RangeError(`the scale of ${leg} must rise between finite scores, got ${zero} to ${one}`);
  }
}

function scaleScore(raw: number, { zero, one }: ScoreScale): number {
  if (!Number.isFinite(raw)) throw new RangeError(`a raw score must be finite, got ${raw}`);
  return Math.min(1, Math.max(0, (raw - zero) / (one - zero)));
}
