/**
 * The dense scale: the cosines of one query's pool in, the two cosines that mean 0 and 1 out.
 *
 * Plain min-max over the pool says "1" for the best of nothing and "0" for the last
 * of a short list, however good; absolute anchors keep folders of a few chunks
 * honest. Applying the scale is done in `fusion.ts`.
 */
import type { Candidate } from "./candidate.ts";
import type { ScoreScale } from "./fusion.ts";

export interface DenseScaleOptions {
  /** The candidate, counted from 1, whose cosine means 0 in a pool that reaches it. */
  readonly zeroRank: number;
  /** Upper end of the cosines of unrelated texts; in a shorter pool what means 0 is not above it. */
  readonly unrelatedCosine: number;
  /** Cosine from which texts are related: a best candidate below it does not reach 1. */
  readonly relatedCosine: number;
  /** Least distance between the two ends, so that equal or nearly equal cosines are not pulled apart. */
  readonly minSpread: number;
}

/**
 * For multilingual-e5-small. Its cosines are crowded: unrelated texts lie around 0.70 to
 * 0.80, related ones around 0.82 to 0.92. Another model needs numbers of its own.
 */
export const E5_DENSE_SCALE: DenseScaleOptions = {
  zeroRank: 100,
  unrelatedCosine: 0.75,
  relatedCosine: 0.82,
  minSpread: 0.02,
};

/**
 * The scale for one query's dense candidates.
 *
 * `one` is the best cosine, at least `relatedCosine`. `zero` is the cosine at `zeroRank`;
 * a shorter pool has no such candidate, and the last one it has may be as good as the
 * best, so there `zero` is at most `unrelatedCosine`.
 *
 * @param candidates Best first; may be empty.
 */
export function denseScale(
  candidates: readonly Pick<Candidate, "raw">[],
  { zeroRank, unrelatedCosine, relatedCosine, minSpread }: DenseScaleOptions,
): ScoreScale {
  const one = Math.max(candidates[0]?.raw ?? relatedCosine, relatedCosine);
  const atZeroRank = candidates[zeroRank - 1]?.raw;
  const zero = atZeroRank ?? Math.min(candidates.at(-1)?.raw ?? unrelatedCosine, unrelatedCosine);
  return { zero: Math.min(zero, one - minSpread), one };
}
