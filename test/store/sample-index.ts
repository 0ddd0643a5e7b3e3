/**
 * Small documents and indexes for the store's tests: fill in what a test is about, leave
 * the rest to the defaults.
 */
import { getLoadablePath } from "sqlite-vec";
import type { Chunk, ChunkId, DocumentId } from "../../src/core/document.ts";
import { storeVectors } from "../../src/store/chunks.ts";
import { type DocumentRecord, replaceDocument } from "../../src/store/documents.ts";
import { prepareIndexedText } from "../../src/store/indexed-text.ts";
import { type IndexDatabase, openIndex } from "../../src/store/open.ts";
import type { VectorEngineName, VectorEngineOptions } from "../../src/store/vector-engine.ts";

export const VECTOR_EXTENSION = getLoadablePath();

/** Both ways to compare vectors: what is said of one must hold for the other. */
export const VECTOR_ENGINES = ["sqlite-vec", "js"] as const satisfies readonly VectorEngineName[];

/** Opens an index with this engine. */
export function withEngine(engine: VectorEngineName): VectorEngineOptions {
  return engine === "js" ? {} : { vectorExtensionPath: VECTOR_EXTENSION, isVectorExtensionRequired: true };
}

export function openMemoryIndex(engine: VectorEngineName = "sqlite-vec"): IndexDatabase {
  return openIndex(":memory:", { mode: "write", ...withEngine(engine) });
}

export function sampleRecord(path: string, changes: Partial<DocumentRecord> = {}): DocumentRecord {
  return {
    path,
    rawPath: path,
    meta: { title: path, category: null, topic: null, date: null, tags: [] },
    contentHash: "00",
    size: 10,
    mtimeNs: 1_700_000_000_123_456_789n,
    ctimeNs: 1_700_000_000_987_654_321n,
    inode: 18_446_744_073_709_551_615n,
    encoding: "utf-8",
    warnings: [],
    parserVersion: "1",
    chunkerVersion: "1",
    indexedAt: "2026-01-02T03:04:05.000Z",
    ...changes,
  };
}

export function sampleChunk(index: number, content: string, changes: Partial<Chunk> = {}): Chunk {
  return {
    index,
    heading: null,
    level: null,
    headingPath: [],
    context: "",
    content,
    lines: { start: index + 1, end: index + 1 },
    tokenCount: 5,
    quality: 1,
    ...changes,
  };
}

/** Prepares chunks and stores them with their document. */
export function storeDocument(
  db: IndexDatabase,
  record: DocumentRecord,
  chunks: readonly Chunk[],
): DocumentId {
  return replaceDocument(db, record, prepareIndexedText(record.meta.title, chunks));
}

/** Stores a document with one chunk for each content. */
export function addDocument(db: IndexDatabase, path: string, ...contents: string[]): DocumentId {
  return storeDocument(
    db,
    sampleRecord(path),
    contents.map((content, index) => sampleChunk(index, content)),
  );
}

export function chunkIdsOf(db: IndexDatabase, path: string): ChunkId[] {
  const rows = db.all<{ readonly id: ChunkId }>(
    `SELECT chunks.id FROM chunks JOIN documents ON documents.id = document_id
     WHERE path = ?1 ORDER BY chunk_index`,
    path,
  );
  return rows.map(({ id }) => id);
}

/** Gives every chunk of a document a vector, in order. */
export function addVectors(db: IndexDatabase, path: string, ...vectors: (readonly number[])[]): void {
  const ids = chunkIdsOf(db, path);
  storeVectors(
    db,
    vectors.map((vector, offset) => ({ chunkId: ids[offset]!, vector: Float32Array.from(vector) })),
  );
}

/** How many rows each table has that belongs to chunks. */
export function countRows(db: IndexDatabase): Record<string, number> {
  const count = (sql: string) => db.get<{ readonly n: number }>(`SELECT count(*) AS n FROM ${sql}`)!.n;
  return {
    documents: count("documents"),
    chunks: count("chunks"),
    phrases: count("chunk_phrases"),
    terms: count("chunk_terms"),
    texts: count("chunk_texts"),
    pending: count("pending_vectors"),
    vectors: count("chunk_vectors"),
  };
}
