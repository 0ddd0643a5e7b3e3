/**
 * The terms leg, asked: which terms of the question are looked up, and on what scale.
 *
 * Terms that most of the index has are left out while better ones exist: they cost time and
 * say nothing. In a small index the matches are scored again, as FTS5's scores mean little there.
 */
import {
  analyseDocumentField,
  analyseQuery,
  formatTermsExpression,
  type QueryTerm,
} from "../core/analyse.ts";
import type { Candidate } from "../core/candidate.ts";
import { compareCodePoints } from "../core/code-point-order.ts";
import type { ScoreScale } from "../core/fusion.ts";
import { LEXICAL_SCALE_FLOOR, SMALL_INDEX_MAX_CHUNKS } from "../core/lexical-scale.ts";
import { normalizeText } from "../core/normalize.ts";
import type { QueryPlan } from "../core/query/plan.ts";
import { evidenceScale, reachOf, scoreTerms, type TermFieldWeights } from "../core/term-score.ts";
import { getPassages } from "../store/chunks.ts";
import type { IndexDatabase } from "../store/open.ts";
import { countTermMatches, searchTerms, type TermSearch } from "../store/terms-leg.ts";
import { askUntilFull, type ExclusionTest } from "./exclusion-test.ts";

export interface TermsRequest extends TermSearch {
  readonly weights: TermFieldWeights;
  /** Chunks in the index. */
  readonly totalChunks: number;
  readonly passes: ExclusionTest;
}

export interface TermsAnswer {
  readonly candidates: readonly Candidate[];
  readonly scale: ScoreScale;
}

/** Which terms of a question are looked up. */
export interface TermChoice {
  readonly terms: readonly QueryTerm[];
  /** Left out because most of the index has them. */
  readonly common: readonly QueryTerm[];
  /** Found so often that looking for them letter by letter as well costs much and tells nothing. */
  readonly frequent: readonly QueryTerm[];
  /** Distinct terms beyond what is looked up at most. */
  readonly cappedCount: number;
  /** Score of a passage that has every term once; what is in no passage counts too. */
  readonly reach: number;
}

/** Share of the chunks above which a term is common. */
const COMMON_SHARE = 0.3;
/** Share of the chunks above which a term is frequent. */
const FREQUENT_SHARE = 0.05;

/** Undefined when the question has no terms. */
export function chooseTerms(db: IndexDatabase, plan: QueryPlan, totalChunks: number): TermChoice | undefined {
  const { terms, cappedCount } = analyseQuery(plan.segments.map(({ text }) => text).join(" "));
  if (terms.length === 0) return undefined;
  const counts = countTermMatches(db, terms);
  const exceeds = (offset: number, share: number) =>
    counts[offset]! > Math.max(share * totalChunks, SMALL_INDEX_MAX_CHUNKS);
  const isCommon = (offset: number) => exceeds(offset, COMMON_SHARE);
  const telling = terms.filter((_, offset) => !isCommon(offset) && counts[offset]! > 0);
  const common = telling.length > 0 ? terms.filter((_, offset) => isCommon(offset)) : [];
  return {
    terms: terms.filter((term) => !common.includes(term)),
    common,
    frequent: terms.filter((_, offset) => exceeds(offset, FREQUENT_SHARE)),
    cappedCount,
    reach: reachOf(
      counts.filter((_, offset) => !common.includes(terms[offset]!)),
      totalChunks,
    ),
  };
}

/** Asks the leg for the chosen terms. */
export function askTerms(db: IndexDatabase, choice: TermChoice, request: TermsRequest): TermsAnswer {
  const expression = formatTermsExpression(choice.terms);
  if (expression === null) return { candidates: [], scale: { zero: 0, one: LEXICAL_SCALE_FLOOR } };
  const isSmall = request.totalChunks <= SMALL_INDEX_MAX_CHUNKS;
  const poolSize = isSmall ? Math.max(request.poolSize, SMALL_INDEX_MAX_CHUNKS) : request.poolSize;
  const found = askUntilFull(poolSize, request.passes, (asked) =>
    searchTerms(db, expression, { ...request, poolSize: asked }),
  );
  const candidates = isSmall ? scoreAgain(db, choice.terms, found, request) : found;
  const best = candidates[0]?.raw ?? 0;
  return { candidates, scale: { zero: 0, one: evidenceScale(best, choice.reach, LEXICAL_SCALE_FLOOR) } };
}

function scoreAgain(
  db: IndexDatabase,
  terms: readonly QueryTerm[],
  found: readonly Candidate[],
  { totalChunks, weights, poolSize }: TermsRequest,
): Candidate[] {
  const ids = found.map(({ chunkId }) => chunkId);
  const analysed = getPassages(db, ids).map(({ chunkId, meta, chunk }) => ({
    chunkId,
    content: analyse(chunk.content),
    title: analyse(meta.title),
    headings: analyse(chunk.headingPath.join(" ")),
  }));
  const scores = scoreTerms(terms, analysed, totalChunks, weights);
  return found
    .map((candidate) => ({ ...candidate, raw: scores.get(candidate.chunkId) ?? 0 }))
    .sort((a, b) => b.raw - a.raw || compareCodePoints(a.path, b.path) || a.chunkIndex - b.chunkIndex)
    .slice(0, poolSize);
}

function analyse(text: string): string {
  return analyseDocumentField(normalizeText(text));
}
