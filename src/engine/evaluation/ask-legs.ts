/**
 * The legs, asked for a golden query as a search asks them, for all settings that are tried.
 *
 * Other weights of the legs and another damping only change how the same answers are joined, so
 * these are kept; other heading weights change what the lexical legs answer, which are asked
 * again for each. Joining them is `rank-trials.ts`.
 */
import type { GoldenQuery } from "../../config/golden-file.ts";
import type { LegInput } from "../../core/fusion.ts";
import { type AskedLegs, type SearchParts, searchIndex } from "../search/search-index.ts";
import { headingWeights } from "./tuned-settings.ts";

export interface LegAnswers extends Omit<AskedLegs, "legs"> {
  /** By what the heading weights were multiplied with. */
  readonly legs: ReadonlyMap<number, readonly LegInput[]>;
  /** Why meaning could not be searched; undefined if it was. */
  readonly degraded: string | undefined;
}

/** How a query is asked. */
export interface LegQuestion {
  /** How many hits will be looked at. */
  readonly depth: number;
  /** The first is 1, which stands for the weights in use. */
  readonly headingFactors: readonly number[];
}

export async function askLegs(
  { db, embedder, config }: SearchParts,
  { query, filters }: GoldenQuery,
  { depth, headingFactors }: LegQuestion,
): Promise<LegAnswers> {
  const { fusion } = config.search;
  const legs = new Map<number, readonly LegInput[]>();
  let first: AskedLegs | undefined;
  let degraded: string | undefined;
  for (const factor of headingFactors) {
    // With all vectors there, the dense leg answers the same whatever the others do.
    const dense: readonly LegInput[] | undefined =
      first?.vectorCoverage === 1 ? first.legs.filter(({ leg }) => leg === "dense") : undefined;
    const weights = { weight_terms: 1, weight_phrases: 1, weight_dense: dense === undefined ? 1 : 0 };
    const asking = { ...fusion, ...weights, ...(factor === 1 ? {} : headingWeights(fusion, factor)) };
    const parts = { db, embedder, config: { ...config, search: { ...config.search, fusion: asking } } };
    const answer = await searchIndex(
      parts,
      { ...filters, query, limit: depth },
      {
        onLegs(asked) {
          first ??= asked;
          legs.set(factor, [...asked.legs, ...(dense ?? [])]);
        },
      },
    );
    degraded ??= answer.degraded === undefined ? undefined : (answer.degraded_reason ?? answer.degraded);
  }
  const { plan, vectorCoverage } = first!;
  return { plan, vectorCoverage, legs, degraded };
}
