/**
 * The phrases leg, asked and put on a scale that also holds in a folder of a few notes.
 *
 * In a small index FTS5's scores say little (see `core/lexical-scale.ts`), so its matches
 * are scored again there; in a large one its own scores are kept.
 */
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
import type { QueryPlan } from "../core/query/plan.ts";
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

/** @returns Undefined when the query holds nothing that the leg could look for. */
export function askPhrases(
  db: IndexDatabase,
  plan: QueryPlan,
  request: PhrasesRequest,
): PhrasesAnswer | undefined {
  if (plan.matchExpression === null) return undefined;
  const isSmall = request.totalChunks <= SMALL_INDEX_MAX_CHUNKS;
  const poolSize = isSmall ? Math.max(request.poolSize, SMALL_INDEX_MAX_CHUNKS) : request.poolSize;
  const { matchExpression } = plan;
  const found = askUntilFull(poolSize, request.passes, (asked) =>
    searchPhrases(db, matchExpression, { ...request, poolSize: asked }),
  );
  const candidates = isSmall ? scoreAgain(db, plan, found, request) : found;
  return { candidates, scale: { zero: 0, one: lexicalScale(candidates[0]?.raw ?? 0, LEXICAL_SCALE_FLOOR) } };
}

function scoreAgain(
  db: IndexDatabase,
  plan: QueryPlan,
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
  const scores = rescoreSmall(plan.literals, texts, totalChunks, weights);
  return found
    .map((candidate) => ({ ...candidate, raw: scores.get(candidate.chunkId) ?? 0 }))
    .sort((a, b) => b.raw - a.raw || compareCodePoints(a.path, b.path) || a.chunkIndex - b.chunkIndex)
    .slice(0, poolSize);
}
