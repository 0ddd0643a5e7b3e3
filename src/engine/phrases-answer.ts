/**
 * The phrases leg, asked and put on a scale that also holds in a folder of a few notes.
 *
 * In a small index FTS5's scores say little (see `core/lexical-scale.ts`), so its matches
 * are scored again there; in a large one its own scores are kept.
 */
import { analyseQuery, type QueryTerm } from "../core/analyse.ts";
import type { Candidate } from "../core/candidate.ts";
import { compareCodePoints } from "../core/code-point-order.ts";
import type { ScoreScale } from "../core/fusion.ts";
import {
  LEXICAL_SCALE_FLOOR,
  lexicalScale,
  rescoreSmall,
  SMALL_INDEX_MAX_CHUNKS,
} from "../core/lexical-scale.ts";
import { normalizeText } from "../core/normalize.ts";
import { formatMatchExpression, type QueryPlan } from "../core/query/plan.ts";
import { getPassages } from "../store/chunks.ts";
import type { IndexDatabase } from "../store/open.ts";
import { type PhraseSearch, type PhraseWeights, searchPhrases } from "../store/phrases-leg.ts";
import { askUntilFull, type ExclusionTest } from "./exclusion-test.ts";

export interface PhrasesRequest extends PhraseSearch {
  readonly weights: PhraseWeights;
  /** Chunks in the index. */
  readonly totalChunks: number;
  readonly passes: ExclusionTest;
}

export interface PhrasesAnswer {
  readonly candidates: readonly Candidate[];
  readonly scale: ScoreScale;
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
  const quoted = new Set(plan.segments.filter(({ kind }) => kind === "quoted").map(({ text }) => text));
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
): PhrasesAnswer | undefined {
  if (phrases.length === 0) return undefined;
  const isSmall = request.totalChunks <= SMALL_INDEX_MAX_CHUNKS;
  const poolSize = isSmall ? Math.max(request.poolSize, SMALL_INDEX_MAX_CHUNKS) : request.poolSize;
  const matchExpression = formatMatchExpression(phrases);
  const found = askUntilFull(poolSize, request.passes, (asked) =>
    searchPhrases(db, matchExpression, { ...request, poolSize: asked }),
  );
  const candidates = isSmall ? scoreAgain(db, phrases, found, request) : found;
  return { candidates, scale: { zero: 0, one: lexicalScale(candidates[0]?.raw ?? 0, LEXICAL_SCALE_FLOOR) } };
}

function scoreAgain(
  db: IndexDatabase,
  phrases: readonly string[],
  found: readonly Candidate[],
  { totalChunks, weights, poolSize }: PhrasesRequest,
): Candidate[] {
  const ids = found.map(({ chunkId }) => chunkId);
  const texts = getPassages(db, ids).map(({ chunkId, chunk: { heading, context, content } }) => ({
    chunkId,
    heading: heading === null ? null : normalizeText(heading),
    context: normalizeText(context),
    content: normalizeText(content),
  }));
  const scores = rescoreSmall(phrases, texts, totalChunks, weights);
  return found
    .map((candidate) => ({ ...candidate, raw: scores.get(candidate.chunkId) ?? 0 }))
    .sort((a, b) => b.raw - a.raw || compareCodePoints(a.path, b.path) || a.chunkIndex - b.chunkIndex)
    .slice(0, poolSize);
}
