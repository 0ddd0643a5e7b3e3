/**
 * What asking a lexical leg means, whichever it is: enough candidates that pass, and scores
 * that also hold in a folder of a few notes.
 *
 * In a small index FTS5's scores say little (see `core/lexical-scale.ts`), so there the pool
 * takes every match and the leg scores it again. What is looked for, and the scale, are
 * `phrases-answer.ts` and `terms-answer.ts`.
 */
import { type Candidate, comparePlaces } from "../../core/candidate.ts";
import type { ChunkId } from "../../core/document.ts";
import type { ScoreScale } from "../../core/fusion.ts";
import { SMALL_INDEX_MAX_CHUNKS } from "../../core/lexical-scale.ts";
import { getPassages, type Passage } from "../../store/chunks.ts";
import { listPassingChunks } from "../../store/document-filter.ts";
import type { ChunkFilter } from "../../store/filters.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { askUntilFull, type ExclusionTest } from "./exclusion-test.ts";

/** What every leg is asked with; the dense leg takes it too. */
export interface LegRequest extends ChunkFilter {
  /** At most so many candidates. */
  readonly poolSize: number;
  /** Chunks in the index. */
  readonly totalChunks: number;
  readonly passes: ExclusionTest;
}

export interface LexicalAnswer {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  readonly scale: ScoreScale;
}

export interface LexicalLeg {
  /** The best candidates that pass a filter, by the table's own scores, as many as asked for while there are any. */
  search(filter: ChunkFilter, poolSize: number): readonly Candidate[];
  /** Scores counted in memory, for a small index; a chunk that is left out has 0. */
  score(passages: readonly Passage[]): ReadonlyMap<ChunkId, number>;
}

/**
 * The best candidates that pass, by the leg's own scores or, in a small index, by those counted in memory.
 *
 * A score never depends on the filter: what is rare is rare in the whole index. So a small index is
 * counted whole, and what passes is chosen from that.
 */
export function askLexicalLeg(
  db: IndexDatabase,
  { search, score }: LexicalLeg,
  { poolSize, totalChunks, passes, documentIds, exceptDocumentIds, minQuality }: LegRequest,
): readonly Candidate[] {
  const filter = { documentIds, exceptDocumentIds, minQuality };
  if (totalChunks > SMALL_INDEX_MAX_CHUNKS)
    return askUntilFull(poolSize, passes, (asked) => search(filter, asked));
  const matching = search({}, SMALL_INDEX_MAX_CHUNKS);
  const passages = getPassages(
    db,
    matching.map(({ chunkId }) => chunkId),
  );
  const scores = score(passages);
  const passing = listPassingChunks(
    db,
    filter,
    matching.map(({ chunkId }) => chunkId),
  );
  return passes(matching.filter(({ chunkId }) => passing.has(chunkId)))
    .map((candidate) => ({ ...candidate, raw: scores.get(candidate.chunkId) ?? 0 }))
    .sort((a, b) => b.raw - a.raw || comparePlaces(a, b))
    .slice(0, poolSize);
}
