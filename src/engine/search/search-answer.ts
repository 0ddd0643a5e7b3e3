/**
 * The wire form of a search answer: what `kb search --json` prints and MCP returns.
 *
 * snake_case throughout, because these are the names on the wire. How it is found is in
 * `search-index.ts`; how a terminal shows it, in `cli/hit-text.ts`.
 */
import type { LegName, LegScore } from "../../core/candidate.ts";
import type { LineRange } from "../../core/document.ts";
import type { Span, SpanUnit } from "../../core/span.ts";

/** Another passage of a hit's document that was ranked as well. */
export interface GroupedPassage {
  readonly lines: LineRange;
  readonly chunk_index: number;
  readonly score: number;
}

/** How far a hit was widened; `from_index` equal to `to_index` says that it could not be. */
export type ExpandedFrom =
  | { readonly kind: "adjacent"; readonly from_index: number; readonly to_index: number }
  | { readonly kind: "whole_document"; readonly total_chunks: number };

/** How the score of a hit came about: the contributions add up to it. */
export interface HitExplanation {
  /** The legs that proposed it; `weight` is the leg's share in this hit, 0 to 1, or under `rrf` its weight. */
  readonly legs: Partial<
    Record<LegName, LegScore & { readonly weight: number; readonly contribution: number }>
  >;
  /** Where texts are quoted: the share of them that the passage holds, and half of that. */
  readonly quoted?: { readonly share: number; readonly contribution: number };
  /** What of the query stands in the passage, its title and headings; `spans` counts `match_spans`. */
  readonly matched: {
    readonly terms: readonly string[];
    readonly phrases: readonly string[];
    readonly spans: number;
  };
}

/** What is the same for all hits: how the query was weighed. */
export interface AnswerExplanation {
  /** Whether the query names something exactly, so that meaning counts less. */
  readonly is_pointed: boolean;
  /** After every factor; a leg that could not answer has its weight too. */
  readonly weights: Readonly<Record<LegName, number>>;
  /** Looked for in the words of the index, with how many passages have them and what that is worth. */
  readonly terms: readonly { readonly text: string; readonly passages: number; readonly idf: number }[];
  /** Looked for letter by letter. */
  readonly phrases: readonly string[];
  readonly pool: { readonly passages: number; readonly documents: number };
  /** Whether hits stand in the order of their scores or as `mmr` chose them. */
  readonly order: "score" | "mmr";
}

export interface Hit {
  readonly score: number;
  readonly path: string;
  readonly title: string;
  readonly heading: string | null;
  readonly heading_path: readonly string[];
  readonly topic: string | null;
  readonly category: string | null;
  readonly date: string | null;
  readonly tags: readonly string[];
  readonly content: string;
  /** Half-open offsets into `content`, in `span_unit`; absent when not computed. */
  readonly match_spans?: readonly Span[];
  /** The same for `heading`; absent when nothing occurs there. */
  readonly heading_spans?: readonly Span[];
  /** Present where widening was asked for; `content` and `lines` are the widened ones. */
  readonly expanded_from?: ExpandedFrom;
  /** Lines of the file that the content was taken from. */
  readonly lines: LineRange;
  readonly chunk_index: number;
  readonly scores: Partial<Record<LegName, LegScore>>;
  /** Where the terms of the query occur, letter case aside. */
  readonly matched_in: readonly ("heading" | "context" | "content")[];
  readonly quality: number;
  readonly encoding: string;
  /** Up to 10 further passages of the document that `content` does not hold, best first; absent when there are none. */
  readonly grouped?: readonly GroupedPassage[];
  readonly explain?: HitExplanation;
}

export type IndexState = "ready" | "indexing" | "stale" | "missing";

