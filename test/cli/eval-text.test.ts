import { describe, expect, test } from "bun:test";
import { formatEvaluation, formatFindings } from "../../src/cli/eval-text.ts";
import { Output } from "../../src/cli/output.ts";
import type {
  EvalFinding,
  EvalReport,
  MeasureChange,
  QueryReport,
} from "../../src/engine/evaluation/eval-report.ts";

const output = new Output({ json: false, quiet: false, color: false });

const MEASURES = {
  recall_at_k: { 5: 0.5 },
  success_at_k: { 5: 0.5 },
  mrr: 0.25,
  ndcg_at_k: { 5: 0.4 },
  query_count: 2,
};

const query = (id: string, rank: number | null): QueryReport => ({
  id,
  query: `the text of ${id}`,
  expected: [],
  tags: [],
  top_k: [],
  rank,
  metrics: { recall_at_k: { 5: 1 }, reciprocal_rank: 1, ndcg_at_k: { 5: 1 } },
  confidence: null,
  low_confidence: null,
  milliseconds: 1,
});

const REPORT: EvalReport = {
  timestamp: "2026-01-02T03:04:05.000Z",
  golden_file: "/notes/.kb-eval.yml",
  fingerprint: { model: { name: "small" } },
  runtime: "some runtime",
  corpus: { documents: 3, chunks: 7, digest: "0123456789abcdef" },
  corpus_changed: null,
  aggregate: MEASURES,
  slices: [],
  unanswerable: null,
  latency: { p50: 1.25, p95: 20 },
  per_query: [query("found", 2), query("lost", null)],
  findings: [],
  previous: null,
  comparison: null,
  diff: null,
  incomparable: null,
  history: { file: "/notes/.kb-eval-history.json", saved: true, problems: [] },
};

const change = (changes: Partial<MeasureChange>): MeasureChange => ({
  metric: "mrr",
  before: 0.5,
  after: 0.25,
  difference: -0.25,
  interval: { low: -0.4, high: -0.1 },
  excludes_zero: true,
  is_regression: true,
  ...changes,
});

const textOf = (changes: Partial<EvalReport> = {}) => formatEvaluation({ ...REPORT, ...changes }, output);
const comparedWith = (changes: Partial<MeasureChange>, baseline: string | null = null) =>
  textOf({
    comparison: {
      with: baseline === null ? "previous" : "baseline",
      baseline,
      timestamp: "2026-01-01T00:00:00.000Z",
      threshold: 0.05,
      measures: [change(changes)],
      changed_queries: [{ id: "found", before: null, after: 2 }],
      has_regression: true,
    },
  });

describe("formatEvaluation", () => {
  test("shows what was measured, the figures, and what was not found", () => {
    expect(textOf().split("\n")).toEqual([
      "golden file   /notes/.kb-eval.yml",
      "queries       2 judged of 2",
      "corpus        3 documents, 7 passages, 0123456789ab",
      "model         small on some runtime",
      "latency       1.3 ms (p50), 20.0 ms (p95)",
      "",
      "recall@5      0.500",
      "success@5     0.500",
      "mrr           0.250",
      "ndcg@5        0.400",
      "",
      "not found (1)",
      "  lost  the text of lost",
    ]);
  });

  test.each([
    [{}, "↓ −0.250 [−0.400, −0.100]  regression"],
    [
      { is_regression: false, excludes_zero: false, interval: { low: -0.6, high: 0.1 } },
      "↓ −0.250 [−0.600, +0.100], may be chance",
    ],
    [{ difference: 0.1, is_regression: false, interval: null }, "↑ +0.100"],
    [
      { difference: 0, is_regression: false, interval: { low: 0, high: 0 }, excludes_zero: false },
      "= +0.000",
    ],
  ])("shows a change of %p", (changes, expected) => {
    expect(comparedWith(changes).split("\n")).toContain(`mrr           0.250  ${expected}`);
  });

  test("names what it is compared with, and the queries whose rank is another", () => {
    expect(comparedWith({})).toEndWith(
      "\n\nchanged since the run of 2026-01-01T00:00:00.000Z (1)\n  found  – -> 2",
    );
    expect(comparedWith({}, "good")).toContain(
      "changed since the baseline good (2026-01-01T00:00:00.000Z) (1)",
    );
  });

  test("shows slices where there are several, and what the confidence tells", () => {
    const slices = ["script:latin", "tag:ops"].map((slice) => ({ slice, ...MEASURES }));
    expect(textOf({ slices: slices.slice(0, 1) })).not.toContain("script:latin");
    const unanswerable = { query_count: 4, flagged_share: 0.75, false_alarm_share: null, roc_area: 0.912 };
    const text = textOf({ slices, unanswerable, corpus_changed: true });
    expect(text).toContain("\nscript:latin                      2  0.250  0.500\ntag:ops ");
    expect(text).toContain(
      "4 queries; marked as unsure: 75.0 % of them, not told of the others; ROC area 0.912",
    );
    expect(text).toContain("(another corpus than that of the run before)");
  });

  test("shows twenty of a long list, and control characters as text", () => {
    const lost = Array.from({ length: 23 }, (_, at) => query(`lost ${at}\u001b[2J`, null));
    const text = textOf({ per_query: lost });
    expect(text).toContain("not found (23)");
    expect(text).toEndWith("\n  and 3 more: kb eval --json");
    expect(text).not.toContain("\u001b");
  });
});

describe("formatFindings", () => {
  test.each<[EvalFinding, string]>([
    [
      { check: "expected-missing", severity: "error", query_id: "q", path: "a.md", nearest: "b.md" },
      "error: q expects a.md, which is not in the index; did you mean b.md?",
    ],
    [
      { check: "expected-missing", severity: "error", query_id: "q", path: "a.md", nearest: null },
      "error: q expects a.md, which is not in the index",
    ],
    [
      { check: "expected-part-missing", severity: "error", query_id: "q", path: "a.md", part: 'heading "H"' },
      'error: q expects a part of a.md that no passage is: heading "H"',
    ],
    [
      {
        check: "golden-queries-quoted",
        severity: "warning",
        path: "a.md",
        quoted: [
          { query_id: "q", rank_in_top_k: 1 },
          { query_id: "r", rank_in_top_k: null },
        ],
      },
      "warning: a.md quotes 2 golden queries word for word, and may outrank what they ask for: q, r",
    ],
    [
      { check: "not-judged", severity: "warning", query_ids: ["q", "r"] },
      "warning: 2 queries expect nothing and are not counted: q, r",
    ],
    [
      { check: "vectors-pending", severity: "warning", pending: 5 },
      "warning: 5 passages have no vector yet, so the figures are not final; make them with: kb index",
    ],
    [
      { check: "degraded", severity: "warning", query_count: 2, reason: "no model" },
      "warning: 2 answers are without meaning: no model",
    ],
  ])("tells %j", (finding, sentence) => {
    expect(formatFindings({ ...REPORT, findings: [finding] })).toEqual([`kb: ${sentence}`]);
  });

  test("tells why nothing is compared, and what went wrong with the history", () => {
    const history = { ...REPORT.history, problems: ["it is gone"] };
    expect(formatFindings({ ...REPORT, incomparable: "no earlier run compares", history })).toEqual([
      "kb: no earlier run compares",
      "kb: it is gone",
    ]);
  });
});
