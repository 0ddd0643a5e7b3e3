/**
 * Figures of single queries, summed up: means over all, over slices, and what the confidence tells.
 *
 * Only queries that have expectations count, except where unanswerable ones are looked at.
 */
import { meanOf } from "../../core/paired-differences.ts";
import { scriptOf } from "../../core/query-script.ts";
import { rocArea } from "../../core/roc.ts";
import type { EvalReport, Measures, QueryReport, UnanswerableReport } from "./eval-report.ts";

/** Arithmetic means over the queries with expectations; 0 without any. */
export function aggregate(queries: readonly QueryReport[], depths: readonly number[]): Measures {
  const judged = queries.filter(({ metrics }) => metrics !== null);
  const meanAt = (figureOf: (query: QueryReport, k: number) => number) =>
    Object.fromEntries(depths.map((k) => [k, meanOf(judged.map((query) => figureOf(query, k)))]));
  return {
    recall_at_k: meanAt(({ metrics }, k) => metrics!.recall_at_k[k]!),
    success_at_k: meanAt(({ rank }, k) => (rank !== null && rank <= k ? 1 : 0)),
    mrr: meanOf(judged.map(({ metrics }) => metrics!.reciprocal_rank)),
    ndcg_at_k: meanAt(({ metrics }, k) => metrics!.ndcg_at_k[k]!),
    query_count: judged.length,
  };
}

/** By script of the query, then by tag, each in the order of first occurrence; a query is in each of its slices. */
export function slicesOf(queries: readonly QueryReport[], depths: readonly number[]): EvalReport["slices"] {
  const slices = new Map<string, QueryReport[]>();
  const add = (slice: string, query: QueryReport) => {
    const members = slices.get(slice);
    if (members === undefined) slices.set(slice, [query]);
    else members.push(query);
  };
  const judged = queries.filter(({ metrics }) => metrics !== null);
  for (const query of judged) add(`script:${scriptOf(query.query)}`, query);
  for (const query of judged) for (const tag of new Set(query.tags)) add(`tag:${tag}`, query);
  return [...slices].map(([slice, members]) => ({ slice, ...aggregate(members, depths) }));
}

/** Null if there are no unanswerable queries. */
export function separationOf(
  answerable: readonly QueryReport[],
  unanswerable: readonly QueryReport[],
): UnanswerableReport | null {
  if (unanswerable.length === 0) return null;
  const [positives, negatives] = [scoresOf(answerable), scoresOf(unanswerable)];
  return {
    query_count: unanswerable.length,
    flagged_share: flaggedShare(unanswerable),
    false_alarm_share: flaggedShare(answerable),
    roc_area: positives.length > 0 && negatives.length > 0 ? rocArea(positives, negatives) : null,
  };
}

function scoresOf(queries: readonly QueryReport[]): number[] {
  return queries.flatMap(({ confidence }) => confidence ?? []);
}

function flaggedShare(queries: readonly QueryReport[]): number | null {
  const told = queries.flatMap(({ low_confidence: isLow }) => isLow ?? []);
  return told.length === 0 ? null : told.filter(Boolean).length / told.length;
}
