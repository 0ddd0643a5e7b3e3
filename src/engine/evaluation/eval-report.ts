/**
 * The wire form of a measurement: what `kb eval --json` prints.
 *
 * snake_case throughout. How it is made is in `evaluate.ts`; how a terminal shows it, in
 * `cli/eval-text.ts`; what of it is remembered, in `config/eval-history.ts`.
 */
import type { StoredRun } from "../../config/eval-history.ts";
import type { Expectation } from "../../core/judging.ts";
import type { Interval } from "../../core/paired-differences.ts";

/** Means over queries; keys of the tables are depths. */
export type Measures = StoredRun["aggregate"];
export type QueryMetrics = StoredRun["per_query"][number]["metrics"];

export interface QueryReport {
  readonly id: string;
  readonly query: string;
  readonly expected: readonly Expectation[];
  readonly tags: readonly string[];
  /** The hits down to the largest depth. */
  readonly top_k: readonly {
    readonly rank: number;
    readonly path: string;
    readonly heading: string | null;
    readonly score: number;
  }[];
  /** Of the first hit that is right, counted from 1; null if none is. */
  readonly rank: number | null;
  /** Null where nothing is expected. */
  readonly metrics: QueryMetrics | null;
  /** How sure the answer is, 0 to 1; null if the search does not say. */
  readonly confidence: number | null;
  readonly low_confidence: boolean | null;
  readonly milliseconds: number;
}

/** Something that makes the figures mean less than they seem to. */
export type EvalFinding =
  | {
      readonly check: "expected-missing";
      readonly severity: "error";
      readonly query_id: string;
      readonly path: string;
      /** The document of the index with the most similar path. */
      readonly nearest: string | null;
    }
  | {
      readonly check: "expected-part-missing";
      readonly severity: "error";
      readonly query_id: string;
      readonly path: string;
      /** Which of the conditions no passage of the document fulfils together. */
      readonly part: string;
    }
  | {
      readonly check: "golden-queries-quoted";
      readonly severity: "warning";
      readonly path: string;
      readonly quoted: readonly { readonly query_id: string; readonly rank_in_top_k: number | null }[];
    }
  | { readonly check: "not-judged"; readonly severity: "warning"; readonly query_ids: readonly string[] }
  | { readonly check: "vectors-pending"; readonly severity: "warning"; readonly pending: number }
  | {
      readonly check: "degraded";
      readonly severity: "warning";
      readonly query_count: number;
      readonly reason: string;
    };

/** How well the confidence tells questions with an answer from those without. */
export interface UnanswerableReport {
  readonly query_count: number;
  /** Share of the unanswerable queries whose answer is marked as unsure; null if the search does not say. */
  readonly flagged_share: number | null;
  /** Share of the answerable ones that are marked too. */
  readonly false_alarm_share: number | null;
  /** Area under the ROC curve of the confidence; null without both kinds. */
  readonly roc_area: number | null;
}

export interface MeasureChange {
  /** Such as `recall@5`, `mrr`, `ndcg@10`. */
  readonly metric: string;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** 95 %, by paired bootstrap; null for fewer than two queries. */
  readonly interval: Interval | null;
  readonly excludes_zero: boolean;
  /** Fallen by more than the threshold. */
  readonly is_regression: boolean;
}

export interface Comparison {
  /** What it is compared with. */
  readonly with: "previous" | "baseline";
  readonly baseline: string | null;
  readonly timestamp: string;
  readonly threshold: number;
  readonly measures: readonly MeasureChange[];
  /** Queries whose first right hit has another rank now, in the order of the golden file. */
  readonly changed_queries: readonly {
    readonly id: string;
    readonly before: number | null;
    readonly after: number | null;
  }[];
  readonly has_regression: boolean;
}

export interface EvalReport {
  readonly timestamp: string;
  readonly golden_file: string;
  readonly fingerprint: StoredRun["fingerprint"];
  /** What ran the model; not part of the fingerprint, since all give the same vectors. */
  readonly runtime: string;
  readonly corpus: StoredRun["corpus"];
  /** Whether it is another corpus than that of the run compared with, or else of the newest; null without one. */
  readonly corpus_changed: boolean | null;
  readonly aggregate: Measures;
  readonly slices: readonly (Measures & { readonly slice: string })[];
  /** Null if the golden file has none. */
  readonly unanswerable: UnanswerableReport | null;
  /** Of a search by this process, the model being loaded; milliseconds. */
  readonly latency: { readonly p50: number; readonly p95: number };
  readonly per_query: readonly QueryReport[];
  readonly findings: readonly EvalFinding[];
  /** The newest run before, whether or not it compares; with a baseline that. */
  readonly previous: StoredRun | null;
  readonly comparison: Comparison | null;
  /** The differences of `comparison` alone. */
  readonly diff: Pick<Measures, "recall_at_k" | "mrr" | "ndcg_at_k"> | null;
  /** Why there is no comparison although there are earlier runs; null otherwise. */
  readonly incomparable: string | null;
  readonly history: {
    readonly file: string;
    readonly saved: boolean;
    /** What went wrong with it, one sentence each. */
    readonly problems: readonly string[];
  };
}
