/**
 * Measures of a ranking against judgments: what share was found, how early, how well ordered.
 *
 * In go the grades of the returned passages in rank order; out come numbers from 0 to 1.
 * Matching passages with judgments is done by the caller, who counts each judged passage once.
 */

/** Raised whenever a measure means something else, so that older figures are not compared with newer ones. */
export const METRIC_VERSION = 1;

/** Grades by rank, 0 for a passage that was not judged relevant; a judged passage appears at most once. */
export type GradedRanking = readonly number[];

/** 1 / rank of the first relevant passage within the first `depth`, ranks counted from 1; 0 if there is none. */
export function reciprocalRank(ranking: GradedRanking, depth: number): number {
  const offset = ranking.slice(0, depth).findIndex((grade) => grade > 0);
  return offset < 0 ? 0 : 1 / (offset + 1);
}

/** 1 if a relevant passage is among the first `depth`, else 0. */
export function successAt(ranking: GradedRanking, depth: number): number {
  return ranking.slice(0, depth).some((grade) => grade > 0) ? 1 : 0;
}

/**
 * Share of the expectations met within the first `depth`; 1 if there are none.
 *
 * @param ranks Of the first passage that meets each expectation, counted from 1; undefined where none does.
 */
export function recallAt(ranks: readonly (number | undefined)[], depth: number): number {
  if (ranks.length === 0) return 1;
  return ranks.filter((rank) => rank !== undefined && rank <= depth).length / ranks.length;
}

/**
 * Discounted gain `Σ (2^grade − 1) / log2(rank + 1)` over the first `depth`, divided by that of the
 * ideal order (Järvelin and Kekäläinen 2002, with the exponential gain of Burges et al. 2005).
 *
 * @param ideal The grades of all judged passages, in any order; 1 is returned if there are none.
 */
export function normalisedGain(ranking: GradedRanking, depth: number, ideal: readonly number[]): number {
  const best = discountedGain(
    [...ideal].sort((a, b) => b - a),
    depth,
  );
  return best === 0 ? 1 : discountedGain(ranking, depth) / best;
}

function discountedGain(grades: readonly number[], depth: number): number {
  return grades
    .slice(0, depth)
    .reduce((sum, grade, offset) => sum + (2 ** grade - 1) / Math.log2(offset + 2), 0);
}
