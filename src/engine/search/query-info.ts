/**
 * What became of the query, for the answer: nothing that was left out goes unsaid.
 *
 * How a query is compiled is decided in `core/query/`; the wire names are in `search-answer.ts`.
 */
import { LIMIT_MAX, type SearchRequest } from "../../config/request.ts";
import { normalizeText } from "../../core/normalize.ts";
import { isSearchable } from "../../core/query/phrases.ts";
import type { QueryPlan } from "../../core/query/plan.ts";
import { trimWhiteSpace } from "../../core/query/white-space.ts";
import type { QueryInfo } from "./search-answer.ts";
import type { TermChoice } from "./terms-answer.ts";

/** How a search came to find nothing. */
export interface SearchOutcome {
  /** Which part of the filter lets nothing through, in a sentence; undefined if something passes. */
  readonly filteredAway: string | undefined;
}

/** What a query became. */
export interface QueryAccount {
  readonly plan: QueryPlan;
  readonly choice: TermChoice | undefined;
  readonly request: SearchRequest;
  /** Quoted texts that no passage holds. */
  readonly notFound: readonly string[];
}

/** @param outcome Explains an empty answer; undefined when there are hits. */
export function describeQuery(
  { plan, choice, request: { query, limit }, notFound }: QueryAccount,
  outcome: SearchOutcome | undefined,
): QueryInfo {
  const short = plan.words.filter(({ isShort }) => isShort).map(({ text }) => text);
  const common = choice?.common.map(({ text }) => text) ?? [];
  const capped = plan.cappedCount + (choice?.cappedCount ?? 0);
  const normalized = normalizeText(query);
  return {
    phrases: plan.phrases,
    ...(short.length === 0 ? {} : { short_words: short }),
    ...(common.length === 0 ? {} : { common }),
    ...(normalized === query.toLowerCase() ? {} : { normalized }),
    ...(notFound.length === 0 ? {} : { not_found: notFound }),
    ...(plan.isFallback ? { fallback: true as const } : {}),
    ...(capped > 0 ? { capped } : {}),
    ...(limit !== undefined && limit > LIMIT_MAX ? { limit_clamped_from: limit } : {}),
    ...(outcome === undefined ? {} : { reason: whyEmpty(plan, outcome) }),
  };
}

/** Whether a text says anything that has a meaning to look for: a letter or a digit of any script. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function whyEmpty({ positiveText }: QueryPlan, { filteredAway }: SearchOutcome): string {
  if (trimWhiteSpace(positiveText) === "") return "The query is empty.";
  if (filteredAway !== undefined) return filteredAway;
  if (!hasWords(positiveText))
    return isSearchable(trimWhiteSpace(normalizeText(positiveText)))
      ? "The query has no letters or digits, and its exact text occurs in no passage."
      : "The query has no letters or digits; such a text is looked for from three characters on.";
  return "No passage has anything of this.";
}
