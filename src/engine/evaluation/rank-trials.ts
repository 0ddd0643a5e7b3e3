/**
 * One golden query under every setting that is tried, judged.
 *
 * In go the answers of the legs, out comes a figure for each setting. Joined as a search does: with its weights, what
 * is quoted first, grouped where the request or the configuration says so; variety and widening
 * are left out, which change what is shown of a ranking.
 */
import type { GoldenQuery } from "../../config/golden-file.ts";
import type { Config } from "../../config/schema.ts";
import type { FusedCandidate } from "../../core/candidate.ts";
import type { ChunkId } from "../../core/document.ts";
import { groupByDocument } from "../../core/grouping.ts";
import { judge, meets } from "../../core/judging.ts";
import { getPassages, type Passage } from "../../store/chunks.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { answerOptionsOf } from "../search/answer-options.ts";
import { fuseLegs, weightsFor } from "../search/legs.ts";
import { putQuotedFirst } from "../search/quoted-order.ts";
import type { LegAnswers } from "./ask-legs.ts";
import { metricsOf } from "./ask-queries.ts";
import type { QueryMetrics } from "./eval-report.ts";
import type { TunedSettings } from "./tuned-settings.ts";

export interface TrialParts {
  readonly db: IndexDatabase;
  readonly config: Config;
}

export interface TrialDepths {
  /** How many hits count. */
  readonly depth: number;
  /** At which the figures are counted. */
  readonly depths: readonly number[];
}

/** The figures of a query that expects something, for each of the settings; equal rankings share one object. */
export function rankTrials(
  { db, config }: TrialParts,
  query: GoldenQuery,
  answers: LegAnswers,
  settings: readonly TunedSettings[],
  { depth, depths }: TrialDepths,
): QueryMetrics[] {
  const { groupBy } = answerOptionsOf({ ...query.filters, query: query.query }, config);
  const rankings = settings.map((tried) => {
    const ranked = rankOnce(db, answers, tried);
    const hits = groupBy === "document" ? groupByDocument(ranked).map(({ best }) => best) : ranked;
    return hits.slice(0, depth);
  });
  const passages = passagesToJudge(db, query, rankings);
  const known = new Map<string, QueryMetrics>();
  return rankings.map((ranking) => {
    const key = ranking.map(({ chunkId }) => chunkId).join();
    const metrics = known.get(key) ?? judgeRanking(query, ranking, passages, depths);
    known.set(key, metrics);
    return metrics;
  });
}

function rankOnce(
  db: IndexDatabase,
  { plan, legs, vectorCoverage }: LegAnswers,
  { fusion, headingFactor }: TunedSettings,
): readonly FusedCandidate[] {
  const weights = weightsFor(plan.words, vectorCoverage, fusion);
  return putQuotedFirst(db, plan, fuseLegs(legs.get(headingFactor)!, weights, fusion)).ranked;
}

/** Only what can meet an expectation is looked up. */
function passagesToJudge(
  db: IndexDatabase,
  { expected }: GoldenQuery,
  rankings: readonly (readonly FusedCandidate[])[],
): Map<ChunkId, Passage> {
  const paths = new Set(expected.map(({ path }) => path));
  const ids = new Set(
    rankings.flatMap((ranking) =>
      ranking.filter(({ path }) => paths.has(path)).map(({ chunkId }) => chunkId),
    ),
  );
  return new Map(getPassages(db, [...ids]).map((passage) => [passage.chunkId, passage]));
}

function judgeRanking(
  { expected }: GoldenQuery,
  ranking: readonly FusedCandidate[],
  passages: ReadonlyMap<ChunkId, Passage>,
  depths: readonly number[],
): QueryMetrics {
  const isMet = (hit: number, at: number) => {
    const passage = passages.get(ranking[hit]!.chunkId);
    if (passage === undefined) return false;
    const { heading, content, lines } = passage.chunk;
    return meets({ path: passage.path, heading, content, lines }, expected[at]!);
  };
  const judgment = judge(ranking.length, expected, isMet);
  return metricsOf(
    judgment,
    expected.map(({ grade }) => grade),
    depths,
  );
}
