/**
 * What became of the query, for the answer: nothing that was left out goes unsaid.
 *
 * How a query is compiled is decided in `core/query/`; the wire names are in `search-answer.ts`.
 */
import { LIMIT_MAX, type SearchRequest } from "../config/request.ts";
import type { QueryPlan } from "../core/query/plan.ts";
import { trimWhiteSpace } from "../core/query/white-space.ts";
import type { QueryInfo } from "./search-answer.ts";

/** How a search came to find nothing. */
export interface SearchOutcome {
  /** No document passes the filter. */
  readonly isFilteredAway: boolean;
}

/** @param outcome Explains an empty answer; undefined when there are hits. */
export function describeQuery(
  plan: QueryPlan,
  { limit }: SearchRequest,
  outcome: SearchOutcome | undefined,
): QueryInfo {
  return {
    phrases: plan.phrases,
    ...(plan.isFallback ? { fallback: true as const } : {}),
    ...(plan.cappedCount > 0 ? { capped: plan.cappedCount } : {}),
    ...(limit !== undefined && limit > LIMIT_MAX ? { limit_clamped_from: limit } : {}),
    ...(outcome === undefined ? {} : { reason: whyEmpty(plan, outcome) }),
  };
}

/** Whether a text says anything that has a meaning to look for: a letter or a digit of any script. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function whyEmpty({ positiveText }: QueryPlan, { isFilteredAway }: SearchOutcome): string {
  if (trimWhiteSpace(positiveText) === "") return "The query is empty.";
  if (isFilteredAway) return "No document's path matches the globs.";
  if (!hasWords(positiveText))
    return "The query has no letters or digits, and its exact text occurs in no passage.";
  return "No passage has anything of this.";
}
