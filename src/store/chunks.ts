/**
 * Chunks: which still need a vector, storing the vectors made, and reading back what a
 * hit shows.
 *
 * Chunks come into being and go with their document (`documents.ts`). Making vectors
 * is done in `embed/`; finding chunks by words or meaning in the legs.
 */
import type { Chunk, ChunkId, DocumentId, DocumentMeta } from "../core/document.ts";
import { AppError } from "../errors.ts";
import { readIdentity } from "./identity.ts";
import type { IndexDatabase } from "./open.ts";
import { MAX_DIMS, quantise } from "./quantise.ts";
import { BlockReader, type BlockRow, type ChunkText } from "./text-blocks.ts";
import { writeInTransaction } from "./transaction.ts";
import { findVectorDims, insertVector } from "./vectors.ts";

/** A chunk without a vector; `context` and `content` are what it is embedded from. */
export interface PendingChunk {
  readonly chunkId: ChunkId;
  readonly context: string;
  readonly content: string;
}

export interface ChunkVector {
  readonly chunkId: ChunkId;
  readonly vector: Float32Array;
}

/** A chunk with its document: everything a hit needs. */
export interface Passage {
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  readonly path: string;
  readonly encoding: string;
  readonly meta: DocumentMeta;
  readonly chunk: Chunk;
}

/**
 * The chunks without a vector, one for each embedding text (`storeVectors` serves the others
 * along): those of the file that was changed last come first, since people ask about what they
 * are working on; within a document in the order of its text.
 */
export function listPendingIds(db: IndexDatabase): ChunkId[] {
  return db.all<{ readonly id: ChunkId }>(SELECT_PENDING_IDS).map(({ id }) => id);
}

/** Those of the ids that still have no vector, in the order of the ids. */
export function getPendingChunks(db: IndexDatabase, chunkIds: readonly ChunkId[]): PendingChunk[] {
  const blocks = new BlockReader();
  return db.all<BlockRow>(SELECT_PENDING, JSON.stringify(chunkIds)).map((row) => {
    const { context, content } = blocks.textOf(row);
    return { chunkId: row.id, context, content };
  });
}

/**
 * Stores vectors in one transaction, also for every other pending chunk with the same
 * embedding text. A chunk that has been deleted meanwhile, or has a vector, is left out.
 *
 * @returns How many chunks got a vector.
 * @throws {AppError} `model` if any vector is not finite, is all zeros, or has another number
 *   of dimensions than the index; nothing is stored then.
 * @throws {RangeError} If the vectors are wider than `MAX_DIMS`.
 */
export function storeVectors(db: IndexDatabase, vectors: readonly ChunkVector[]): number {
  if (vectors.length === 0) return 0;
  const dims = findVectorDims(db) ?? readIdentity(db)?.dims ?? vectors[0]!.vector.length;
  if (dims > MAX_DIMS) throw new RangeError(`a vector has at most ${MAX_DIMS} dimensions, got ${dims}`);
  for (const { vector } of vectors) refuseUnusable(vector, dims);
  return writeInTransaction(db, () => {
    let stored = 0;
    for (const { chunkId, vector } of vectors) {
      const twins = db.all<{ readonly id: ChunkId }>(SELECT_PENDING_TWINS, chunkId);
      const bytes = quantise(vector);
      for (const { id } of twins) {
        insertVector(db, id, bytes);
        db.run(DELETE_PENDING, id);
      }
      stored += twins.length;
    }
    return stored;
  });
}

/**
 * The passages of the ids, in the order of the ids, by one statement. An id that is not
 * in the index (any more) is left out.
 */
export function getPassages(db: IndexDatabase, chunkIds: readonly ChunkId[]): Passage[] {
  const rows = db.all<PassageRow>(SELECT_PASSAGES, JSON.stringify(chunkIds));
  const blocks = new BlockReader();
  const byId = new Map(rows.map((row) => [row.id, passageOf(row, blocks.textOf(row))]));
  return chunkIds.flatMap((id) => byId.get(id) ?? []);
}

