/**
 * Everything an index holds, in a form in which two indexes of the same folder are equal.
 *
 * In goes an open index, out come plain values without ids and without the time of the run:
 * documents with their chunks, the postings of both full-text tables, vectors by the text
 * they are of, and what was skipped.
 */

import type { Chunk, ChunkId } from "../../src/core/document.ts";
import { getPassages } from "../../src/store/chunks.ts";
import { findDocument, listDocumentPaths, type StoredDocument } from "../../src/store/documents.ts";
import { type LinkingDocument, listLinkingDocuments } from "../../src/store/links.ts";
import type { IndexDatabase } from "../../src/store/open.ts";
import { listSkipped } from "../../src/store/skipped.ts";

export interface IndexRows {
  /** By path. */
  readonly documents: ReadonlyMap<string, DocumentRows>;
  /** `path: reason`, and whether it was read. */
  readonly skipped: readonly string[];
  /** Rows that belong to nothing; always empty. */
  readonly strays: readonly unknown[];
  /** Input hashes of the texts that have a vector. */
  readonly embedded: ReadonlySet<string>;
}

export interface DocumentRows extends Omit<StoredDocument, "id" | "indexedAt"> {
  readonly links: LinkingDocument | undefined;
  readonly chunks: readonly {
    readonly inputHash: string;
    readonly vector: string | undefined;
    readonly chunk: Chunk;
    readonly phrases: readonly string[] | undefined;
    readonly terms: readonly string[] | undefined;
  }[];
}

interface ChunkRow {
  readonly id: ChunkId;
  readonly document_id: number;
  readonly input_hash: Uint8Array;
  readonly pending: number | null;
}

interface Posting {
  readonly term: string;
  readonly doc: ChunkId;
  readonly col: string;
  readonly offset: number | null;
}

export function rowsOf(db: IndexDatabase): IndexRows {
  const chunks = db.all<ChunkRow>(`
    SELECT chunks.id, document_id, input_hash, chunk_id AS pending
    FROM chunks LEFT JOIN pending_vectors ON chunk_id = chunks.id ORDER BY document_id, chunk_index`);
  const vectors = vectorsOf(db);
  const phrases = postingsOf(db, "chunk_phrases");
  const terms = postingsOf(db, "chunk_terms");
  const passages = new Map(
    getPassages(
      db,
      chunks.map(({ id }) => id),
    ).map((passage) => [passage.chunkId, passage]),
  );
  const links = new Map(listLinkingDocuments(db).map((document) => [document.path, document]));
  const embedded = new Set<string>();
  const documents = new Map<string, DocumentRows>();
  const strays: unknown[] = [];
  for (const path of listDocumentPaths(db)) {
    const { id, indexedAt: _, ...record } = findDocument(db, path)!;
    const own = chunks.filter(({ document_id }) => document_id === (id as number));
    documents.set(path, {
      ...record,
      links: links.get(path),
      chunks: own.map(({ id: chunkId, input_hash, pending }) => {
        const inputHash = input_hash.toHex();
        const vector = vectors.get(chunkId);
        if (pending === null) embedded.add(inputHash);
        if ((pending === null) !== (vector !== undefined)) strays.push({ path, chunkId, pending, vector });
        const { chunk } = passages.get(chunkId)!;
        return { inputHash, vector, chunk, phrases: phrases.get(chunkId), terms: terms.get(chunkId) };
      }),
    });
  }
  const known = new Set(chunks.map(({ id }) => id));
  for (const ids of [vectors, phrases, terms]) strays.push(...[...ids.keys()].filter((id) => !known.has(id)));
  strays.push(
    ...db.all("SELECT * FROM pending_vectors WHERE chunk_id NOT IN (SELECT id FROM chunks)"),
    ...db.all("SELECT * FROM spare_vectors"),
    ...db.all("SELECT * FROM chunk_texts WHERE first_chunk_id NOT IN (SELECT id FROM chunks)"),
    ...db.all("SELECT * FROM chunks WHERE document_id NOT IN (SELECT id FROM documents)"),
    ...db.all("SELECT * FROM document_links WHERE document_id NOT IN (SELECT id FROM documents)"),
  );
  const skipped = listSkipped(db).map(
    ({ path, reason, contentHash, isUnreadable }) => `${path}: ${reason} ${contentHash} ${isUnreadable}`,
  );
  return { documents, skipped, strays, embedded };
}

function vectorsOf(db: IndexDatabase): Map<ChunkId, string> {
  const rows = db.all<{ readonly chunk_id: ChunkId; readonly embedding: Uint8Array }>(
    "SELECT chunk_id, embedding FROM chunk_vectors",
  );
  return new Map(rows.map(({ chunk_id, embedding }) => [chunk_id, embedding.toHex()]));
}

/** Contentless tables give back no text, but all that they know of it. */
function postingsOf(db: IndexDatabase, table: "chunk_phrases" | "chunk_terms"): Map<ChunkId, string[]> {
  db.execute(
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${table}_postings USING fts5vocab (main, ${table}, instance)`,
  );
  const postings = new Map<ChunkId, string[]>();
  for (const { term, doc, col, offset } of db.all<Posting>(`SELECT * FROM temp.${table}_postings`)) {
    const own = postings.get(doc);
    const shown = `${col} ${offset} ${term}`;
    if (own === undefined) postings.set(doc, [shown]);
    else own.push(shown);
  }
  return postings;
}
