/**
 * The answer where nothing was indexed yet: no failure, since a server may be about to make an index.
 *
 * Answers from an index are `search-index.ts`.
 */
import { NO_EVIDENCE } from "./evidence.ts";
import type { IndexState, SearchAnswer } from "./search-answer.ts";

/** @param state `missing`, or `indexing` if one is being made. */
export function answerWithoutIndex(state: IndexState): Omit<SearchAnswer, "engine"> {
  return {
    results: [],
    low_confidence: true,
    confidence: NO_EVIDENCE,
    filter_applied: {},
    query_info: { phrases: [], reason: "There is no index of this folder yet." },
    span_unit: "byte",
    index: { state, indexed_at: null, vectors: 0 },
  };
}
