/**
 * One search: compile, embed, ask the legs, fuse, fetch, mark.
 *
 * The one function behind `kb search`, the MCP tool and evaluation. Legs are entries of a
 * list, each with its own scale; a leg that cannot answer is left out and named. Opening the
 * index and its freshness are the business of `engine.ts`.
 */

import type { SearchRequest } from "../../config/request.ts";
import type { Config } from "../../config/schema.ts";
import type { FusedCandidate } from "../../core/candidate.ts";
import type { Embedder } from "../../core/embedder.ts";
import type { LegInput } from "../../core/fusion.ts";
import { normalizeText } from "../../core/normalize.ts";
import { compileQuery, type QueryPlan } from "../../core/query/plan.ts";
import { getPassages } from "../../store/chunks.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { readStatusCounts, type StatusCounts } from "../../store/status-counts.ts";
import { dataVersionOf, readInTransaction } from "../../store/transaction.ts";
import { chooseGroups, firstPoolSize, rankUntilFull, relevanceScale } from "./answer-groups.ts";
import { hitsOf } from "./answer-hits.ts";
import { answerOptionsOf } from "./answer-options.ts";
import { compileDocumentFilter } from "./document-filter.ts";
import { whyEmpty } from "./empty-reason.ts";
import { judgeAnswer } from "./evidence.ts";
import { exclusionTest } from "./exclusion-test.ts";
import { explainAnswer } from "./explain.ts";
import { askLexicalLegs, fuseLegs, weightsFor } from "./legs.ts";
import type { LegRequest } from "./lexical-leg.ts";
import { markingOf } from "./marking.ts";
import { askMeaning, type MeaningAnswer } from "./meaning-answer.ts";
import { describeQuery } from "./query-info.ts";
import { embedQuestion, NO_QUESTION } from "./question-vector.ts";
import { putQuotedFirst } from "./quoted-order.ts";
import type { SearchAnswer } from "./search-answer.ts";
import type { StageTimes } from "./stage-times.ts";
import { chooseTerms, type TermChoice } from "./terms-answer.ts";

export interface SearchParts {
  readonly db: IndexDatabase;
  readonly embedder: Embedder;
  readonly config: Config;
}

/** What a search finds; the state of the index is added by `engine.ts`. */
export type FoundAnswer = Omit<SearchAnswer, "index" | "engine"> & { readonly counts: StatusCounts };

/** What one search may be told beside its request. */
export interface SearchOptions {
  /** Told where the time goes. */
  readonly times?: StageTimes | undefined;
  /** Ends the search between two of its steps; it is rejected with what the signal says. */
  readonly signal?: AbortSignal | undefined;
  /** Told what the legs answered, for measuring what other settings would make of it. */
  readonly onLegs?: ((asked: AskedLegs) => void) | undefined;
}

/** The answers of the legs to one question, before they are weighed. */
export interface AskedLegs {
  readonly plan: QueryPlan;
  readonly legs: readonly LegInput[];
  /** Share of the passages that have a vector, 0 to 1. */
  readonly vectorCoverage: number;
}

/**
 * The question is embedded while the lexical legs are asked, if the embedder has a thread of its own.
 *
 * @throws {AppError} `usage` for an unreadable glob, `config` for a runtime that was asked for in vain;
 *   what a missing model or extension spoils is told in `degraded`.
 */
