/**
 * The dense leg: the chunks whose vectors lie nearest to a query's.
 *
 * In goes a unit vector of the index's own model; out come candidates with cosines. That
 * the model is the right one is checked with `identity.ts`; chunks without a vector are
 * not found here, and `chunks.ts` says which those are.
 */
import type { Candidate } from "../core/candidate.ts";
import type { ChunkId } from "../core/document.ts";
import {
  type ChunkFilter,
  filterValues,
  PASSING_CHUNKS,
  type Restriction,
  restrictionOf,
} from "./filters.ts";
import type { IndexDatabase } from "./open.ts";
import { cosineOfDistance, quantise } from "./quantise.ts";
import { findVectorDims } from "./vectors.ts";

export interface DenseSearch extends ChunkFilter {
  /** At most so many candidates. */
  readonly poolSize: number;
}

/**
 * The nearest chunks: cosine (of the stored, rounded vectors) descending, then path (code
 * points), then chunk index, at the border of the pool too. Empty without vectors or without
 * the vector engine. Looks at every vector, or at every one that passes the filter.
 *
 * @throws {RangeError} If the vector has another number of dimensions than the index.
 */
export function searchDense(
  db: IndexDatabase,
  queryVector: Float32Array,
  { poolSize, ...filter }: DenseSearch,
): Candidate[] {
  const dims = findVectorDims(db);
  if (poolSize < 1 || dims === undefined || !db.hasVectorEngine) return [];
  if (queryVector.length !== dims) {
    throw new RangeError(`the query vector has ${queryVector.length} dimensions, the index ${dims}`);
  }
  const restriction = restrictionOf(filter);
  const values = [...filterValues(filter), quantise(queryVector)] as const;
  const rows =
    findNearest(db, restriction, values, poolSize) ??
    db.all<DenseRow>(SELECT_IN_FULL_ORDER[restriction], ...values, poolSize);
  return rows.map(({ id, distance, path, chunk_index }) => ({
    chunkId: id,
    raw: cosineOfDistance(distance, dims),
    path,
    chunkIndex: chunk_index,
  }));
}

/** The engine refuses to look for more. */
const MAX_NEIGHBOURS = 4096;

interface DenseRow {
  readonly id: ChunkId;
  readonly distance: number;
  readonly path: string;
  readonly chunk_index: number;
}

const SELECT_NEAREST = forEachRestriction(
  (passing) => `
WITH nearest AS MATERIALIZED (
  SELECT chunk_id, distance FROM chunk_vectors
  WHERE embedding MATCH vec_int8(?3) AND k = ?4${passing === "" ? "" : ` AND chunk_id IN (${passing})`}
)
SELECT chunks.id, distance, path, chunk_index
FROM nearest
CROSS JOIN chunks ON chunks.id = nearest.chunk_id
CROSS JOIN documents ON documents.id = chunks.document_id
ORDER BY distance, path, chunk_index`,
);

const SELECT_IN_FULL_ORDER = forEachRestriction(
  (passing) => `
WITH near AS MATERIALIZED (
  SELECT chunk_id, vec_distance_L2(embedding, vec_int8(?3)) AS distance FROM chunk_vectors
)
SELECT chunks.id, distance, path, chunk_index
FROM near
CROSS JOIN chunks ON chunks.id = near.chunk_id
CROSS JOIN documents ON documents.id = chunks.document_id
${passing === "" ? "" : `WHERE near.chunk_id IN (${passing})`}
ORDER BY distance, path, chunk_index
LIMIT ?4`,
);

const COUNT_ORPHANS = "SELECT count(*) AS orphans FROM orphan_vectors";

/** @returns `undefined` if the engine alone cannot tell which chunks belong in the pool. */
function findNearest(
  db: IndexDatabase,
  restriction: Restriction,
  values: readonly [string | null, number, Uint8Array],
  poolSize: number,
): DenseRow[] | undefined {
  const { orphans } = db.get<{ readonly orphans: number }>(COUNT_ORPHANS)!;
  const neighbours = poolSize + 1 + orphans;
  if (neighbours > MAX_NEIGHBOURS) return undefined;
  const rows = db.all<DenseRow>(SELECT_NEAREST[restriction], ...values, neighbours);
  const isTiedAtBorder = rows.length > poolSize && rows[poolSize]!.distance === rows[poolSize - 1]!.distance;
  return isTiedAtBorder ? undefined : rows.slice(0, poolSize);
}

function forEachRestriction(statement: (passing: string) => string): Readonly<Record<Restriction, string>> {
  return {
    none: statement(""),
    quality: statement(PASSING_CHUNKS.quality),
    documents: statement(PASSING_CHUNKS.documents),
  };
}
