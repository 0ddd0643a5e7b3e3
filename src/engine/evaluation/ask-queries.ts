/**
 * The golden queries, asked one after the other by the search that everybody uses.
 *
 * In go the parts of a search and the queries; out come their hits, judged, with the time each took.
 * The caller holds the view of the index that all of them see.
 */
import type { GoldenQuery } from "../../config/golden-file.ts";
import { firstRank, type Judgment, judge, meets } from "../../core/judging.ts";
import { normalisedGain, recallAt, reciprocalRank } from "../../core/metrics.ts";
import { type FoundAnswer, type SearchParts, searchIndex } from "../search/search-index.ts";
import { embeddingOnce, warmUp } from "./embedding-once.ts";
import type { QueryMetrics, QueryReport } from "./eval-report.ts";

export interface AskedQuery {
  readonly report: QueryReport;
  /** Why meaning could not be searched; undefined if it was. */
  readonly degraded: string | undefined;
}

export interface AskOptions {
  /** How many hits to ask for. */
  readonly depth: number;
  /** At which the figures are counted. */
  readonly depths: readonly number[];
  /** Told after each query. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Each distinct query is embedded once; the model is loaded before the first is timed. */
export async function askQueries(
  parts: SearchParts,
  queries: readonly GoldenQuery[],
  { depth, depths, onProgress }: AskOptions,
): Promise<AskedQuery[]> {
  const embedder = embeddingOnce(parts.embedder);
  await warmUp(parts.embedder);
  const asked: AskedQuery[] = [];
  for (const query of queries) {
    const begin = performance.now();
    const answer = await searchIndex(
      { ...parts, embedder },
      { ...query.filters, query: query.query, limit: depth },
    );
    const milliseconds = performance.now() - begin;
    asked.push({
      report: reportOf(query, answer, depths, milliseconds),
      degraded: answer.degraded === undefined ? undefined : (answer.degraded_reason ?? answer.degraded),
    });
    onProgress(asked.length, queries.length);
  }
  return asked;
}

function reportOf(
  { id, query, expected, tags }: GoldenQuery,
  answer: FoundAnswer,
  depths: readonly number[],
  milliseconds: number,
): QueryReport {
  const hits = answer.results;
  const judgment = judge(hits.length, expected, (hit, at) => meets(hits[hit]!, expected[at]!));
  return {
    id,
    query,
    expected,
    tags,
    top_k: hits.map(({ path, heading, score }, offset) => ({ rank: offset + 1, path, heading, score })),
    rank: firstRank(judgment) ?? null,
    metrics:
      expected.length === 0
        ? null
        : metricsOf(
            judgment,
            expected.map(({ grade }) => grade),
            depths,
          ),
    ...confidenceIn(answer),
    milliseconds: Math.round(milliseconds * 100) / 100,
  };
}

/** The figures of one query. @param ideal The grades of all its expectations. */
export function metricsOf(
  { ranks, grades }: Judgment,
  ideal: readonly number[],
  depths: readonly number[],
): QueryMetrics {
  return {
    recall_at_k: Object.fromEntries(depths.map((k) => [k, recallAt(ranks, k)])),
    reciprocal_rank: reciprocalRank(grades, grades.length),
    ndcg_at_k: Object.fromEntries(depths.map((k) => [k, normalisedGain(grades, k, ideal)])),
  };
}

/** What an answer says about itself, if it does. */
function confidenceIn(answer: object): Pick<QueryReport, "confidence" | "low_confidence"> {
  const { confidence, low_confidence: isLow } = answer as {
    readonly confidence?: { readonly score?: unknown };
    readonly low_confidence?: unknown;
  };
  const score = confidence?.score;
  return {
    confidence: typeof score === "number" ? score : null,
    low_confidence: typeof isLow === "boolean" ? isLow : null,
  };
}
