/**
 * The wire form of tuning: what `kb tune --json` prints.
 *
 * snake_case throughout. How it is made is in `tune.ts`; how a terminal shows it, in `cli/tune-text.ts`.
 */
import type { Config } from "../../config/schema.ts";
import type { KeepReason } from "../../core/adoption.ts";
import type { Measures } from "./eval-report.ts";
import type { TUNED_KEYS } from "./tuned-settings.ts";

/** Settings of `[search.fusion]` with their figures over all usable queries. */
export interface TrialReport {
  readonly settings: Pick<Config["search"]["fusion"], (typeof TUNED_KEYS)[number]>;
  readonly measures: Pick<Measures, "recall_at_k" | "mrr" | "ndcg_at_k">;
}

/** What the settings that are best on a part of the queries gain on the rest, in nDCG@5. */
export interface ValidationReport {
  readonly folds: number;
  readonly rounds: number;
  readonly mean_gain: number;
  readonly standard_error: number;
  /** Share of the parts that choose the same as all queries together. */
  readonly stability: number;
  /** Two-sided; reported only. */
  readonly sign_test_p: number;
  /** Two-sided; reported only. */
  readonly permutation_test_p: number;
}

export interface QueryDiagnosis {
  readonly id: string;
  /** Candidates of each leg. */
  readonly terms: number;
  readonly phrases: number;
  readonly dense: number;
  /** Candidates that the dense leg and one by words have in common. */
  readonly overlap: number;
  /** Whether some of the settings give another figure than those in use. */
  readonly is_sensitive: boolean;
  /** Whether settings can matter at all: the legs by words have two candidates or more. */
  readonly is_effective: boolean;
}

export interface TuneReport {
  readonly golden_file: string;
  readonly method: "convex" | "rrf";
  readonly limit: number;
  readonly k_values: readonly number[];
  /** Queries with expectations. */
  readonly usable_count: number;
  readonly effective_count: number;
  readonly settings_tried: number;
  readonly current: TrialReport;
  /** What all effective queries choose; null if there are fewer than two. */
  readonly best: TrialReport | null;
  readonly validation: ValidationReport | null;
  /** Null if nothing could be tried. */
  readonly recommendation: "adopt" | "keep" | null;
  /** Everything that speaks against `best`. */
  readonly reasons: readonly KeepReason[];
  /** What to write into `kb.toml` to have `best`; null if it is what is set. */
  readonly toml: string | null;
  /** nDCG@5 of queries for which `best` differs from what is set; the largest loss first. */
  readonly changed_queries: readonly {
    readonly id: string;
    readonly before: number;
    readonly after: number;
  }[];
  readonly diagnostics: readonly QueryDiagnosis[];
  /** What makes the figures mean less than they seem to, a sentence each. */
  readonly warnings: readonly string[];
}
