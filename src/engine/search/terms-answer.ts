/**
 * The terms leg, asked: which terms of the question are looked up, and on what scale.
 *
 * Terms that most of the index has are left out while better ones exist: they cost time and
 * say nothing. How a lexical leg is asked, in a small index too, is `lexical-leg.ts`.
 */
import {
  analyseDocumentField,
  analyseQuery,
  formatTermsExpression,
  type QueryTerm,
} from "../../core/analyse.ts";
import { LEXICAL_SCALE_FLOOR, SMALL_INDEX_MAX_CHUNKS } from "../../core/lexical-scale.ts";
import { normalizeText } from "../../core/normalize.ts";
import type { QueryPlan } from "../../core/query/plan.ts";
import {
  type AnalysedChunk,
  evidenceScale,
  reachOf,
  scoreTerms,
  type TermFieldWeights,
  termIdf,
} from "../../core/term-score.ts";
import type { Passage } from "../../store/chunks.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { countTermMatches, searchTerms } from "../../store/terms-leg.ts";
import { askLexicalLeg, type LegRequest, type LexicalAnswer, type LexicalLeg } from "./lexical-leg.ts";

export interface TermsRequest extends LegRequest {
  readonly weights: TermFieldWeights;
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
  /**
   * The inverse document frequency of every term of the question, the common ones too, by `termKey`;
   * in a small index as if it were part of a larger one, since one passage makes no word common.
   */
  readonly rarity: ReadonlyMap<string, number>;
}

/** What tells terms apart: `税` the word and `税` the beginning are two. */
export function termKey({ text, isPrefix }: QueryTerm): string {
  return isPrefix ? `${text} *` : text;
}

/** Share of the chunks above which a term is common. */
const COMMON_SHARE = 0.3;
/** Share of the chunks above which a term is frequent. */
const FREQUENT_SHARE = 0.05;

/** With fewer passages a missing word would weigh several times as much as one that is there. */
const RARITY_MIN_CHUNKS = 50;

/** Undefined when the question has no terms. */
export function chooseTerms(db: IndexDatabase, plan: QueryPlan, totalChunks: number): TermChoice | undefined {
  const { terms, cappedCount } = analyseQuery(plan.segments.map(({ text }) => text).join(" "));
  if (terms.length === 0) return undefined;
  const counts = countTermMatches(db, terms);
  const exceeds = (offset: number, share: number) =>
    counts[offset]! > Math.max(share * totalChunks, SMALL_INDEX_MAX_CHUNKS);
  const isCommon = (offset: number) => exceeds(offset, COMMON_SHARE);
  const rarityOf = (count: number) => termIdf(count, Math.max(totalChunks, RARITY_MIN_CHUNKS));
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
    rarity: new Map(terms.map((term, offset) => [termKey(term), rarityOf(counts[offset]!)])),
  };
}

/** Asks the leg for the chosen terms. */
export function askTerms(db: IndexDatabase, choice: TermChoice, request: TermsRequest): LexicalAnswer {
  const expression = formatTermsExpression(choice.terms);
  if (expression === null) return { candidates: [], scale: { zero: 0, one: LEXICAL_SCALE_FLOOR } };
  const { totalChunks, weights } = request;
  const leg: LexicalLeg = {
    search: (filter, poolSize) => searchTerms(db, expression, { weights, ...filter, poolSize }),
    score: (passages) => scoreTerms(choice.terms, passages.map(analysedText), totalChunks, weights),
  };
  const candidates = askLexicalLeg(db, leg, request);
  const best = candidates[0]?.raw ?? 0;
  return { candidates, scale: { zero: 0, one: evidenceScale(best, choice.reach, LEXICAL_SCALE_FLOOR) } };
}

function analysedText({ chunkId, meta, chunk }: Passage): AnalysedChunk {
  return {
    chunkId,
    content: analyse(chunk.content),
    title: analyse(meta.title),
    headings: analyse(chunk.headingPath.join(" ")),
  };
}

function analyse(text: string): string {
  return analyseDocumentField(normalizeText(text));
}
