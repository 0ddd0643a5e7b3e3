/**
 * The phrases leg: chunks that contain strings, ranked by BM25.
 *
 * In goes a finished MATCH expression (a union of quoted phrases, compiled in
 * `core/query/`); out come candidates with positive scores. Every phrase of a search
 * goes into one statement. Scaling scores and joining legs is done in `core/fusion.ts`.
 */
import type { Candidate } from "../core/candidate.ts";
import type { ChunkId } from "../core/document.ts";
import {
  type ChunkFilter,
  filterValues,
  passingConditions,
  type Restriction,
  restrictionOf,
} from "./filters.ts";
import type { IndexDatabase } from "./open.ts";

export interface PhraseWeights {
  readonly heading: number;
  readonly context: number;
  readonly content: number;
}

export interface PhraseSearch extends ChunkFilter {
  /** At most so many candidates. */
  readonly poolSize: number;
  /** How much a match counts by where it is; 2, 1, 1 if not given. */
  readonly weights?: PhraseWeights | undefined;
}

/**
 * The best chunks for an expression: score descending, then path (code points), then chunk
 * index. The ties at the border of the pool are decided in that order too.
 *
 * Cost grows with the number of matching chunks, not with `poolSize`. One statement; a second
 * one runs only if chunks at the border of the pool have the same score.
 *
 * @param matchExpression Valid FTS5 syntax. Phrases of fewer than three characters match nothing.
 */
export function searchPhrases(
  db: IndexDatabase,
  matchExpression: string,
  { poolSize, weights = DEFAULT_WEIGHTS, ...filter }: PhraseSearch,
): Candidate[] {
  if (poolSize < 1) return [];
  const restriction = restrictionOf(filter);
  const values = [
    ...filterValues(filter),
    matchExpression,
    // In the order of the table's columns.
    weights.content,
    weights.heading,
    weights.context,
  ] as const;
  const rows = db.all<PhraseRow>(SELECT_BEST[restriction], ...values, poolSize + 1);
  const border = rows[poolSize]?.score;
  if (border === undefined) return rows.map(candidateOf);
  const inside = rows.slice(0, poolSize).filter(({ score }) => score !== border);
  const tiedPlaces = poolSize - inside.length;
  const tied =
    tiedPlaces === 0 ? [] : db.all<PhraseRow>(SELECT_TIED[restriction], ...values, border, tiedPlaces);
  return [...inside, ...tied].map(candidateOf);
}

const DEFAULT_WEIGHTS: PhraseWeights = { heading: 2, context: 1, content: 1 };

interface PhraseRow {
  readonly id: ChunkId;
  /** As FTS5 gives it: negative, lower is better. */
  readonly score: number;
  readonly path: string;
  readonly chunk_index: number;
}

// The unary plus keeps the planner from running the match once for each passing chunk.
const PASSING = passingConditions("+chunk_phrases.rowid");

/** Paths are looked up for the pool only, not for all that matches. */
const SELECT_BEST = forEachRestriction(
  (passing) => `
SELECT best.id, best.score, path, chunk_index
FROM (
  SELECT rowid AS id, bm25(chunk_phrases, ?4, ?5, ?6) AS score
  FROM chunk_phrases WHERE chunk_phrases MATCH ?3 AND ${passing}
  ORDER BY score LIMIT ?7
) AS best
CROSS JOIN chunks ON chunks.id = best.id
CROSS JOIN documents ON documents.id = chunks.document_id
ORDER BY best.score, path, chunk_index`,
);

const SELECT_TIED = forEachRestriction(
  (passing) => `
SELECT chunks.id, ?7 AS score, path, chunk_index
FROM chunk_phrases
CROSS JOIN chunks ON chunks.id = chunk_phrases.rowid
CROSS JOIN documents ON documents.id = chunks.document_id
WHERE chunk_phrases MATCH ?3 AND ${passing} AND bm25(chunk_phrases, ?4, ?5, ?6) = ?7
ORDER BY path, chunk_index LIMIT ?8`,
);

function forEachRestriction(statement: (passing: string) => string): Readonly<Record<Restriction, string>> {
  return {
    none: statement(PASSING.none),
    quality: statement(PASSING.quality),
    documents: statement(PASSING.documents),
  };
}

function candidateOf({ id, score, path, chunk_index }: PhraseRow): Candidate {
  return { chunkId: id, raw: -score, path, chunkIndex: chunk_index };
}
