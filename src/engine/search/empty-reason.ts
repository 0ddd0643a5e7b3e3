/**
 * Why an answer has no result, in a sentence that names the cause and the next step.
 *
 * Told from the query where that is enough, else from what a search without any filter would
 * have found. Only empty answers come here, so that asking again costs nobody else anything; an
 * answer that is too unsure explains itself in `evidence.ts`.
 */
import type { Config } from "../../config/schema.ts";
import { normalizeText } from "../../core/normalize.ts";
import { isSearchable } from "../../core/query/phrases.ts";
import type { QueryPlan } from "../../core/query/plan.ts";
import { trimWhiteSpace } from "../../core/query/white-space.ts";
import type { IndexDatabase } from "../../store/open.ts";
import type { DocumentFilter } from "./document-filter.ts";
import { type AskedQuestion, askDenseLeg, askLexicalLegs } from "./legs.ts";
import type { LegRequest } from "./lexical-leg.ts";
import { hasWords } from "./query-info.ts";

/** A search that found nothing. */
export interface FruitlessSearch {
  readonly question: AskedQuestion;
  /** Undefined where meaning was not searched. */
  readonly vector: Float32Array | undefined;
  readonly request: LegRequest;
  readonly filter: DocumentFilter;
  readonly fusion: Config["search"]["fusion"];
}

/** The reason for an answer without a hit. */
export function whyEmpty(db: IndexDatabase, search: FruitlessSearch): string {
  const { question, request, filter } = search;
  const { exclusions, positiveText } = question.plan;
  if (trimWhiteSpace(positiveText) === "")
    return exclusions.length === 0
      ? "The query is empty. Say what to look for."
      : "The query is empty: it only says what to leave out. Add what to look for.";
  if (request.totalChunks === 0)
    return "The index holds no passage. Put documents into the folder and run: kb index";
  const nothingPasses = filter.explainEmpty(db, request);
  if (nothingPasses !== undefined) return `${nothingPasses} Change or leave out that filter.`;
  if (filtersOf(search).length > 0 && hasHitsUnfiltered(db, search))
    return `Every passage that has anything of this is left out by ${filtersOf(search).join(" and ")}. Filter less.`;
  return hasWords(positiveText)
    ? "No passage has anything of this. Try other words."
    : whyNoSymbols(question.plan);
}

function filtersOf({ question: { plan }, request, filter }: FruitlessSearch): string[] {
  const { path_globs: globs = [], ...others } = filter.applied;
  const isThreshold = others.min_quality === undefined && (request.minQuality ?? 0) > 0;
  return [
    ...(plan.exclusions.length === 0 ? [] : [`the excluded ${listed(plan.exclusions)}`]),
    ...(globs.length === 0 ? [] : [`the globs ${listed(globs)}`]),
    ...Object.entries(others).map(([field, value]) => `${field} ${JSON.stringify(value)}`),
    ...(isThreshold ? [`quality.threshold = ${request.minQuality}`] : []),
  ];
}

function hasHitsUnfiltered(db: IndexDatabase, { question, vector, request, fusion }: FruitlessSearch) {
  const unfiltered: LegRequest = {
    poolSize: 1,
    totalChunks: request.totalChunks,
    passes: (candidates) => candidates,
  };
  const legs = askLexicalLegs(db, question, unfiltered, fusion);
  if (vector !== undefined) legs.push(...askDenseLeg(db, vector, [], unfiltered, fusion));
  return legs.some(({ candidates }) => candidates.length > 0);
}

function whyNoSymbols({ positiveText }: QueryPlan): string {
  return isSearchable(trimWhiteSpace(normalizeText(positiveText)))
    ? "The query has no letters or digits, and its exact text occurs in no passage. Add a word."
    : "The query has no letters or digits; such a text is looked for from three characters on. Add a word.";
}

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN_MAX_COUNT).map((text) => JSON.stringify(text));
  const more = texts.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

const SHOWN_MAX_COUNT = 3;
