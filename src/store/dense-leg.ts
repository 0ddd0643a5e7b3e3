/**
 * The dense leg: the chunks whose vectors lie nearest to a query's.
 *
 * In goes a unit vector of the index's own model; out come candidates with cosines. That
 * the model is the right one is checked with `identity.ts`; chunks without a vector are
 * not found here, and `chunks.ts` says which those are. Who computes the distances is decided
 * in `vector-engine.ts` and makes no difference to the answer.
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
import type { Neighbour } from "./neighbours.ts";
import type { IndexDatabase } from "./open.ts";
import { cosineOfDistance, quantise } from "./quantise.ts";
import { readInTransaction } from "./transaction.ts";
import { streamNearest } from "./vector-stream.ts";
import { findVectorDims } from "./vectors.ts";

export interface DenseSearch extends ChunkFilter {
  /** At most so many candidates. */
  readonly poolSize: number;
}

/**
 * The nearest chunks: cosine (of the stored, rounded vectors) descending, then path (code
 * points), then chunk index, at the border of the pool too. Empty without vectors. Looks at
 * every vector that passes the filter: in the memory of a reader that keeps them there, else in
 * the file.
 *
 * @throws {RangeError} If the vector has another number of dimensions than the index.
 */
export function searchDense(db: IndexDatabase, queryVector: Float32Array, search: DenseSearch): Candidate[] {
  if (search.poolSize < 1) return [];
  return readInTransaction(db, () => {
    const dims = findVectorDims(db);
    if (dims === undefined) return [];
    if (queryVector.length !== dims) {
      throw new RangeError(`the query vector has ${queryVector.length} dimensions, the index ${dims}`);
    }
    return findNearest(db, dims, quantise(queryVector), search).map(
      ({ id, distance, path, chunk_index }) => ({
        chunkId: id,
        raw: cosineOfDistance(distance, dims),
        path,
        chunkIndex: chunk_index,
      }),
    );
  });
}

interface DenseRow {
  readonly id: ChunkId;
  readonly distance: number;
  readonly path: string;
  readonly chunk_index: number;
}

const passing = passingConditions("chunk_id");

const SELECT_NEAREST: Readonly<Record<Restriction, string>> = {
  none: selectNearest(passing.none),
  quality: selectNearest(passing.quality),
  documents: selectNearest(passing.documents),
  except: selectNearest(passing.except),
};

const SELECT_PLACES = `
SELECT chunks.id, documents.path, chunk_index
FROM json_each(?1) AS near
CROSS JOIN chunks ON chunks.id = near.value
CROSS JOIN documents ON documents.id = chunks.document_id
ORDER BY documents.path, chunk_index`;

function findNearest(
  db: IndexDatabase,
  dims: number,
  queryBytes: Uint8Array,
  { poolSize, ...filter }: DenseSearch,
): DenseRow[] {
  const search = { queryBytes, poolSize, ...filter };
  if (db.vectorMemory?.catchUp(db, dims)) return inOrder(db, db.vectorMemory.findNearest(search), poolSize);
  if (db.vectorEngine.name === "js") return inOrder(db, streamNearest(db, dims, search), poolSize);
  const statement = SELECT_NEAREST[restrictionOf(filter)];
  return db.all<DenseRow>(statement, ...filterValues(filter), queryBytes, poolSize);
}

function inOrder(db: IndexDatabase, neighbours: readonly Neighbour[], poolSize: number): DenseRow[] {
  const distances = new Map(neighbours.map(({ chunkId, distance }) => [chunkId, distance]));
  const places = db.all<Omit<DenseRow, "distance">>(SELECT_PLACES, JSON.stringify([...distances.keys()]));
  const rows = places.map((place) => ({ ...place, distance: distances.get(place.id)! }));
  rows.sort((a, b) => a.distance - b.distance); // Stable: equals keep their order by place.
  return rows.slice(0, poolSize);
}

/** SQLite looks up the place of a chunk only if its distance may belong in the pool. */
function selectNearest(condition: string): string {
  return `
SELECT chunks.id, vec_distance_L2(vec_int8(embedding), vec_int8(?3)) AS distance, path, chunk_index
FROM chunk_vectors
CROSS JOIN chunks ON chunks.id = chunk_id
CROSS JOIN documents ON documents.id = chunks.document_id
WHERE ${condition}
ORDER BY distance, path, chunk_index
LIMIT ?4`;
}
