/**
 * One search: compile, embed, ask the legs, fuse, fetch, mark.
 *
 * The one function behind `kb search`, the MCP tool and evaluation. Legs are entries of a
 * list, each with its own scale; a leg that cannot answer is left out and named. Opening the
 * index and its freshness are the business of `engine.ts`.
 */

import { LIMIT_MAX, type SearchRequest } from "../../config/request.ts";
import type { Config } from "../../config/schema.ts";
import type { Embedder } from "../../core/embedder.ts";
import type { LegInput } from "../../core/fusion.ts";
import { normalizeText } from "../../core/normalize.ts";
import { compileQuery, type QueryPlan } from "../../core/query/plan.ts";
import { AppError, sentencesOf } from "../../errors.ts";
import { getPassages } from "../../store/chunks.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { readStatusCounts, type StatusCounts } from "../../store/status-counts.ts";
import { dataVersionOf, readInTransaction } from "../../store/transaction.ts";
import { compileDocumentFilter } from "./document-filter.ts";
import { exclusionTest } from "./exclusion-test.ts";
import { hitOf } from "./hit.ts";
import { askDenseLeg, askLexicalLegs, fuseLegs } from "./legs.ts";
import type { LegRequest } from "./lexical-leg.ts";
import { markingOf } from "./marking.ts";
import { describeQuery, hasWords } from "./query-info.ts";
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
  { times }: SearchOptions = {},
): Promise<FoundAnswer> {
  const limit = Math.min(request.limit ?? config.search.limit, LIMIT_MAX);
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

  const askByWords = (): WordsAnswer => {
    const counts = readStatusCounts(db);
    const choice = chooseTerms(db, plan, counts.chunks);
    const legRequest: LegRequest = {
      ...filter.resolve(db),
      poolSize: Math.max(POOL_PER_HIT * limit, POOL_MIN),
      totalChunks: counts.chunks,
      passes: exclusionTest(db, plan.exclusions),
    };
    const isEmpty = limit === 0 || legRequest.documentIds?.length === 0;
    const legs = isEmpty ? [] : askLexicalLegs(db, { plan, choice }, legRequest, config.search.fusion);
    return { counts, choice, legRequest, legs };
  };
  const early = readInTransaction(db, () => ({ version: dataVersionOf(db), answer: askByWords() }));
  times?.mark("legs by words");
  const question = await embedding;
  times?.mark("waiting for the vector");

  return readInTransaction(db, () => {
    // Somebody may have written meanwhile: then all is asked again, of one state.
    const byWords = dataVersionOf(db) === early.version ? early.answer : askByWords();
    const { counts, choice, legRequest } = byWords;
    const dense =
      question.vector === undefined
        ? []
        : askDenseLeg(db, question.vector, byWords.legs, legRequest, config.search.fusion);
    times?.mark("leg by meaning");
    const legs = [...byWords.legs, ...dense];
    const pool = fuseLegs(legs, plan.words, counts.vectorCoverage, config.search.fusion);
    const { ranked, notFound } = putQuotedFirst(db, plan, pool);
    const fused = ranked.slice(0, limit);
    const passages = getPassages(
      db,
      fused.map(({ chunkId }) => chunkId),
    );
    const marking = markingOf(request.query, plan, { unit: spanUnit, scripts: config.search.span_scripts });
    const results = passages.map((passage, offset) => hitOf(passage, fused[offset]!, marking));
    times?.mark("fusion, passages, spans");
    return {
      results,
      filter_applied: {
        ...filter.applied,
        ...(plan.exclusions.length === 0 ? {} : { exclude_terms: plan.exclusions }),
      },
      query_info: describeQuery(
        { plan, choice, request, notFound },
        results.length > 0 || limit === 0 ? undefined : { filteredAway: filter.explainEmpty(db, legRequest) },
      ),
      span_unit: spanUnit,
      counts,
      ...(question.problem === undefined
        ? {}
        : { degraded: "dense" as const, degraded_reason: question.problem }),
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

const POOL_MIN = 100;
const POOL_PER_HIT = 5;

/** Above this a query's vector says little but that it is unknown, and all such queries are neighbours. */
const MAX_UNKNOWN_SHARE = 0.5;

interface Question {
  readonly vector: Float32Array | undefined;
  readonly problem: string | undefined;
}

const NO_QUESTION: Promise<Question> = Promise.resolve({ vector: undefined, problem: undefined });

/** The query's vector; none for a query without words, which would have arbitrary neighbours. */
async function embedQuestion(
  plan: QueryPlan,
  db: IndexDatabase,
  embedder: Embedder,
  times: StageTimes | undefined,
): Promise<Question> {
  if (!hasWords(plan.positiveText)) return { vector: undefined, problem: undefined };
  const { chunks, pending } = readStatusCounts(db);
  if (chunks === 0) return { vector: undefined, problem: undefined };
  if (chunks === pending)
    return {
      vector: undefined,
      problem: "passages are found by their words only until their vectors are made (kb index)",
    };
  if (embedder.unknownShare(plan.positiveText) > MAX_UNKNOWN_SHARE)
    return {
      vector: undefined,
      problem:
        "passages are found by their words only: the model does not know most of the query's characters",
    };
  const end = times?.beginBeside("embedding the question");
  try {
    const vector = await embedder.embedQuery(plan.positiveText);
    end?.();
    return { vector, problem: undefined };
  } catch (thrown) {
    // A runtime that was asked for and does not load is the user's to change.
    if (!(thrown instanceof AppError) || thrown.code === "config") throw thrown;
    return {
      vector: undefined,
      problem: `passages are found by their words only: ${sentencesOf(thrown)}`,
    };
  }
}
