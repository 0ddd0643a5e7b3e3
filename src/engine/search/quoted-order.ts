/**
 * What stands in quotes comes first: passages that hold the quoted texts before all others.
 *
 * Looked up once for all candidates, so that a passage counts whichever leg proposed it. The
 * order among passages that hold the same of them stays that of fusion.
 */
import { comparePlaces, type FusedCandidate } from "../../core/candidate.ts";
import type { ChunkId } from "../../core/document.ts";
import { isSearchable } from "../../core/query/phrases.ts";
import { formatMatchExpression, type QueryPlan } from "../../core/query/plan.ts";
import { quotedTexts } from "../../core/query/quotes.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { listPhraseMatches } from "../../store/phrases-leg.ts";

export interface QuotedOrder {
  /** Best first. */
  readonly ranked: readonly FusedCandidate[];
  /** Quoted texts that no passage of the index holds, normalised. */
  readonly notFound: readonly string[];
  /** The share of the quoted texts that a candidate holds, 0 to 1; undefined when nothing is quoted. */
  readonly heldShare: ((chunkId: ChunkId) => number) | undefined;
}

/**
 * Scores become the mean of the fused score and the share of the quoted texts that the passage
 * holds; without quotes (of three characters or more) nothing changes.
 */
export function putQuotedFirst(
  db: IndexDatabase,
  { segments }: QueryPlan,
  fused: readonly FusedCandidate[],
): QuotedOrder {
  const searchable = [...quotedTexts(segments)].filter(isSearchable);
  if (searchable.length === 0) return { ranked: fused, notFound: [], heldShare: undefined };
  const holders = searchable.map((text) => listPhraseMatches(db, formatMatchExpression([text])));
  const heldShare = (chunkId: ChunkId) => holders.filter((ids) => ids.has(chunkId)).length / holders.length;
  const ranked = fused
    .map((candidate) => ({ ...candidate, score: (candidate.score + heldShare(candidate.chunkId)) / 2 }))
    .sort((a, b) => b.score - a.score || comparePlaces(a, b));
  return { ranked, notFound: searchable.filter((_, offset) => holders[offset]?.size === 0), heldShare };
}
