/**
 * The phrases leg, asked: which phrases are looked for, and on what scale.
 *
 * How a lexical leg is asked, in a small index too, is `lexical-leg.ts`.
 */
import { analyseQuery, type QueryTerm } from "../../core/analyse.ts";
import { type ChunkText, LEXICAL_SCALE_FLOOR, lexicalScale, rescoreSmall } from "../../core/lexical-scale.ts";
import { normalizeText } from "../../core/normalize.ts";
import { formatMatchExpression, type QueryPlan } from "../../core/query/plan.ts";
import { quotedTexts } from "../../core/query/quotes.ts";
import type { Passage } from "../../store/chunks.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { type PhraseWeights, searchPhrases } from "../../store/phrases-leg.ts";
import { askLexicalLeg, type LegRequest, type LexicalAnswer, type LexicalLeg } from "./lexical-leg.ts";

export interface PhrasesRequest extends LegRequest {
  readonly weights: PhraseWeights;
}

/**
 * Which of the phrases are looked for. Quoted ones always are. Words that the terms leg finds in
 * much of the index are not, so that the leg may have nothing to do; nor are particles, unless
 * nothing else is left.
 *
 * @param frequent Terms of the question that much of the index has.
 */
export function choosePhrases(plan: QueryPlan, frequent: readonly QueryTerm[]): readonly string[] {
  const frequentTerms = new Set(frequent.map(({ text }) => text));
  const quoted = quotedTexts(plan.segments);
  const isFrequent = (phrase: string) => {
    const { terms } = analyseQuery(phrase);
    return terms.length > 0 && terms.every(({ text }) => frequentTerms.has(text));
  };
  const rare = plan.literals.filter((phrase) => quoted.has(phrase) || !isFrequent(phrase));
  const telling = rare.filter((phrase) => quoted.has(phrase) || !HIRAGANA_ONLY.test(phrase));
  return telling.length > 0 ? telling : rare;
}

const HIRAGANA_ONLY = /^[\p{Script=Hiragana}ー]{1,5}$/u;

/** @returns Undefined when there is nothing that the leg could look for. */
export function askPhrases(
  db: IndexDatabase,
  phrases: readonly string[],
  request: PhrasesRequest,
): LexicalAnswer | undefined {
  if (phrases.length === 0) return undefined;
  const matchExpression = formatMatchExpression(phrases);
  const { totalChunks, weights } = request;
  const leg: LexicalLeg = {
    search: (filter, poolSize) => searchPhrases(db, matchExpression, { weights, ...filter, poolSize }),
    score: (passages) => rescoreSmall(phrases, passages.map(normalizedText), totalChunks, weights),
  };
  const candidates = askLexicalLeg(db, leg, request);
  return { candidates, scale: { zero: 0, one: lexicalScale(candidates[0]?.raw ?? 0, LEXICAL_SCALE_FLOOR) } };
}

function normalizedText({ chunkId, chunk: { heading, context, content } }: Passage): ChunkText {
  return {
    chunkId,
    heading: heading === null ? null : normalizeText(heading),
    context: normalizeText(context),
    content: normalizeText(content),
  };
}
