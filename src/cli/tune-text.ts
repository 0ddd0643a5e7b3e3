/**
 * A tuning as text: what was tried, figures of the settings in use and of the best, and what to do.
 */
import { visible } from "../core/visible-text.ts";
import type {
  QueryDiagnosis,
  TrialReport,
  TuneReport,
  ValidationReport,
} from "../engine/evaluation/tune-report.ts";

/** Several lines, without a line end at the end. */
export function formatTuning(report: TuneReport): string {
  return [
    `golden file   ${visible(report.golden_file)}`,
    `queries       ${report.effective_count} tell settings apart, of ${report.usable_count} that expect something`,
    `tried         ${report.settings_tried} settings of ${report.method}`,
    ...(report.best === null || report.validation === null
      ? diagnosticsOf(report.diagnostics)
      : [
          ...figuresOf(report.current, report.best),
          ...validationOf(report.validation),
          ...changesOf(report),
          ...adviceOf(report),
        ]),
  ].join("\n");
}

/** A line for each, for stderr. */
export function formatTuningWarnings({ warnings, recommendation }: TuneReport): string[] {
  return [
    ...warnings.map((warning) => `kb: warning: ${visible(warning)}`),
    ...(recommendation === null
      ? [
          "kb: nothing to choose by: two queries are needed of which words find at least two passages each",
          "    Add queries with expectations to the golden file.",
        ]
      : []),
  ];
}

const SHOWN = 20;
const COLUMN = 9;

function diagnosticsOf(diagnostics: readonly QueryDiagnosis[]): string[] {
  if (diagnostics.length === 0) return [];
  return [
    "",
    "candidates    terms  phrases  dense  in common",
    ...diagnostics
      .slice(0, SHOWN)
      .map(
        ({ id, terms, phrases, dense, overlap }) =>
          `${"".padEnd(14)}${String(terms).padStart(5)}${cell(phrases)}${String(dense).padStart(7)}${String(overlap).padStart(11)}  ${visible(id)}`,
      ),
    ...moreThan(SHOWN, diagnostics.length),
  ];
}

function figuresOf({ measures: now }: TrialReport, { measures: then }: TrialReport): string[] {
  const rows: readonly (readonly [string, number, number])[] = [
    ...rowsOf("recall", now.recall_at_k, then.recall_at_k),
    ["mrr", now.mrr, then.mrr],
    ...rowsOf("ndcg", now.ndcg_at_k, then.ndcg_at_k),
  ];
  return [
    "",
    `${"".padEnd(14)}${"as set".padStart(COLUMN)}${"best".padStart(COLUMN)}`,
    ...rows.map(
      ([name, before, after]) =>
        `${name.padEnd(14)}${before.toFixed(3).padStart(COLUMN)}${after.toFixed(3).padStart(COLUMN)}`,
    ),
    "The best looks better on the queries it was chosen by than it is on others.",
  ];
}

function rowsOf(
  name: string,
  now: Readonly<Record<string, number>>,
  then: Readonly<Record<string, number>>,
): [string, number, number][] {
  return Object.entries(now).map(([k, value]) => [`${name}@${k}`, value, then[k]!]);
}

function validationOf({
  folds,
  rounds,
  mean_gain: gain,
  standard_error: error,
  stability,
  sign_test_p: signP,
  permutation_test_p: permutationP,
}: ValidationReport): string[] {
  return [
    "",
    `on others     nDCG@5 ${gain < 0 ? "−" : "+"}${Math.abs(gain).toFixed(3)}, standard error ${error.toFixed(3)} (${folds} parts, parted ${rounds} times)`,
    `chance        sign test p = ${signP.toFixed(3)}, permutation test p = ${permutationP.toFixed(3)}`,
    `stability     ${Math.round(100 * stability)} % of the parts choose the same`,
  ];
}

function changesOf({ changed_queries: changed }: TuneReport): string[] {
  if (changed.length === 0) return [];
  const better = changed.filter(({ before, after }) => after > before).length;
  return [
    "",
    `changed by the best (nDCG@5): ${better} better, ${changed.length - better} worse; the largest losses first`,
    ...changed
      .slice(0, SHOWN)
      .map(({ id, before, after }) => `  ${visible(id)}  ${before.toFixed(3)} -> ${after.toFixed(3)}`),
    ...moreThan(SHOWN, changed.length),
  ];
}

function adviceOf({ recommendation, reasons, toml }: TuneReport): string[] {
  if (recommendation === "adopt") return ["", "adopt: write into kb.toml", "", toml ?? ""];
  return [
    "",
    "keep the settings:",
    ...reasons.map(({ sentence }) => `  ${sentence}`),
    ...(toml === null
      ? []
      : ["", "the best, which is not recommended:", ...toml.split("\n").map((line) => `  # ${line}`)]),
  ];
}

function moreThan(shown: number, count: number): string[] {
  return count > shown ? [`  and ${count - shown} more: kb tune --json`] : [];
}

function cell(value: number): string {
  return String(value).padStart(COLUMN);
}