export async function searchIndex(
  { db, embedder, config }: SearchParts,
  request: SearchRequest,
  { times, signal, onLegs }: SearchOptions = {},
): Promise<FoundAnswer> {
  const options = answerOptionsOf(request, config);
  const { limit } = options;
  const filter = compileDocumentFilter(request, config.quality);
  const { exclude = [], span_unit: spanUnit = "byte" } = request;
  const plan = compileQuery(request.query, {
    exclusions: config.search.exclusions,
    exclude,
    normalize: normalizeText,
  });
  times?.mark("query");
  const embedding = limit === 0 ? NO_QUESTION : embedQuestion(plan, db, embedder, times);
  embedding.catch(() => undefined); // Told where it is waited for, unless something else fails first.

  const askByWords = (poolSize: number): WordsAnswer => {
    const counts = readStatusCounts(db);
    const choice = chooseTerms(db, plan, counts.chunks);
    const legRequest: LegRequest = {
      ...filter.resolve(db),
      poolSize,
      totalChunks: counts.chunks,
      passes: exclusionTest(db, plan.exclusions),
    };
    const isEmpty = limit === 0 || legRequest.documentIds?.length === 0;
    const legs = isEmpty ? [] : askLexicalLegs(db, { plan, choice }, legRequest, config.search.fusion);
    return { counts, choice, legRequest, legs };
  };
  const early = readInTransaction(db, () => ({
    version: dataVersionOf(db),
    answer: askByWords(firstPoolSize(limit)),
  }));
  times?.mark("legs by words");
  const question = await embedding;
  signal?.throwIfAborted();
  times?.mark("waiting for the vector");

  return readInTransaction(db, () => {
    // Somebody may have written meanwhile: then all is asked again, of one state.
    const isSame = dataVersionOf(db) === early.version;
    const { fusion } = config.search;
    const rank = (poolSize: number) => {
      const byWords =
        isSame && poolSize === early.answer.legRequest.poolSize ? early.answer : askByWords(poolSize);
      const { counts, legRequest } = byWords;
      const byMeaning: MeaningAnswer =
        question.vector === undefined
          ? { legs: [] }
          : askMeaning(db, question.vector, byWords.legs, legRequest, fusion);
      const legs = [...byWords.legs, ...byMeaning.legs];
      const weights = weightsFor(plan.words, counts.vectorCoverage, fusion);
      return {
        ...byWords,
        ...putQuotedFirst(db, plan, fuseLegs(legs, weights, fusion)),
        legs,
        weights,
        problem: question.problem ?? byMeaning.problem,
        documentCount: legRequest.documentIds?.length ?? counts.documents,
        isExhausted: legs.every(({ candidates }) => candidates.length < poolSize),
      };
    };
    const { pool, groups } = rankUntilFull(options, rank);
    times?.mark("leg by meaning, fusion");
    const { counts, choice, legRequest, legs, notFound, problem } = pool;
    onLegs?.({ plan, legs, vectorCoverage: counts.vectorCoverage });
    const weighing = { ...pool, plan, method: fusion.method };
    const chosen = chooseGroups(db, groups, options, relevanceScale(weighing, fusion.rrf_k));
    const verdict = judgeAnswer(
      { plan, choice, legs, best: bestOf(db, pool.ranked), vectorCoverage: counts.vectorCoverage },
      { asked: request.min_confidence_ratio, usual: config.search.min_confidence_ratio },
    );
    const marking = markingOf(request.query, plan, { unit: spanUnit, scripts: config.search.span_scripts });
    const shown = verdict.withheld === undefined ? chosen : [];
    const results = hitsOf(db, shown, options, marking, weighing);
    const explainEmpty = () =>
      verdict.withheld ??
      whyEmpty(db, {
        ...{ question: { plan, choice }, vector: question.vector, request: legRequest, filter, fusion },
      });
    times?.mark("passages, spans");
    return {
      results,
      low_confidence: verdict.isLow,
      confidence: verdict.confidence,
      filter_applied: {
        ...filter.applied,
        ...(plan.exclusions.length === 0 ? {} : { exclude_terms: plan.exclusions }),
        ...(request.min_confidence_ratio === undefined
          ? {}
          : { min_confidence_ratio: request.min_confidence_ratio }),
      },
      query_info: describeQuery(
        { plan, choice, request, notFound, ignored: options.ignored },
        results.length > 0 || limit === 0 ? undefined : explainEmpty(),
      ),
      ...(options.explain
        ? {
            explain: explainAnswer(db, weighing, counts.chunks, {
              ranked: pool.ranked,
              isVaried: options.mmr !== undefined,
            }),
          }
        : {}),
      span_unit: spanUnit,
      counts,
      ...(problem === undefined ? {} : { degraded: "dense" as const, degraded_reason: problem }),
    };
  });
}

/** What the legs by words answered, and what of the index they were asked with. */
interface WordsAnswer {
  readonly counts: StatusCounts;
  readonly choice: TermChoice | undefined;
  readonly legRequest: LegRequest;
  readonly legs: readonly LegInput[];
}

/** What an answer is judged by: the best passage as it was indexed, whatever is shown of it and in which order. */
function bestOf(db: IndexDatabase, [candidate]: readonly FusedCandidate[]) {
  if (candidate === undefined) return undefined;
  const [passage] = getPassages(db, [candidate.chunkId]);
  return passage === undefined ? undefined : { candidate, passage };
}
