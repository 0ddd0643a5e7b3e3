/**
 * One measurement: the golden queries asked, judged, compared with an earlier run, and remembered.
 *
 * Everything it says of the index comes from one view of it. Asking is `ask-queries.ts`, the figures
 * `aggregate.ts`, the comparison `compare-runs.ts`; how it is shown is left to the command.
 */
import type { EvalHistory, StoredRun } from "../../config/eval-history.ts";
import { quantile } from "../../core/quantile.ts";
import { AppError } from "../../errors.ts";
import { digestCorpus } from "../../store/corpus.ts";
import { readStatusCounts } from "../../store/status-counts.ts";
import { holdReadView } from "../../store/transaction.ts";
import type { SearchParts } from "../search/search-index.ts";
import { aggregate, separationOf, slicesOf } from "./aggregate.ts";
import { askQueries } from "./ask-queries.ts";
import { compareRuns, diffOf, type Reference } from "./compare-runs.ts";
import type { EvalReport } from "./eval-report.ts";
import { findFindings } from "./findings.ts";
import { differencesOf, fingerprintOf, isComparable } from "./fingerprint.ts";
import { loadGolden } from "./golden.ts";
import { addToHistory, historyFileOf, readHistory } from "./history-file.ts";

export interface EvalParts extends SearchParts {
  readonly root: string;
}

export interface EvalOptions {
  /** The golden file, relative to `cwd`; else as the configuration says. */
  readonly golden: string | undefined;
  readonly cwd: string;
  /** Hits to ask for, 1 to 1000; else what the golden file says, else the largest depth. */
  readonly limit: number | undefined;
  /** Depths to count at; else as the configuration says. */
  readonly depths: readonly number[] | undefined;
  /** Name of the run to compare with; else the newest that compares. */
  readonly baseline: string | undefined;
  /** Name to remember this run under. */
  readonly saveBaseline: string | undefined;
  /** Whether a comparison is required, unless there is no run yet. */
  readonly mustCompare: boolean;
  /** Told after each query. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Measures, and adds the run to the history; where that cannot be written the report says so.
 *
 * @throws {AppError} `missing` or `config` for the golden file; `missing` for a baseline that does not exist;
 *   `incompatible` if a required comparison is impossible, before anything is asked or saved; `io` if the
 *   history is refused.
 */
export async function evaluate(parts: EvalParts, options: EvalOptions): Promise<EvalReport> {
  const { db, config, embedder, root } = parts;
  const { file, golden, hash } = loadGolden({ root, config, named: options.golden, cwd: options.cwd });
  const depths = [...new Set(options.depths ?? config.eval.k)].sort((a, b) => a - b);
  const limit = options.limit ?? golden.limit ?? depths.at(-1)!;
  const historyFile = historyFileOf(file);
  const { history } = readHistory(historyFile);
  const timestamp = new Date().toISOString();

  using _view = holdReadView(db);
  const counts = readStatusCounts(db);
  const fingerprint = fingerprintOf(db, config, embedder, { limit, depths, goldenHash: hash });
  const reference = findReference(history, fingerprint, options);
  const asked = await askQueries(parts, golden.queries, {
    depth: Math.max(limit, depths.at(-1)!),
    depths,
    onProgress: options.onProgress,
  });
  const queries = asked.map(({ report }) => report);
  const judged = queries.filter(({ metrics }) => metrics !== null);
  const run: StoredRun = {
    timestamp,
    fingerprint,
    corpus: { documents: counts.documents, chunks: counts.chunks, digest: digestCorpus(db) },
    aggregate: aggregate(queries, depths),
    per_query: judged.map(({ id, rank, metrics }) => ({ id, rank, metrics: metrics! })),
  };
  const findings = findFindings(db, golden.queries, asked);
  const comparison =
    reference.found === undefined
      ? null
      : compareRuns(run, reference.found, config.eval.regression_threshold);
  const previous = reference.found?.run ?? history.runs[0] ?? null;
  const unanswerable = golden.queries.flatMap(({ isUnanswerable }, at) =>
    isUnanswerable ? queries[at]! : [],
  );
  const times = queries.map(({ milliseconds }) => milliseconds);
  return {
    timestamp,
    golden_file: file,
    fingerprint,
    runtime: embedder.runtime.name,
    corpus: run.corpus,
    corpus_changed: previous === null ? null : isOtherCorpus(run, previous),
    aggregate: run.aggregate,
    slices: slicesOf(queries, depths),
    unanswerable: separationOf(judged, unanswerable),
    latency: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
    per_query: queries,
    findings,
    previous,
    comparison,
    diff: comparison === null ? null : diffOf(comparison),
    incomparable: reference.problem ?? null,
    history: await remember(historyFile, run, options, config.eval.history_size),
  };
}

interface FoundReference {
  readonly found?: Reference;
  /** Why there is none although there are runs. */
  readonly problem?: string;
}

/** The baseline that was named, else the newest run that compares. */
function findReference(
  { runs, baselines }: EvalHistory,
  fingerprint: StoredRun["fingerprint"],
  { baseline, mustCompare }: EvalOptions,
): FoundReference {
  const named =
    baseline === undefined || !Object.hasOwn(baselines, baseline) ? undefined : baselines[baseline];
  if (baseline !== undefined && named === undefined)
    throw new AppError("missing", `no baseline ${JSON.stringify(baseline)} in the history`, {
      hint:
        Object.keys(baselines).length === 0
          ? `Save one with: kb eval --save-baseline ${baseline}`
          : `There are: ${Object.keys(baselines).join(", ")}.`,
    });
  const candidates = named === undefined ? runs : [named];
  const found = candidates.find((run) => isComparable(run.fingerprint, fingerprint));
  if (found !== undefined) return { found: { run: found, baseline } };
  const nearest = candidates[0];
  if (nearest === undefined) return {};
  const what =
    named === undefined ? "no earlier run" : `the baseline ${JSON.stringify(baseline)} is not one that`;
  const problem = `${what} compares with this one; different: ${differencesOf(nearest.fingerprint, fingerprint).join(", ")}`;
  if (mustCompare)
    throw new AppError("incompatible", problem, {
      hint: "Make a new reference with `kb eval` without --fail-on-regression; nothing was measured or saved.",
    });
  return { problem };
}

function isOtherCorpus({ corpus }: StoredRun, { corpus: other }: StoredRun): boolean {
  return (
    corpus.documents !== other.documents || corpus.chunks !== other.chunks || corpus.digest !== other.digest
  );
}

/** A report is worth having also where nothing can be remembered. */
async function remember(
  file: string,
  run: StoredRun,
  { saveBaseline }: EvalOptions,
  size: number,
): Promise<EvalReport["history"]> {
  try {
    const problems = await addToHistory(file, { run, baseline: saveBaseline, size });
    return { file, saved: true, problems };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { file, saved: false, problems: [`this run is not remembered: ${thrown.message}`] };
  }
}
