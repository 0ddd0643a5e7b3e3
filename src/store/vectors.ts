/**
 * The vector table, and the bookkeeping of who has a vector.
 *
 * The rest of the store names chunks here and gets stored bytes back; only this module,
 * `dense-leg.ts` and `vector-memory.ts` know the table. It works without the vector
 * extension too: then a deletion is noted down and caught up with when the extension is there.
 * Every chunk is either in `pending_vectors` or has a row in `chunk_vectors`.
 */
import type { ChunkId, DocumentId } from "../core/document.ts";
import { findMeta, setMeta } from "./meta.ts";
import type { IndexDatabase } from "./open.ts";

/** How many numbers a stored vector has; `undefined` before the first vector. */
export function findVectorDims(db: IndexDatabase): number | undefined {
  const dims = findMeta(db, DIMS_KEY);
  return dims === undefined ? undefined : Number(dims);
}

/**
 * Makes the vector table unless it is there already.
 *
 * @throws {RangeError} If `dims` is not an integer from 1 to 8192.
 */
export function createVectorTable(db: IndexDatabase, dims: number): void {
  if (!Number.isInteger(dims) || dims < 1 || dims > 8192) {
    throw new RangeError(`dims must be an integer from 1 to 8192, got ${dims}`);
  }
  if (findVectorDims(db) !== undefined) return;
  // The one place where a statement is put together: the width of the column, a checked integer.
  db.execute(`CREATE VIRTUAL TABLE chunk_vectors USING vec0 (
    chunk_id INTEGER PRIMARY KEY, embedding int8[${dims}], chunk_size = ${ROWS_PER_BLOCK})`);
  setMeta(db, DIMS_KEY, String(dims));
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
    if (!hadNone) db.run(db.hasVectorEngine ? DELETE_VECTOR : INSERT_ORPHAN, chunkId);
  }
  if (db.hasVectorEngine) deleteOrphans(db);
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
  if (!db.hasVectorEngine || findVectorDims(db) === undefined)
    return { find: () => undefined, spareOthers() {} };
  const kept = new Map<string, Uint8Array>();
  for (const { id, input_hash } of db.all<InputRow>(SELECT_INPUTS, documentId)) {
    const bytes = findVector(db, id);
    if (bytes !== undefined) kept.set(input_hash.toHex(), bytes);
  }
  const asked = new Set<string>();
  return {
    find(inputHash) {
      asked.add(inputHash.toHex());
      const own = kept.get(inputHash.toHex());
      if (own !== undefined) return own;
      const donor = db.get<{ readonly id: ChunkId }>(SELECT_DONOR, inputHash);
      if (donor !== undefined) return findVector(db, donor.id);
      return db.get<{ readonly embedding: Uint8Array }>(SELECT_SPARE, inputHash)?.embedding;
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

/**
 * Removes every vector, so that each chunk is pending and the table may get another width.
 * Needs the extension; runs in the caller's transaction.
 */
export function discardVectors(db: IndexDatabase): void {
  if (findVectorDims(db) !== undefined) db.execute("DROP TABLE chunk_vectors");
  db.run(DELETE_DIMS, DIMS_KEY);
  db.run(DELETE_ORPHANS);
  clearSpareVectors(db);
  db.run(INSERT_ALL_PENDING);
}

/**
 * Rewrites the vector table if more than half of its space is left over from deleted rows,
 * which the engine never uses again. Runs in the caller's transaction; does nothing without
 * the extension.
 */
export function compactVectors(db: IndexDatabase): void {
  const dims = findVectorDims(db);
  if (!db.hasVectorEngine || dims === undefined) return;
  deleteOrphans(db);
  const { blocks, rows } = db.get<{ readonly blocks: number; readonly rows: number }>(SELECT_FILL)!;
  if (blocks <= Math.ceil(rows / ROWS_PER_BLOCK) * 2) return;
  const kept = db.all<{ readonly chunk_id: ChunkId; readonly embedding: Uint8Array }>(SELECT_VECTORS);
  db.execute("DROP TABLE chunk_vectors");
  db.run(DELETE_DIMS, DIMS_KEY);
  createVectorTable(db, dims);
  for (const row of kept) insertVector(db, row.chunk_id, row.embedding);
}

const DIMS_KEY = "vector_dims";

/**
 * Small, since the engine picks the nearest of each block by looking through it once for each
 * neighbour wanted (37,000 vectors, 200 neighbours: 19 ms, with blocks of 256 rows 29 ms), and
 * since space is taken by whole blocks. 24 rows of 384 dimensions fill pages of 8 kB; 16 or 32
 * waste a quarter.
 */
const ROWS_PER_BLOCK = 24;

const INSERT_VECTOR = "INSERT INTO chunk_vectors (chunk_id, embedding) VALUES (?1, vec_int8(?2))";

const SELECT_VECTOR = "SELECT embedding FROM chunk_vectors WHERE chunk_id = ?1";

const SELECT_VECTORS = "SELECT chunk_id, embedding FROM chunk_vectors ORDER BY chunk_id";

const DELETE_VECTOR = "DELETE FROM chunk_vectors WHERE chunk_id = ?1";

const DELETE_PENDING = "DELETE FROM pending_vectors WHERE chunk_id = ?1";

const INSERT_ORPHAN = "INSERT INTO orphan_vectors (chunk_id) VALUES (?1)";

const SELECT_ORPHANS = "SELECT chunk_id FROM orphan_vectors";

const DELETE_ORPHANS = "DELETE FROM orphan_vectors";

const DELETE_DIMS = "DELETE FROM meta WHERE key = ?1";

interface InputRow {
  readonly id: ChunkId;
  readonly input_hash: Uint8Array;
}

const SELECT_INPUTS = "SELECT id, input_hash FROM chunks WHERE document_id = ?1";

const SELECT_DONOR = `
SELECT id FROM chunks
WHERE input_hash = ?1 AND NOT EXISTS (SELECT 1 FROM pending_vectors WHERE chunk_id = chunks.id)
LIMIT 1`;

const SELECT_SPARE = "SELECT embedding FROM spare_vectors WHERE input_hash = ?1";

const INSERT_SPARE = "INSERT OR IGNORE INTO spare_vectors (input_hash, embedding) VALUES (?1, ?2)";

const DELETE_SPARES = "DELETE FROM spare_vectors";

const INSERT_ALL_PENDING = "INSERT OR IGNORE INTO pending_vectors (chunk_id) SELECT id FROM chunks";

const SELECT_FILL = `
SELECT (SELECT count(*) FROM chunk_vectors_chunks) AS blocks,
       (SELECT count(*) FROM chunk_vectors_rowids) AS rows`;

function deleteOrphans(db: IndexDatabase): void {
  const orphans = db.all<{ readonly chunk_id: ChunkId }>(SELECT_ORPHANS);
  if (orphans.length === 0) return;
  for (const { chunk_id } of orphans) db.run(DELETE_VECTOR, chunk_id);
  db.run(DELETE_ORPHANS);
}

function findVector(db: IndexDatabase, chunkId: ChunkId): Uint8Array | undefined {
  return db.get<{ readonly embedding: Uint8Array }>(SELECT_VECTOR, chunkId)?.embedding;
}
