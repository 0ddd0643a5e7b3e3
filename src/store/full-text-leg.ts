/**
 * A leg over a full-text table: a MATCH expression in, chunks ranked by BM25 out.
 *
 * What the phrases leg and the terms leg have in common: filters inside SQL, the order of
 * ties, one statement. Which table, what its columns are called and what they weigh is said
 * by `phrases-leg.ts` and `terms-leg.ts`.
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

export interface FullTextSearch extends ChunkFilter {
  /** At most so many candidates. */
  readonly poolSize: number;
  /** How much a match counts, by the table's columns in their order. */
  readonly columnWeights: readonly [number, number, number];
}

/** The statements of one table; made once for each. */
export interface FullTextLeg {
  readonly best: Readonly<Record<Restriction, string>>;
  readonly tied: Readonly<Record<Restriction, string>>;
}

/** @param table A contentless table of three columns whose rowids are chunk ids. */
export function fullTextLegOf(table: "chunk_phrases" | "chunk_terms"): FullTextLeg {
  // The unary plus keeps the planner from running the match once for each passing chunk.
  const passing = passingConditions(`+${table}.rowid`);
  const forEachRestriction = (statement: (condition: string) => string) => ({
    none: statement(passing.none),
    quality: statement(passing.quality),
    documents: statement(passing.documents),
    except: statement(passing.except),
  });
  return {
    // Paths are looked up for the pool only, not for all that matches.
    best: forEachRestriction(
      (condition) => `
SELECT best.id, best.score, path, chunk_index
FROM (
  SELECT rowid AS id, bm25(${table}, ?4, ?5, ?6) AS score
  FROM ${table} WHERE ${table} MATCH ?3 AND ${condition}
  ORDER BY score LIMIT ?7
) AS best
CROSS JOIN chunks ON chunks.id = best.id
CROSS JOIN documents ON documents.id = chunks.document_id
ORDER BY best.score, path, chunk_index`,
    ),
    tied: forEachRestriction(
      (condition) => `
SELECT chunks.id, ?7 AS score, path, chunk_index
FROM ${table}
CROSS JOIN chunks ON chunks.id = ${table}.rowid
CROSS JOIN documents ON documents.id = chunks.document_id
WHERE ${table} MATCH ?3 AND ${condition} AND bm25(${table}, ?4, ?5, ?6) = ?7
ORDER BY path, chunk_index LIMIT ?8`,
    ),
  };
}

/**
 * The best chunks for an expression: score descending, then path (code points), then chunk
 * index. The ties at the border of the pool are decided in that order too.
 *
 * Cost grows with the number of matching chunks, not with `poolSize`. One statement; a second
 * one runs only if chunks at the border of the pool have the same score.
 *
 * @param matchExpression Valid FTS5 syntax.
 * @returns Positive scores.
 */
export function searchFullText(
  db: IndexDatabase,
  { best, tied }: FullTextLeg,
  matchExpression: string,
  { poolSize, columnWeights, ...filter }: FullTextSearch,
): Candidate[] {
  if (poolSize < 1) return [];
  const restriction = restrictionOf(filter);
  const values = [...filterValues(filter), matchExpression, ...columnWeights] as const;
  const rows = db.all<MatchRow>(best[restriction], ...values, poolSize + 1);
  const border = rows[poolSize]?.score;
  if (border === undefined) return rows.map(candidateOf);
  const inside = rows.slice(0, poolSize).filter(({ score }) => score !== border);
  const tiedPlaces = poolSize - inside.length;
  const atBorder = tiedPlaces === 0 ? [] : db.all<MatchRow>(tied[restriction], ...values, border, tiedPlaces);
  return [...inside, ...atBorder].map(candidateOf);
}

interface MatchRow {
  readonly id: ChunkId;
  /** As FTS5 gives it: negative, lower is better. */
  readonly score: number;
  readonly path: string;
  readonly chunk_index: number;
}

function candidateOf({ id, score, path, chunk_index }: MatchRow): Candidate {
  return { chunkId: id, raw: -score, path, chunkIndex: chunk_index };
}
