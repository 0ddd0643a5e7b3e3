/**
 * Tuning: which settings of fusion a golden file speaks for, and whether surely enough. Changes nothing.
 *
 * Each query is asked once, and ranked in memory under every setting. What is chosen is counted on
 * queries it was not chosen by (`core/cross-validation.ts`); whether that suffices is
 * `core/adoption.ts`, which settings are tried `tuned-settings.ts`.
 */
import type { GoldenQuery } from "../../config/golden-file.ts";
import { reasonsToKeep, type SideFigure } from "../../core/adoption.ts";
import { type CrossValidation, crossValidate } from "../../core/cross-validation.ts";
import { meanOf, permutationTest, signTest, standardError } from "../../core/paired-differences.ts";
import { countPending } from "../../store/status-counts.ts";
import { holdReadView } from "../../store/transaction.ts";
import { askLegs, type LegAnswers } from "./ask-legs.ts";
import { embeddingOnce, warmUp } from "./embedding-once.ts";
import type { QueryMetrics } from "./eval-report.ts";
import type { EvalParts } from "./evaluate.ts";
import { loadGolden } from "./golden.ts";
import { rankTrials } from "./rank-trials.ts";
import { SettingFigures } from "./setting-figures.ts";
import type { QueryDiagnosis, TrialReport, TuneReport, ValidationReport } from "./tune-report.ts";
import { settingsToTry, TUNED_KEYS, type TunedSettings, tomlOf } from "./tuned-settings.ts";

export interface TuneOptions {
  /** The golden file, relative to `cwd`; else as the configuration says. */
  readonly golden: string | undefined;
  readonly cwd: string;
  /** Hits that count, 1 to 1000; else what the golden file says, else the largest depth. */
  readonly limit: number | undefined;
  /** Depths to count at; else as the configuration says. 5 is always one of them. */
  readonly depths: readonly number[] | undefined;
  /** Told after each query. */
  readonly onProgress: (done: number, total: number) => void;
}

/** @throws {AppError} `missing` or `config` for the golden file. */
export async function tune(parts: EvalParts, options: TuneOptions): Promise<TuneReport> {
  const { db, config, root } = parts;
  const { file, golden } = loadGolden({ root, config, named: options.golden, cwd: options.cwd });
  const depths = [...new Set([...(options.depths ?? config.eval.k), PRIMARY_DEPTH])].sort((a, b) => a - b);
  const limit = Math.max(options.limit ?? golden.limit ?? 0, depths.at(-1)!);
  const usable = golden.queries.filter(({ expected }) => expected.length > 0);
  const settings = settingsToTry(config.search.fusion);
  const headingFactors = [...new Set(settings.map(({ headingFactor }) => headingFactor))];

  using _view = holdReadView(db);
  const embedder = embeddingOnce(parts.embedder);
  await warmUp(embedder);
  const figures = new SettingFigures(settings.length, usable.length, depths);
  const diagnostics: QueryDiagnosis[] = [];
  const degraded: string[] = [];
  for (const [at, query] of usable.entries()) {
    const answers = await askLegs({ ...parts, embedder }, query, { depth: limit, headingFactors });
    const trials = rankTrials(parts, query, answers, settings, { depth: limit, depths });
    figures.add(at, trials);
    diagnostics.push(diagnose(query, answers, trials));
    if (answers.degraded !== undefined) degraded.push(answers.degraded);
    options.onProgress(at + 1, usable.length);
  }

  const effective = diagnostics.flatMap(({ is_effective: isEffective }, at) => (isEffective ? at : []));
  const trialOf = (at: number): TrialReport => ({
    settings: tunedPart(settings[at]!),
    measures: figures.measuresOf(at),
  });
  const base = {
    golden_file: file,
    method: config.search.fusion.method,
    limit,
    k_values: depths,
    usable_count: usable.length,
    effective_count: effective.length,
    settings_tried: settings.length,
    current: trialOf(0),
    diagnostics,
    warnings: warningsOf(golden.queries, effective.length, countPending(db), degraded),
  };
  if (effective.length < 2) return { ...base, ...NOTHING_TO_CHOOSE_BY };
  const validation = crossValidate(figures.primary, effective, PARTITION);
  const { refit } = validation;
  const best = trialOf(refit);
  const reasons = reasonsToKeep(validation, sideFigures(base.current, best));
  const [before, after] = [figures.primary[0]!, figures.primary[refit]!];
  return {
    ...base,
    best,
    validation: validationReport(validation),
    recommendation: reasons.length === 0 ? "adopt" : "keep",
    reasons,
    toml: refit === 0 ? null : tomlOf(settings[refit]!.fusion, config.search.fusion),
    changed_queries: usable
      .map(({ id }, at) => ({ id, before: before[at]!, after: after[at]! }))
      .filter((query) => query.before !== query.after)
      .sort((a, b) => a.after - a.before - (b.after - b.before)),
  };
}

