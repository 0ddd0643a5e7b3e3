/**
 * Contributions: what each leg added to a fused score.
 *
 * In go a fused candidate and what it was fused from, out come parts that add up to its score.
 * The same arithmetic as `fusion.ts`, taken apart; how it is told is in `engine/search/explain.ts`.
 */
import type { FusedCandidate, LegName } from "./candidate.ts";
import { LEG_NAMES } from "./candidate.ts";
import type { FusionWeights, LegInput } from "./fusion.ts";

/** A leg's part in one candidate's score. */
export interface Contribution {
  /** Share of the leg among those that could see the candidate, 0 to 1; for rank fusion its weight. */
  readonly weight: number;
  readonly contribution: number;
}

/**
 * Only legs that proposed the candidate are in it. Under `convex` the weight is the share among the legs that
 * could see the candidate; a leg that could and did not propose it holds its share, at a contribution of 0.
 *
 * @param legs As they were fused.
 */
export function contributionsOf(
  { chunkId, scores }: FusedCandidate,
  legs: readonly Pick<LegInput, "leg" | "couldSee">[],
  { weights }: FusionWeights,
  method: "convex" | "rrf",
): Partial<Record<LegName, Contribution>> {
  const heard = legs.filter(
    ({ leg, couldSee }) => weights[leg] > 0 && (scores[leg] !== undefined || couldSee(chunkId)),
  );
  const total = heard.reduce((sum, { leg }) => sum + weights[leg], 0);
  return Object.fromEntries(
    LEG_NAMES.flatMap((leg) => {
      const own = scores[leg];
      if (own === undefined) return [];
      if (method === "rrf") return [[leg, { weight: weights[leg], contribution: own.scaled }]];
      const weight = weights[leg] / total;
      return [[leg, { weight, contribution: weight * own.scaled }]];
    }),
  );
}
