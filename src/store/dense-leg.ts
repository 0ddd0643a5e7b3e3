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
  LOW_QUALITY_CHUNKS,
  passingConditions,
  type Restriction,
  restrictionOf,
} from "./filters.ts";
import type { IndexDatabase } from "./open.ts";
import { cosineOfDistance, quantise } from "./quantise.ts";
import { readInTransaction } from "./transaction.ts";
import type { VectorMemory } from "./vector-memory.ts";
import { findVectorDims } from "./vectors.ts";

export interface DenseSearch extends ChunkFilter {
  /** At most so many candidates. */
  readonly poolSize: number;
}

/**
 * The nearest chunks: cosine (of the stored, rounded vectors) descending, then path (code
 * points), then chunk index, at the border of the pool too. Empty without vectors or without
 * the vector engine. Looks at every vector, or at every one that passes the filter: in the memory
 * of a reader that keeps them there, else in the file; the answers are the same.
 *
 * @throws {RangeError} If the vector has another number of dimensions than the index.
 */
export function searchDense(db: IndexDatabase, queryVector: Float32Array, search: DenseSearch): Candidate[] {
  if (search.poolSize < 1 || !db.hasVectorEngine) return [];
  return readInTransaction(db, () => {
    const dims = findVectorDims(db);
    if (dims === undefined) return [];
    if (queryVector.length !== dims) {
      throw new RangeError(`the query vector has ${queryVector.length} dimensions, the index ${dims}`);
    }
    const queryBytes = quantise(queryVector);
    const rows = db.vectorMemory?.catchUp(db, dims)
      ? findInMemory(db, db.vectorMemory, queryBytes, search)
      : findInFile(db, queryBytes, search);
    return rows.map(({ id, distance, path, chunk_index }) => ({
      chunkId: id,
      raw: cosineOfDistance(distance, dims),
      path,
      chunkIndex: chunk_index,
    }));
  });
}

/** The engine refuses to look for more. */
const MAX_NEIGHBOURS = 4096;

/** Looked for beyond the pool, so that a few equal texts at its border need no second look. */
const SPARE_NEIGHBOURS = 32;

interface DenseRow {
  readonly id: ChunkId;
  readonly distance: number;
  readonly path: string;
  readonly chunk_index: number;
}

interface CountRow {
  readonly count: number;
}

/*
 * The engine takes a list of ids to look among. A list of nearly all chunks costs half as much
 * again as the search itself, so the few of low quality are found along and left out afterwards.
 */
const SELECT_NEAREST: Readonly<Record<Restriction, string>> = {
  none: selectNearest("TRUE", "TRUE"),
  quality: selectNearest("TRUE", passingConditions("chunk_id").quality),
  documents: selectNearest(passingConditions("chunk_id").documents, "TRUE"),
};

/** For `quality` where those of low quality are too many to be found along. */
const SELECT_NEAREST_LISTED = selectNearest(
  "chunk_id IN (SELECT id FROM chunks WHERE quality >= ?2)",
  "TRUE",
);

const SELECT_IN_FULL_ORDER: Readonly<Record<Restriction, string>> = {
  none: selectInFullOrder(passingConditions("chunk_id").none),
  quality: selectInFullOrder(passingConditions("chunk_id").quality),
  documents: selectInFullOrder(passingConditions("chunk_id").documents),
};

const SELECT_PLACES = `
SELECT chunks.id, documents.path, chunk_index
FROM json_each(?1) AS near
CROSS JOIN chunks ON chunks.id = near.value
CROSS JOIN documents ON documents.id = chunks.document_id
ORDER BY documents.path, chunk_index`;

const COUNT_ORPHANS = "SELECT count(*) AS count FROM orphan_vectors";

const COUNT_LOW_QUALITY = `SELECT count(*) AS count FROM (${LOW_QUALITY_CHUNKS})`;

function findInMemory(
  db: IndexDatabase,
  memory: VectorMemory,
  queryBytes: Uint8Array,
  search: DenseSearch,
): DenseRow[] {
  const neighbours = memory.findNearest({ queryBytes, ...search });
  const distances = new Map(neighbours.map(({ chunkId, distance }) => [chunkId, distance]));
  const places = db.all<Omit<DenseRow, "distance">>(SELECT_PLACES, JSON.stringify([...distances.keys()]));
  const rows = places.map((place) => ({ ...place, distance: distances.get(place.id)! }));
  rows.sort((a, b) => a.distance - b.distance); // Stable: equals keep their order by place.
  return rows.slice(0, search.poolSize);
}

function findInFile(
  db: IndexDatabase,
  queryBytes: Uint8Array,
  { poolSize, ...filter }: DenseSearch,
): DenseRow[] {
  const restriction = restrictionOf(filter);
  const values = [...filterValues(filter), queryBytes] as const;
  return (
    findNearest(db, restriction, values, poolSize) ??
    db.all<DenseRow>(SELECT_IN_FULL_ORDER[restriction], ...values, poolSize)
  );
}

/** @returns `undefined` if the engine alone cannot tell which chunks belong in the pool. */
function findNearest(
  db: IndexDatabase,
  restriction: Restriction,
  values: readonly [string | null, number, Uint8Array],
  poolSize: number,
): DenseRow[] | undefined {
  const { count: orphans } = db.get<CountRow>(COUNT_ORPHANS)!;
  const lowQuality =
    restriction === "quality" ? db.get<CountRow>(COUNT_LOW_QUALITY, null, values[1])!.count : 0;
  const isListed = poolSize + 1 + orphans + lowQuality > MAX_NEIGHBOURS && restriction === "quality";
  const needed = poolSize + 1 + orphans + (isListed ? 0 : lowQuality);
  if (needed > MAX_NEIGHBOURS) return undefined;
  const neighbours = Math.min(needed + SPARE_NEIGHBOURS, MAX_NEIGHBOURS);
  const statement = isListed ? SELECT_NEAREST_LISTED : SELECT_NEAREST[restriction];
  const rows = db.all<DenseRow>(statement, ...values, neighbours);
  // Whatever was not found is at least as far as the last row; if that is farther than the border, no tie is cut.
  const isWhole = rows.length <= poolSize || rows.at(-1)!.distance > rows[poolSize - 1]!.distance;
  return isWhole ? rows.slice(0, poolSize) : undefined;
}

/** @param among Which chunks the engine looks at. @param passing Which of those it found are kept. */
function selectNearest(among: string, passing: string): string {
  return `
WITH nearest AS MATERIALIZED (
  SELECT chunk_id, distance FROM chunk_vectors
  WHERE embedding MATCH vec_int8(?3) AND k = ?4 AND ${among}
)
SELECT chunks.id, distance, path, chunk_index
FROM nearest
CROSS JOIN chunks ON chunks.id = nearest.chunk_id
CROSS JOIN documents ON documents.id = chunks.document_id
WHERE ${passing}
ORDER BY distance, path, chunk_index`;
}

function selectInFullOrder(passing: string): string {
  return `
WITH near AS MATERIALIZED (
  SELECT chunk_id, vec_distance_L2(embedding, vec_int8(?3)) AS distance FROM chunk_vectors
)
SELECT chunks.id, distance, path, chunk_index
FROM near
CROSS JOIN chunks ON chunks.id = near.chunk_id
CROSS JOIN documents ON documents.id = chunks.document_id
WHERE ${passing}
ORDER BY distance, path, chunk_index
LIMIT ?4`;
}