/** Those of the ids that the dense leg cannot find, because they have no vector. */
export function listInvisibleToDense(db: IndexDatabase, chunkIds: readonly ChunkId[]): ReadonlySet<ChunkId> {
  const rows = db.all<{ readonly chunk_id: ChunkId }>(SELECT_PENDING_AMONG, JSON.stringify(chunkIds));
  return new Set(rows.map(({ chunk_id }) => chunk_id));
}

/** The block a chunk's text is in: the last that starts at or before it. */
const JOIN_TEXTS = `
CROSS JOIN chunk_texts ON first_chunk_id =
  (SELECT max(first_chunk_id) FROM chunk_texts WHERE first_chunk_id <= chunks.id)`;

/* Of a group, SQLite takes `chunks.id` from the row that has the maximum. */
const SELECT_PENDING_IDS = `
SELECT chunks.id, max(mtime_ns) AS changed
FROM pending_vectors
CROSS JOIN chunks ON chunks.id = pending_vectors.chunk_id
CROSS JOIN documents ON documents.id = chunks.document_id
GROUP BY input_hash
ORDER BY changed DESC, chunks.id`;

const SELECT_PENDING = `
SELECT chunks.id, first_chunk_id, body
FROM json_each(?1) AS wanted
CROSS JOIN pending_vectors ON pending_vectors.chunk_id = wanted.value
CROSS JOIN chunks ON chunks.id = pending_vectors.chunk_id ${JOIN_TEXTS}
ORDER BY wanted.key`;

const SELECT_PENDING_TWINS = `
SELECT twins.id
FROM chunks AS own
CROSS JOIN chunks AS twins ON twins.input_hash = own.input_hash
CROSS JOIN pending_vectors ON pending_vectors.chunk_id = twins.id
WHERE own.id = ?1`;

const DELETE_PENDING = "DELETE FROM pending_vectors WHERE chunk_id = ?1";

const SELECT_PENDING_AMONG = `
SELECT chunk_id FROM pending_vectors WHERE chunk_id IN (SELECT value FROM json_each(?1))`;

const SELECT_PASSAGES = `
SELECT chunks.id, chunks.document_id, chunk_index, quality, level, line_start, line_end, token_count,
  first_chunk_id, body, documents.path, encoding, title, category, topic, date, tags
FROM json_each(?1) AS wanted
CROSS JOIN chunks ON chunks.id = wanted.value ${JOIN_TEXTS}
CROSS JOIN documents ON documents.id = chunks.document_id
CROSS JOIN readings ON readings.id = documents.reading_id`;

interface PassageRow extends BlockRow {
  readonly document_id: DocumentId;
  readonly chunk_index: number;
  readonly quality: number;
  readonly level: number | null;
  readonly line_start: number;
  readonly line_end: number;
  readonly token_count: number;
  readonly path: string;
  readonly encoding: string;
  readonly title: string;
  readonly category: string | null;
  readonly topic: string | null;
  readonly date: string | null;
  readonly tags: string | null;
}

function refuseUnusable(vector: Float32Array, dims: number): void {
  if (vector.length !== dims) {
    throw new AppError("model", `a vector has ${vector.length} dimensions, the index has ${dims}`, {
      hint: "If the model was changed, rebuild the index with `kb index --force`.",
    });
  }
  const isUsable = vector.every(Number.isFinite) && vector.some((component) => component !== 0);
  if (!isUsable) {
    throw new AppError("model", "the model made a vector that is not finite or all zeros", {
      hint: "Run `kb doctor` to check the model; nothing was stored.",
    });
  }
}

function passageOf(row: PassageRow, text: ChunkText): Passage {
  return {
    chunkId: row.id,
    documentId: row.document_id,
    path: row.path,
    encoding: row.encoding,
    meta: {
      title: row.title,
      category: row.category,
      topic: row.topic,
      date: row.date,
      tags: row.tags === null ? [] : JSON.parse(row.tags),
    },
    chunk: {
      index: row.chunk_index,
      level: row.level,
      ...text,
      lines: { start: row.line_start, end: row.line_end },
      tokenCount: row.token_count,
      quality: row.quality,
    },
  };
}
