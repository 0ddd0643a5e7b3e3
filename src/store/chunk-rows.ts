/**
 * Writing the rows of a document's chunks: text, full-text index, and vectors taken over.
 *
 * Used by `documents.ts` inside its transaction. The full-text and vector tables have no
 * foreign keys, so everything that is deleted is deleted here by name.
 */
import { analyseDocumentField } from "../core/analyse.ts";
import { type Chunk, type ChunkId, type DocumentId, embeddingTextOf } from "../core/document.ts";
import { normalizeText } from "../core/normalize.ts";
import type { IndexDatabase } from "./open.ts";
import { packTexts } from "./text-blocks.ts";
import { forgetVectors, insertVector, readVectorsByInput } from "./vectors.ts";

/**
 * Stores chunks in place of all that the document has. A chunk whose embedding text has a
 * vector anywhere in the index, those being replaced included, takes it over; every other
 * one becomes pending.
 *
 * @param title Of the document; each chunk can be found by its words.
 */
export function replaceChunks(
  db: IndexDatabase,
  documentId: DocumentId,
  title: string,
  chunks: readonly Chunk[],
): void {
  const inputHashes = chunks.map(hashInput);
  const reusable = readVectorsByInput(db, inputHashes);
  deleteChunks(db, documentId);
  const firstId = readLastId(db) + 1;
  const titleTerms = termsOf(title);
  for (const [offset, chunk] of chunks.entries()) {
    const chunkId = (firstId + offset) as ChunkId;
    const inputHash = inputHashes[offset]!;
    insertChunk(db, chunkId, documentId, chunk, inputHash);
    insertFullText(db, chunkId, titleTerms, chunk);
    const vector = reusable.get(inputHash.toHex());
    if (vector === undefined) db.run(INSERT_PENDING, chunkId);
    else insertVector(db, chunkId, vector);
  }
  let blockId = firstId;
  for (const { count, body } of packTexts(chunks)) {
    db.run(INSERT_TEXTS, blockId, body);
    blockId += count;
  }
}

const SELECT_LAST_ID = "SELECT seq AS id FROM sqlite_sequence WHERE name = 'chunks'";

const INSERT_CHUNK = `
INSERT INTO chunks (id, document_id, chunk_index, quality, level, line_start, line_end, token_count, input_hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`;

const INSERT_PHRASES = "INSERT INTO chunk_phrases (rowid, heading, context, content) VALUES (?1, ?2, ?3, ?4)";

const INSERT_TERMS = "INSERT INTO chunk_terms (rowid, content, title, headings) VALUES (?1, ?2, ?3, ?4)";

const INSERT_PENDING = "INSERT INTO pending_vectors (chunk_id) VALUES (?1)";

const INSERT_TEXTS = "INSERT INTO chunk_texts (first_chunk_id, body) VALUES (?1, ?2)";

const SELECT_CHUNK_IDS = "SELECT id FROM chunks WHERE document_id = ?1";

const DELETE_PHRASES = "DELETE FROM chunk_phrases WHERE rowid = ?1";

const DELETE_TERMS = "DELETE FROM chunk_terms WHERE rowid = ?1";

const DELETE_TEXTS =
  "DELETE FROM chunk_texts WHERE first_chunk_id IN (SELECT id FROM chunks WHERE document_id = ?1)";

const DELETE_CHUNKS = "DELETE FROM chunks WHERE document_id = ?1";

/*
 * The ids of a document's chunks are counted on from here, so that they have no gaps. Asking
 * each row for its id with RETURNING would make SQLite open a savepoint for it, and FTS5 write
 * a segment.
 */
function readLastId(db: IndexDatabase): number {
  return db.get<{ readonly id: number }>(SELECT_LAST_ID)?.id ?? 0;
}

function insertChunk(
  db: IndexDatabase,
  chunkId: ChunkId,
  documentId: DocumentId,
  chunk: Chunk,
  inputHash: Uint8Array,
): void {
  db.run(
    INSERT_CHUNK,
    chunkId,
    documentId,
    chunk.index,
    chunk.quality,
    chunk.level,
    chunk.lines.start,
    chunk.lines.end,
    chunk.tokenCount,
    inputHash,
  );
}

function insertFullText(db: IndexDatabase, chunkId: ChunkId, titleTerms: string, chunk: Chunk): void {
  const { heading, headingPath, context } = chunk;
  const content = normalizeText(chunk.content);
  db.run(
    INSERT_PHRASES,
    chunkId,
    heading === null ? null : normalizeText(heading),
    normalizeText(context),
    content,
  );
  const headings = analyseDocumentField(normalizeText(headingPath.join("\n")));
  db.run(INSERT_TERMS, chunkId, analyseDocumentField(content), titleTerms, headings);
}

function deleteChunks(db: IndexDatabase, documentId: DocumentId): void {
  const ids = db.all<{ readonly id: ChunkId }>(SELECT_CHUNK_IDS, documentId).map(({ id }) => id);
  if (ids.length === 0) return;
  forgetVectors(db, ids);
  for (const id of ids) {
    db.run(DELETE_PHRASES, id);
    db.run(DELETE_TERMS, id);
  }
  db.run(DELETE_TEXTS, documentId);
  db.run(DELETE_CHUNKS, documentId);
}

function termsOf(text: string): string {
  return analyseDocumentField(normalizeText(text));
}

// 128 bits of SHA-256: nobody gains from a collision here, and the index on them stays small.
function hashInput(chunk: Chunk): Uint8Array {
  return new Uint8Array(
    new Bun.CryptoHasher("sha256").update(embeddingTextOf(chunk)).digest().subarray(0, 16),
  );
}
