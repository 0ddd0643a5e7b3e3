/**
 * Writing the rows of a document's chunks: text, full-text index, and vectors taken over.
 *
 * Used by `documents.ts` inside its transaction; what is written was prepared in
 * `indexed-text.ts`. The full-text and vector tables have no foreign keys, so everything that
 * is deleted is deleted here by name.
 */
import type { ChunkId, DocumentId } from "../core/document.ts";
import type { IndexedChunk, IndexedText } from "./indexed-text.ts";
import type { IndexDatabase } from "./open.ts";
import { forgetVectors, insertVector, keepVectors } from "./vectors.ts";

/**
 * Stores chunks in place of all that the document has. A chunk whose embedding text has a
 * vector anywhere in the index, those being replaced included, takes it over; every other
 * one becomes pending.
 */
export function replaceChunks(
  db: IndexDatabase,
  documentId: DocumentId,
  { titleTerms, blocks }: IndexedText,
): void {
  const kept = keepVectors(db, documentId);
  deleteChunks(db, documentId);
  const firstId = readLastId(db) + 1;
  let chunkId = firstId as ChunkId;
  let flushedAt = firstId;
  for (const { body, chunks } of blocks) {
    db.run(INSERT_TEXTS, chunkId, body);
    for (const chunk of chunks) {
      const vector = kept.find(chunk.inputHash);
      insertChunk(db, chunkId, documentId, chunk);
      insertFullText(db, chunkId, titleTerms, chunk);
      if (vector === undefined) db.run(INSERT_PENDING, chunkId);
      else insertVector(db, chunkId, vector);
      chunkId++;
    }
    if (chunkId - flushedAt < FLUSH_CHUNKS) continue;
    for (const sql of FLUSH_FULL_TEXT) db.execute(sql);
    flushedAt = chunkId;
  }
  kept.spareOthers();
}

/** Removes all chunks of a document, with all that was made from them. */
export function deleteChunks(db: IndexDatabase, documentId: DocumentId): void {
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

/** About as many as share a transaction when they are of small documents. */
const FLUSH_CHUNKS = 6000;

/*
 * FTS5 holds what it is given until the commit, or a savepoint, up to 16 MB for each of the two tables and
 * as much again around it: for one large document that would be most of the memory of a run.
 */
const FLUSH_FULL_TEXT = ["SAVEPOINT flush", "RELEASE flush"];

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
  { index, quality, level, lines, tokenCount, inputHash }: IndexedChunk,
): void {
  db.run(
    INSERT_CHUNK,
    chunkId,
    documentId,
    index,
    quality,
    level,
    lines.start,
    lines.end,
    tokenCount,
    inputHash,
  );
}

function insertFullText(
  db: IndexDatabase,
  chunkId: ChunkId,
  titleTerms: string,
  { phrases, terms }: IndexedChunk,
): void {
  db.run(INSERT_PHRASES, chunkId, phrases.heading, phrases.context, phrases.content);
  db.run(INSERT_TERMS, chunkId, terms.content, titleTerms, terms.headings);
}
