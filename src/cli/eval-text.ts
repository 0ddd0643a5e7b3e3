/**
 * A measurement as text: banner, figures, slices, misses, and what changed.
 */

import { visible } from "../core/visible-text.ts";
import type {
  Comparison,
  EvalFinding,
  EvalReport,
  MeasureChange,
  Measures,
} from "../engine/evaluation/eval-report.ts";
import type { Output } from "./output.ts";

/** Several lines, without a line end at the end. */
export function formatEvaluation(report: EvalReport, output: Output): string {
  const { comparison } = report;
  return [
    ...bannerOf(report),
    "",
    ...measuresOf(report, output),
    ...slicesOf(report),
    ...unanswerableOf(report),
    ...missesOf(report),
    ...(comparison === null ? [] : changesOf(comparison)),
  ].join("\n");
}

/** A line or more for each finding and each problem of the history, for stderr. */
export function formatFindings({ findings, history, incomparable }: EvalReport): string[] {
  return [
    ...findings.slice(0, SHOWN).map((finding) => `kb: ${finding.severity}: ${visible(sentenceOf(finding))}`),
    ...(findings.length > SHOWN ? [`kb: and ${findings.length - SHOWN} more findings: kb eval --json`] : []),
    ...(incomparable === null ? [] : [`kb: ${visible(incomparable)}`]),
    ...history.problems.map((problem) => `kb: ${visible(problem)}`),
  ];
}

const SHOWN = 20;

function bannerOf({
  aggregate,
  corpus,
  fingerprint,
  golden_file,
  latency,
  per_query,
  runtime,
  ...report
}: EvalReport) {
  const model = (fingerprint["model"] as { readonly name?: string } | undefined)?.name ?? "unknown";
  const changed = report.corpus_changed === true ? " (another corpus than that of the run before)" : "";
  return [
    `golden file   ${visible(golden_file)}`,
    `queries       ${aggregate.query_count} judged of ${per_query.length}`,
    `corpus        ${corpus.documents} documents, ${corpus.chunks} passages, ${corpus.digest.slice(0, 12)}${changed}`,
    `model         ${model} on ${runtime}`,
    `latency       ${latency.p50.toFixed(1)} ms (p50), ${latency.p95.toFixed(1)} ms (p95)`,
  ];
}

function measuresOf({ aggregate, comparison }: EvalReport, output: Output): string[] {
  const changes = new Map(comparison?.measures.map((change) => [change.metric, change]));
  return namedValues(aggregate).map(([name, value]) => {
    const change = changes.get(name);
    return `${name.padEnd(14)}${value.toFixed(3)}${change === undefined ? "" : `  ${formatChange(change, output)}`}`;
  });
}

function namedValues({ recall_at_k, success_at_k, mrr, ndcg_at_k }: Measures): [string, number][] {
  const table = (name: string, values: Readonly<Record<string, number>>) =>
    Object.entries(values).map(([k, value]): [string, number] => [`${name}@${k}`, value]);
  return [
    ...table("recall", recall_at_k),
    ...table("success", success_at_k),
    ["mrr", mrr],
    ...table("ndcg", ndcg_at_k),
  ];
}

function formatChange(
  { difference, interval, excludes_zero, is_regression }: MeasureChange,
  output: Output,
): string {
  const arrow = difference > 0 ? "↑" : difference < 0 ? "↓" : "=";
  const range =
    interval === null
      ? ""
      : ` [${signed(interval.low)}, ${signed(interval.high)}]${excludes_zero ? "" : ", may be chance"}`;
  const text = `${arrow} ${signed(difference)}${difference === 0 ? "" : range}${is_regression ? "  regression" : ""}`;
  return is_regression ? output.style("red", text) : text;
}

function slicesOf({ slices, aggregate }: EvalReport): string[] {
  if (slices.length < 2) return [];
  const k = Object.keys(aggregate.recall_at_k).at(-1)!;
  return [
    "",
    `${"slice".padEnd(28)}queries  mrr    recall@${k}`,
    ...slices.map(
      ({ slice, query_count, mrr, recall_at_k }) =>
        `${visible(slice).padEnd(28)}${String(query_count).padStart(7)}  ${mrr.toFixed(3)}  ${recall_at_k[k]!.toFixed(3)}`,
    ),
  ];
}

function unanswerableOf({ unanswerable }: EvalReport): string[] {
  if (unanswerable === null) return [];
  const { query_count, flagged_share, false_alarm_share, roc_area } = unanswerable;
  const share = (value: number | null) => (value === null ? "not told" : `${(100 * value).toFixed(1)} %`);
  return [
    "",
    `unanswerable  ${query_count} queries; marked as unsure: ${share(flagged_share)} of them, ${share(false_alarm_share)} of the others; ROC area ${roc_area === null ? "not told" : roc_area.toFixed(3)}`,
  ];
}

function missesOf({ per_query }: EvalReport): string[] {
  const misses = per_query.filter(({ rank, metrics }) => metrics !== null && rank === null);
  return listed(
    `not found (${misses.length})`,
    misses.map(({ id, query }) => `${visible(id)}  ${visible(query)}`),
  );
}

function changesOf({ changed_queries: changed, timestamp, baseline }: Comparison): string[] {
  const what =
    baseline === null ? `the run of ${timestamp}` : `the baseline ${visible(baseline)} (${timestamp})`;
  const rank = (value: number | null) => (value === null ? "–" : String(value));
  return listed(
    `changed since ${what} (${changed.length})`,
    changed.map(({ id, before, after }) => `${visible(id)}  ${rank(before)} -> ${rank(after)}`),
  );
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - SHOWN;
  return [
    "",
    title,
    ...lines.slice(0, SHOWN).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more: kb eval --json`] : []),
  ];
}

function sentenceOf(finding: EvalFinding): string {
  switch (finding.check) {
    case "expected-missing":
      return `${finding.query_id} expects ${finding.path}, which is not in the index${finding.nearest === null ? "" : `; did you mean ${finding.nearest}?`}`;
    case "expected-part-missing":
      return `${finding.query_id} expects a part of ${finding.path} that no passage is: ${finding.part}`;
    case "golden-queries-quoted":
      return `${finding.path} quotes ${finding.quoted.length} golden queries word for word, and may outrank what they ask for: ${finding.quoted.map(({ query_id }) => query_id).join(", ")}`;
    case "not-judged":
      return `${finding.query_ids.length} queries expect nothing and are not counted: ${finding.query_ids.join(", ")}`;
    case "vectors-pending":
      return `${finding.pending} passages have no vector yet, so the figures are not final; make them with: kb index`;
    case "degraded":
      return `${finding.query_count} answers are without meaning: ${finding.reason}`;
  }
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
