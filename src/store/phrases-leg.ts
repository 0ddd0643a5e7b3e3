/**
 * The phrases leg: chunks that contain strings, ranked by BM25.
 *
 * In goes a finished MATCH expression (a union of quoted phrases, compiled in
 * `core/query/`); out come candidates with positive scores. Every phrase of a search
 * goes into one statement. Scaling scores and joining legs is done in `core/fusion.ts`.
 */
import type { Candidate } from "../core/candidate.ts";
import type { ChunkId } from "../core/document.ts";
import type { ChunkFilter } from "./filters.ts";
import { fullTextLegOf, searchFullText } from "./full-text-leg.ts";
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
 * The best chunks for an expression; order, ties and cost as in `searchFullText`.
 *
 * @param matchExpression Valid FTS5 syntax. Phrases of fewer than three characters match nothing.
 */
export function searchPhrases(
  db: IndexDatabase,
  matchExpression: string,
  { weights = DEFAULT_WEIGHTS, ...search }: PhraseSearch,
): Candidate[] {
  const columnWeights = [weights.content, weights.heading, weights.context] as const;
  return searchFullText(db, LEG, matchExpression, { ...search, columnWeights });
}

/** Every chunk that matches an expression, in no order; for leaving them out. */
export function listPhraseMatches(db: IndexDatabase, matchExpression: string): Set<ChunkId> {
  const rows = db.all<{ readonly id: ChunkId }>(SELECT_MATCHES, matchExpression);
  return new Set(rows.map(({ id }) => id));
}

const SELECT_MATCHES = "SELECT rowid AS id FROM chunk_phrases WHERE chunk_phrases MATCH ?1";

const DEFAULT_WEIGHTS: PhraseWeights = { heading: 2, context: 1, content: 1 };

const LEG = fullTextLegOf("chunk_phrases");