export interface IndexReport {
  /**
   * `indexing`: a run is going on or about to begin; `stale`: the last run did not finish, files
   * have changed since, or that of a hit (of the first 50 documents) has or is gone; `missing`: no index yet.
   */
  readonly state: IndexState;
  /** End of the last completed run, ISO 8601 UTC; null before the first. */
  readonly indexed_at: string | null;
  /** Share of chunks that have a vector, 0 to 1. */
  readonly vectors: number;
  /** Chunks still without a vector; absent when there are none. */
  readonly pending?: number;
  /** Files that were added, changed or removed since; absent when there are none or nobody looked. */
  readonly changed_files?: number;
  /** Why it is stale, where a mistake in the configuration keeps it so, in a sentence with a remedy. */
  readonly reason?: string;
}

export interface QueryInfo {
  /** The phrases searched for verbatim, normalised, in the order of the query. */
  readonly phrases: readonly string[];
  /** Words of one or two characters, which are searched exactly. */
  readonly short_words?: readonly string[];
  /** Quoted texts that no passage of the index holds: what is returned is merely near. */
  readonly not_found?: readonly string[];
  /** Terms left out of the ranking because most of the index has them. */
  readonly common?: readonly string[];
  /** The query as it was searched, when normalising changed more than letter case. */
  readonly normalized?: string;
  /** The whole query was searched verbatim, because no part of it makes a phrase. */
  readonly fallback?: true;
  /** Distinct phrases beyond the first 32, which were left out. */
  readonly capped?: number;
  /** Arguments without effect, since what they belong to is off. */
  readonly ignored?: readonly string[];
  /** The limit asked for, when it was above what is returned at most. */
  readonly limit_clamped_from?: number;
  /** Why there is no result, when that can be told from the query or the filter. */
  readonly reason?: string;
}

/** How sure the best hit is, and what that comes from; all absolute, so that answers can be compared. */
export interface Confidence {
  /** 0 to 1, made of `coverage`, `names` and `cosine`; 0 without a hit. The others explain. */
  readonly score: number;
  /** Share of the question's words, by how much they say, that the best passage has; 0 to 1. */
  readonly coverage: number;
  /** The same of the exact names and quoted texts, by their number; absent if the question has none. */
  readonly names?: number;
  /** The best cosine of the question and a passage; absent if meaning was not searched. */
  readonly cosine?: number;
  /** The cosine of the last passage that was looked at, the hundredth or so. */
  readonly background?: number;
  /** BM25 of the best passage by what one with every term of the question reaches; 0 to 1. */
  readonly terms_reach: number;
  /** 1 if every leg has the best passage first, 0 if none has it; the mean of 1 / rank. */
  readonly agreement: number;
}

export interface SearchAnswer {
  readonly results: readonly Hit[];
  /** Whether the confidence is below `search.min_confidence_ratio`, or that of the request. */
  readonly low_confidence: boolean;
  readonly confidence: Confidence;
  /** Each filter that has an effect, in this order; dates as the first and the last day that pass. */
  readonly filter_applied: {
    readonly category?: string;
    readonly topic?: string;
    readonly path_globs?: readonly string[];
    readonly tags_any?: readonly string[];
    readonly tags_all?: readonly string[];
    readonly date_from?: string;
    readonly date_to?: string;
    /** Present if it differs from the configured threshold. */
    readonly min_quality?: number;
    /** Present if passages of low quality would be left out otherwise. */
    readonly include_low_quality?: true;
    /** What no hit contains, as typed. */
    readonly exclude_terms?: readonly string[];
    /** Below this confidence there are no results. */
    readonly min_confidence_ratio?: number;
  };
  readonly query_info: QueryInfo;
  readonly explain?: AnswerExplanation;
  readonly span_unit: SpanUnit;
  readonly index: IndexReport;
  readonly engine: {
    readonly fusion: "convex" | "rrf";
    readonly model: string;
    /** What ran the model; where no text was embedded, what is expected to. */
    readonly runtime: string;
    /** Why the model ran slower than it could here, in a sentence with a remedy. */
    readonly runtime_problem?: string;
  };
  /** The leg that could not answer. */
  readonly degraded?: "dense";
  /** Why, in a sentence with a remedy; present with `degraded`. */
  readonly degraded_reason?: string;
}
