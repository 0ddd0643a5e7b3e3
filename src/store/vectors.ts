/**
 * The stored vectors, and the bookkeeping of who has one.
 *
 * The rest of the store names chunks here and gets stored bytes back; only this module and the
 * three that search (`dense-leg.ts`, `vector-memory.ts`, `vector-stream.ts`) know the table.
 * Every chunk is either in `pending_vectors` or has a row in `chunk_vectors`.
 */
import type { ChunkId, DocumentId } from "../core/document.ts";
import type { IndexDatabase } from "./open.ts";

/** How many numbers a stored vector has; `undefined` while there is none. */
export function findVectorDims(db: IndexDatabase): number | undefined {
  return db.get<{ readonly dims: number }>(SELECT_DIMS)?.dims;
}

/** The stored vectors of chunks, rounded and of any length, by id; a chunk without one is left out. */
export function getVectors(
  db: IndexDatabase,
  chunkIds: readonly ChunkId[],
): ReadonlyMap<ChunkId, Float32Array> {
  const rows = db.all<{ readonly chunk_id: ChunkId; readonly embedding: Uint8Array }>(
    SELECT_VECTORS,
    JSON.stringify(chunkIds),
  );
  return new Map(
    rows.map(({ chunk_id, embedding }) => [chunk_id, Float32Array.from(new Int8Array(embedding))]),
  );
}

/** Stores the bytes of `quantise` for a chunk that has no vector yet. */
export function insertVector(db: IndexDatabase, chunkId: ChunkId, bytes: Uint8Array): void {
  db.run(INSERT_VECTOR, chunkId, bytes);
}

/**
 * Removes what is known about the vectors of chunks that are about to be deleted.
 * Runs in the caller's transaction.
 */
export function forgetVectors(db: IndexDatabase, chunkIds: readonly ChunkId[]): void {
  for (const chunkId of chunkIds) {
    const hadNone = db.run(DELETE_PENDING, chunkId) === 1;
    if (!hadNone) db.run(DELETE_VECTOR, chunkId);
  }
}

/** The vectors of a document while its chunks are replaced. */
export interface KeptVectors {
  /** The stored bytes for an input hash: one of the document's, that of any chunk which has one by then, or a spare one. */
  find(inputHash: Uint8Array): Uint8Array | undefined;
  /** Puts those of the document that nobody asked for aside, until `clearSpareVectors`. */
  spareOthers(): void;
}

/** Reads the vectors of a document whose chunks are about to be replaced. */
export function keepVectors(db: IndexDatabase, documentId: DocumentId): KeptVectors {
  const kept = new Map<string, Uint8Array>();
  for (const { input_hash, embedding } of db.all<KeptRow>(SELECT_KEPT, documentId))
    kept.set(input_hash.toHex(), embedding);
  const asked = new Set<string>();
  return {
    find(inputHash) {
      const key = inputHash.toHex();
      const own = kept.get(key);
      if (own !== undefined) asked.add(key);
      return own ?? db.get<Omit<KeptRow, "input_hash">>(SELECT_DONATED, inputHash)?.embedding;
    },
    spareOthers() {
      for (const [inputHash, bytes] of kept)
        if (!asked.has(inputHash)) db.run(INSERT_SPARE, Uint8Array.fromHex(inputHash), bytes);
    },
  };
}

/** Puts the vectors of a document that is about to be deleted aside, since its text may have moved. */
export function spareVectors(db: IndexDatabase, documentId: DocumentId): void {
  keepVectors(db, documentId).spareOthers();
}

/** To be called at the end of a run: what was put aside is not needed any more. */
export function clearSpareVectors(db: IndexDatabase): void {
  db.run(DELETE_SPARES);
}

/** Removes every vector, so that each chunk is pending. Runs in the caller's transaction. */
export function discardVectors(db: IndexDatabase): void {
  db.run(DELETE_VECTORS);
  clearSpareVectors(db);
  db.run(INSERT_ALL_PENDING);
}

const SELECT_DIMS = "SELECT length(embedding) AS dims FROM chunk_vectors LIMIT 1";

const SELECT_VECTORS = `
SELECT chunk_id, embedding FROM chunk_vectors WHERE chunk_id IN (SELECT value FROM json_each(?1))`;

const INSERT_VECTOR = "INSERT INTO chunk_vectors (chunk_id, embedding) VALUES (?1, ?2)";

const DELETE_VECTOR = "DELETE FROM chunk_vectors WHERE chunk_id = ?1";

const DELETE_PENDING = "DELETE FROM pending_vectors WHERE chunk_id = ?1";

const SELECT_KEPT = `
SELECT input_hash, embedding
FROM chunks CROSS JOIN chunk_vectors ON chunk_id = chunks.id
WHERE document_id = ?1`;

const SELECT_DONATED = `
SELECT * FROM (
  SELECT embedding
  FROM chunks CROSS JOIN chunk_vectors ON chunk_id = chunks.id
  WHERE input_hash = ?1
  LIMIT 1)
UNION ALL
SELECT embedding FROM spare_vectors WHERE input_hash = ?1
LIMIT 1`;

const INSERT_SPARE = "INSERT OR IGNORE INTO spare_vectors (input_hash, embedding) VALUES (?1, ?2)";

const DELETE_SPARES = "DELETE FROM spare_vectors";

const DELETE_VECTORS = "DELETE FROM chunk_vectors";

const INSERT_ALL_PENDING = "INSERT OR IGNORE INTO pending_vectors (chunk_id) SELECT id FROM chunks";

interface KeptRow {
  readonly input_hash: Uint8Array;
  readonly embedding: Uint8Array;
}
