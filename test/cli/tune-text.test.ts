import { describe, expect, test } from "bun:test";
import { formatTuning, formatTuningWarnings } from "../../src/cli/tune-text.ts";
import type { TrialReport, TuneReport } from "../../src/engine/evaluation/tune-report.ts";

const trial = (mrr: number): TrialReport => ({
  settings: {
    weight_terms: 0.4,
    weight_phrases: 0.1,
    weight_dense: 0.5,
    terms_headings_weight: 1,
    heading_weight: 2,
    rrf_k: 60,
  },
  measures: { recall_at_k: { 5: 0.5 }, mrr, ndcg_at_k: { 5: mrr } },
});

const REPORT: TuneReport = {
  golden_file: "/notes/.kb-eval.yml",
  method: "convex",
  limit: 10,
  k_values: [5],
  usable_count: 60,
  effective_count: 55,
  settings_tried: 100,
  current: trial(0.5),
  best: trial(0.6),
  validation: {
    folds: 5,
    rounds: 10,
    mean_gain: 0.05,
    standard_error: 0.01,
    stability: 0.7,
    sign_test_p: 0.001,
    permutation_test_p: 0.002,
  },
  recommendation: "adopt",
  reasons: [],
  toml: "[search.fusion]\nweight_dense = 0.6",
  changed_queries: [
    { id: "worse", before: 1, after: 0.5 },
    { id: "better\u001b", before: 0, after: 1 },
  ],
  diagnostics: [],
  warnings: [],
};

describe("formatTuning", () => {
  test("shows both figures, what they are worth, and the lines to write", () => {
    expect(formatTuning(REPORT).split("\n")).toEqual([
      "golden file   /notes/.kb-eval.yml",
      "queries       55 tell settings apart, of 60 that expect something",
      "tried         100 settings of convex",
      "",
      "                 as set     best",
      "recall@5          0.500    0.500",
      "mrr               0.500    0.600",
      "ndcg@5            0.500    0.600",
      "The best looks better on the queries it was chosen by than it is on others.",
      "",
      "on others     nDCG@5 +0.050, standard error 0.010 (5 parts, parted 10 times)",
      "chance        sign test p = 0.001, permutation test p = 0.002",
      "stability     70 % of the parts choose the same",
      "",
      "changed by the best (nDCG@5): 1 better, 1 worse; the largest losses first",
      "  worse  1.000 -> 0.500",
      "  better<U+001B>  0.000 -> 1.000",
      "",
      "adopt: write into kb.toml",
      "",
      "[search.fusion]",
      "weight_dense = 0.6",
    ]);
  });

  test("gives every reason to keep what is set, and the best as a comment", () => {
    const reasons = [
      { check: "gain", sentence: "it gains little" },
      { check: "side_loss", sentence: "mrr falls" },
    ] as const;
    expect(formatTuning({ ...REPORT, recommendation: "keep", reasons })).toEndWith(
      "keep the settings:\n  it gains little\n  mrr falls\n\nthe best, which is not recommended:\n  # [search.fusion]\n  # weight_dense = 0.6",
    );
    const same = { ...REPORT, recommendation: "keep", reasons, toml: null, changed_queries: [] } as const;
    expect(formatTuning(same)).toEndWith("keep the settings:\n  it gains little\n  mrr falls");
  });

  test("shows what each query found where there is nothing to choose by", () => {
    const diagnosis = {
      terms: 1,
      phrases: 0,
      dense: 100,
      overlap: 1,
      is_sensitive: false,
      is_effective: false,
    };
    const diagnostics = Array.from({ length: 22 }, (_, at) => ({ id: `q${at}`, ...diagnosis }));
    const text = formatTuning({ ...REPORT, best: null, validation: null, recommendation: null, diagnostics });
    expect(text).toContain(
      "\ncandidates    terms  phrases  dense  in common\n                  1        0    100          1  q0\n",
    );
    expect(text).toEndWith("\n  and 2 more: kb tune --json");
  });
});

describe("formatTuningWarnings", () => {
  test("tells each warning, and what to do where nothing was tried", () => {
    expect(formatTuningWarnings({ ...REPORT, warnings: ["few queries"] })).toEqual([
      "kb: warning: few queries",
    ]);
    expect(formatTuningWarnings({ ...REPORT, recommendation: null })[0]).toContain("nothing to choose by");
  });
});
