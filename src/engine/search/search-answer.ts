/**
 * The wire form of a search answer: what `kb search --json` prints and MCP returns.
 *
 * snake_case throughout, because these are the names on the wire. How it is found is in
 * `search-index.ts`; how a terminal shows it, in `cli/hit-text.ts`.
 */
import type { LegName, LegScore } from "../../core/candidate.ts";
import type { LineRange } from "../../core/document.ts";
import type { Span, SpanUnit } from "../../core/span.ts";

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
  /** Lines of the file that the content was taken from. */
  readonly lines: LineRange;
  readonly chunk_index: number;
  readonly scores: Partial<Record<LegName, LegScore>>;
  /** Where the terms of the query occur, letter case aside. */
  readonly matched_in: readonly ("heading" | "context" | "content")[];
  readonly quality: number;
  readonly encoding: string;
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
  /** The limit asked for, when it was above what is returned at most. */
  readonly limit_clamped_from?: number;
  /** Why there is no result, when that can be told from the query alone. */
  readonly reason?: string;
}

export interface SearchAnswer {
  readonly results: readonly Hit[];
  readonly filter_applied: {
    readonly path_globs?: readonly string[];
    /** What no hit contains, as typed. */
    readonly exclude_terms?: readonly string[];
  };
  readonly query_info: QueryInfo;
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
