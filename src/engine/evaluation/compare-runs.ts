/**
 * Two measurements of the same kind, compared: measure by measure with its uncertainty, and query by query.
 *
 * In go comparable runs; out comes what changed. Which runs compare is decided in `fingerprint.ts`.
 */
import type { StoredRun } from "../../config/eval-history.ts";
import { bootstrapInterval, meanOf } from "../../core/paired-differences.ts";
import type { Comparison, EvalReport, MeasureChange } from "./eval-report.ts";

type QueryRun = StoredRun["per_query"][number];

/** A run to compare with. */
export interface Reference {
  readonly run: StoredRun;
  /** Name of the baseline; undefined for an earlier run. */
  readonly baseline: string | undefined;
}

/** @param threshold A measure that falls by more than this is a regression. */
export function compareRuns(now: StoredRun, { run, baseline }: Reference, threshold: number): Comparison {
  const before = new Map(run.per_query.map((query) => [query.id, query]));
  const pairs = now.per_query.flatMap((query): [QueryRun, QueryRun][] => {
    const earlier = before.get(query.id);
    return earlier === undefined ? [] : [[earlier, query]];
  });
  const change = (metric: string, figureOf: (query: QueryRun) => number): MeasureChange => {
    const differences = pairs.map(([earlier, later]) => figureOf(later) - figureOf(earlier));
    const difference = meanOf(differences);
    const interval = bootstrapInterval(differences) ?? null;
    return {
      metric,
      before: meanOf(pairs.map(([earlier]) => figureOf(earlier))),
      after: meanOf(pairs.map(([, later]) => figureOf(later))),
      difference,
      interval,
      excludes_zero: interval !== null && (interval.low > 0 || interval.high < 0),
      is_regression: -difference > threshold,
    };
  };
  const depths = Object.keys(now.aggregate.recall_at_k);
  const measures = [
    ...depths.map((k) => change(`recall@${k}`, ({ metrics }) => metrics.recall_at_k[k] ?? 0)),
    change("mrr", ({ metrics }) => metrics.reciprocal_rank),
    ...depths.map((k) => change(`ndcg@${k}`, ({ metrics }) => metrics.ndcg_at_k[k] ?? 0)),
  ];
  return {
    with: baseline === undefined ? "previous" : "baseline",
    baseline: baseline ?? null,
    timestamp: run.timestamp,
    threshold,
    measures,
    changed_queries: pairs
      .filter(([earlier, later]) => earlier.rank !== later.rank)
      .map(([earlier, later]) => ({ id: later.id, before: earlier.rank, after: later.rank })),
    has_regression: measures.some(({ is_regression: isRegression }) => isRegression),
  };
}

/** The differences alone, in the form of an aggregate. */
export function diffOf({ measures }: Comparison): NonNullable<EvalReport["diff"]> {
  const table = (prefix: string) =>
    Object.fromEntries(
      measures
        .filter(({ metric }) => metric.startsWith(prefix))
        .map(({ metric, difference }) => [metric.slice(prefix.length), difference]),
    );
  return {
    recall_at_k: table("recall@"),
    mrr: measures.find(({ metric }) => metric === "mrr")!.difference,
    ndcg_at_k: table("ndcg@"),
  };
}
