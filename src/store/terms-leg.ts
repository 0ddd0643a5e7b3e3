/**
 * The terms leg: chunks that contain words, ranked by BM25, and how common words are.
 *
 * In goes what `core/analyse.ts` made of a question; the table was filled with what it made
 * of the documents (`chunk-rows.ts`). Dropping common terms, scaling scores and joining legs
 * is done elsewhere, from what is counted here.
 */
import type { QueryTerm } from "../core/analyse.ts";
import type { Candidate } from "../core/candidate.ts";
import type { ChunkFilter } from "./filters.ts";
import { fullTextLegOf, searchFullText } from "./full-text-leg.ts";
import type { IndexDatabase } from "./open.ts";

export interface TermWeights {
  readonly content: number;
  readonly title: number;
  readonly headings: number;
}

export interface TermSearch extends ChunkFilter {
  /** At most so many candidates. */
  readonly poolSize: number;
  /** How much a match counts by where it is; 1 everywhere if not given. */
  readonly weights?: TermWeights | undefined;
}

/**
 * The best chunks for an expression; order, ties and cost as in `searchFullText`.
 *
 * @param termsExpression As `formatTermsExpression` writes it.
 */
export function searchTerms(
  db: IndexDatabase,
  termsExpression: string,
  { weights = DEFAULT_WEIGHTS, ...search }: TermSearch,
): Candidate[] {
  const columnWeights = [weights.content, weights.title, weights.headings] as const;
  return searchFullText(db, LEG, termsExpression, { ...search, columnWeights });
}

/**
 * In how many chunks each term occurs, in any field, in the order of the terms; one statement.
 *
 * For a prefix the counts of all terms that begin with it are added up, so that a chunk with
 * several of them counts several times: an upper bound.
 */
export function countTermMatches(db: IndexDatabase, terms: readonly QueryTerm[]): number[] {
  const ranges = terms.map(({ text, isPrefix }) => [text, isPrefix ? text + LAST_CHARACTER : text]);
  return db
    .all<{ readonly chunks: number }>(SELECT_COUNTS, JSON.stringify(ranges))
    .map(({ chunks }) => chunks);
}

const DEFAULT_WEIGHTS: TermWeights = { content: 1, title: 1, headings: 1 };

const LEG = fullTextLegOf("chunk_terms");

const LAST_CHARACTER = "\u{10FFFF}";

const SELECT_COUNTS = `
SELECT coalesce(sum(doc), 0) AS chunks
FROM json_each(?1) AS wanted
LEFT JOIN chunk_terms_vocab ON term BETWEEN wanted.value ->> 0 AND wanted.value ->> 1
GROUP BY wanted.key ORDER BY wanted.key`;
