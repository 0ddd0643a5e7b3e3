/**
 * What a graph of connections asks of the index: the vectors of chunks, and chunks near to them.
 *
 * Bytes of `quantise` in and out; no model is needed. A graph asks for the neighbours of many chunks, so all vectors are
 * read into memory once, unless there are too many. Links are in `links.ts`; the walk itself is `core/connection-graph.ts`.
 */
import type { ChunkId, DocumentId } from "../core/document.ts";
import type { Neighbour } from "./neighbours.ts";
import type { IndexDatabase } from "./open.ts";
import { cosineOfDistance } from "./quantise.ts";
import { VectorMemory } from "./vector-memory.ts";
import { streamNearest } from "./vector-stream.ts";
import { findVectorDims } from "./vectors.ts";

export interface DocumentPlace {
  readonly id: DocumentId;
  readonly path: string;
  readonly category: string | null;
  readonly topic: string | null;
}

export interface StoredVector {
  readonly chunkId: ChunkId;
  readonly bytes: Uint8Array;
}

export interface NearChunk {
  readonly chunkId: ChunkId;
  readonly path: string;
  /** Of the stored, rounded vectors. */
  readonly cosine: number;
}

export interface NearSearch {
  readonly count: number;
  /** 0 to 1. */
  readonly minQuality: number;
  /** Documents that may be found. */
  readonly documentIds: ReadonlySet<DocumentId>;
  /** Chunks that may not. */
  readonly taken: ReadonlySet<ChunkId>;
}

/** Every document, in path order (code points). */
export function listDocumentPlaces(db: IndexDatabase): DocumentPlace[] {
  return db.all<DocumentPlace>(SELECT_PLACES);
}

/** The first chunks of a document that have a vector, in their order. */
export function listVectorsOf(db: IndexDatabase, documentId: DocumentId, limit: number): StoredVector[] {
  return db.all<StoredVector>(SELECT_VECTORS_OF, documentId, limit);
}

/** The vector of a chunk, if it has one. */
export function findVectorOf(db: IndexDatabase, chunkId: ChunkId): Uint8Array | undefined {
  return db.get<{ readonly embedding: Uint8Array }>(SELECT_VECTOR, chunkId)?.embedding;
}

/** The first chunk of a document; every document has one. */
export function findFirstChunkOf(db: IndexDatabase, documentId: DocumentId): ChunkId | undefined {
  return db.get<{ readonly id: ChunkId }>(SELECT_FIRST, documentId)?.id;
}

/** Finds neighbours in the state that the caller's read transaction sees; for use within that one transaction. */
export class NeighbourSearcher {
  readonly #db: IndexDatabase;
  readonly #dims: number;
  readonly #memory: VectorMemory | undefined;

  constructor(db: IndexDatabase) {
    this.#db = db;
    this.#dims = findVectorDims(db) ?? 0;
    const memory = db.vectorMemory ?? new VectorMemory();
    this.#memory = this.#dims > 0 && memory.catchUp(db, this.#dims) ? memory : undefined;
  }

  /** The nearest that may be found: cosine descending, then path (code points), then chunk index. */
  listNear(queryBytes: Uint8Array, { count, minQuality, documentIds, taken }: NearSearch): NearChunk[] {
    if (this.#dims === 0 || count < 1) return [];
    const isWanted = (chunkId: ChunkId, documentId: DocumentId) =>
      documentIds.has(documentId) && !taken.has(chunkId);
    const found =
      this.#memory?.findNearest({ queryBytes, poolSize: count, minQuality }, isWanted) ??
      // So many that enough are left without those that are taken.
      streamNearest(this.#db, this.#dims, {
        queryBytes,
        poolSize: count + taken.size,
        minQuality,
        documentIds: [...documentIds],
      }).filter(({ chunkId }) => !taken.has(chunkId));
    return this.#inOrder(found).slice(0, count);
  }

  #inOrder(neighbours: readonly Neighbour[]): NearChunk[] {
    const distances = new Map(neighbours.map(({ chunkId, distance }) => [chunkId, distance]));
    const rows = this.#db.all<{ readonly id: ChunkId; readonly path: string }>(
      SELECT_IN_ORDER,
      JSON.stringify([...distances.keys()]),
    );
    return rows
      .map(({ id, path }) => ({ chunkId: id, path, distance: distances.get(id)! }))
      .sort((a, b) => a.distance - b.distance) // Stable: equals keep their order by place.
      .map(({ chunkId, path, distance }) => ({
        chunkId,
        path,
        cosine: cosineOfDistance(distance, this.#dims),
      }));
  }
}

const SELECT_PLACES = "SELECT id, path, category, topic FROM documents ORDER BY path";

const SELECT_VECTORS_OF = `
SELECT chunks.id AS chunkId, embedding AS bytes
FROM chunks CROSS JOIN chunk_vectors ON chunk_id = chunks.id
WHERE document_id = ?1
ORDER BY chunk_index
LIMIT ?2`;

const SELECT_VECTOR = "SELECT embedding FROM chunk_vectors WHERE chunk_id = ?1";

const SELECT_FIRST = "SELECT id FROM chunks WHERE document_id = ?1 AND chunk_index = 0";

const SELECT_IN_ORDER = `
SELECT chunks.id, documents.path
FROM json_each(?1) AS near
CROSS JOIN chunks ON chunks.id = near.value
CROSS JOIN documents ON documents.id = chunks.document_id
ORDER BY documents.path, chunk_index`;