/** By nDCG at this depth settings are chosen. */
const PRIMARY_DEPTH = 5;
const PARTITION = { folds: 5, rounds: 10, seed: 20_261_201 };
const FEW_QUERIES = 50;

const NOTHING_TO_CHOOSE_BY = {
  best: null,
  validation: null,
  recommendation: null,
  reasons: [],
  toml: null,
  changed_queries: [],
} as const;

function diagnose(
  { id }: GoldenQuery,
  { legs }: LegAnswers,
  trials: readonly QueryMetrics[],
): QueryDiagnosis {
  const idsOf = (name: string) =>
    new Set(
      legs
        .get(1)!
        .filter(({ leg }) => leg === name)
        .flatMap(({ candidates }) => candidates.map(({ chunkId }) => chunkId)),
    );
  const [terms, phrases, dense] = [idsOf("terms"), idsOf("phrases"), idsOf("dense")];
  const lexical = terms.union(phrases);
  const gainOf = (metrics: QueryMetrics) => metrics.ndcg_at_k[PRIMARY_DEPTH]!;
  return {
    id,
    terms: terms.size,
    phrases: phrases.size,
    dense: dense.size,
    overlap: lexical.intersection(dense).size,
    is_sensitive: trials.some((metrics) => gainOf(metrics) !== gainOf(trials[0]!)),
    is_effective: lexical.size >= 2,
  };
}

function tunedPart({ fusion }: TunedSettings): TrialReport["settings"] {
  return Object.fromEntries(TUNED_KEYS.map((key) => [key, fusion[key]])) as TrialReport["settings"];
}

function sideFigures({ measures: now }: TrialReport, { measures: then }: TrialReport): SideFigure[] {
  return [
    ...Object.entries(now.recall_at_k).map(([k, before]) => ({
      metric: `recall@${k}`,
      before,
      after: then.recall_at_k[k]!,
    })),
    { metric: "mrr", before: now.mrr, after: then.mrr },
  ];
}

function validationReport({ gains, stability }: CrossValidation): ValidationReport {
  return {
    folds: Math.min(PARTITION.folds, gains.length),
    rounds: PARTITION.rounds,
    mean_gain: meanOf(gains),
    standard_error: standardError(gains),
    stability,
    sign_test_p: signTest(gains),
    permutation_test_p: permutationTest(gains),
  };
}

function warningsOf(
  queries: readonly GoldenQuery[],
  effectiveCount: number,
  pending: number,
  degraded: readonly string[],
): string[] {
  const unjudged = queries.filter(({ expected, isUnanswerable }) => expected.length === 0 && !isUnanswerable);
  return [
    ...(effectiveCount < FEW_QUERIES
      ? [
          `only ${effectiveCount} queries tell settings apart; with fewer than ${FEW_QUERIES} hardly any gain is sure`,
        ]
      : []),
    ...(unjudged.length > 0
      ? [
          `${unjudged.length} queries expect nothing and do not count: ${unjudged.map(({ id }) => id).join(", ")}`,
        ]
      : []),
    ...(pending > 0 ? [`${pending} passages have no vector yet; make them with: kb index`] : []),
    ...(degraded.length > 0 ? [`${degraded.length} answers are without meaning: ${degraded[0]}`] : []),
  ];
}
