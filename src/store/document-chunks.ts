/**
 * The chunks around a chunk, and the numbers of chunks whose text is not needed.
 *
 * What a hit shows itself is read in `chunks.ts`; which neighbours are shown with it is
 * decided in `core/expand.ts`.
 */
import type { ChunkId, DocumentId, LineRange } from "../core/document.ts";
import type { IndexDatabase } from "./open.ts";

/** A chunk without its text. */
export interface ChunkSize {
  readonly chunkId: ChunkId;
  readonly index: number;
  readonly tokenCount: number;
}

/** The chunks of a document whose index is from `from` to `to`, both included, in order. */
export function listChunkSizes(
  db: IndexDatabase,
  documentId: DocumentId,
  { from, to }: { readonly from: number; readonly to: number },
): ChunkSize[] {
  return db.all<ChunkSize>(SELECT_SIZES, documentId, from, to);
}

/** How many chunks a document has; 0 if it is gone. */
export function countChunksOf(db: IndexDatabase, documentId: DocumentId): number {
  return db.get<{ readonly count: number }>(COUNT_CHUNKS, documentId)?.count ?? 0;
}

/** The lines of chunks by id; one that is gone is left out. */
export function listChunkLines(
  db: IndexDatabase,
  chunkIds: readonly ChunkId[],
): ReadonlyMap<ChunkId, LineRange> {
  const rows = db.all<LineRange & { readonly id: ChunkId }>(SELECT_LINES, JSON.stringify(chunkIds));
  return new Map(rows.map(({ id, start, end }) => [id, { start, end }]));
}

const SELECT_SIZES = `
SELECT id AS chunkId, chunk_index AS "index", token_count AS tokenCount
FROM chunks WHERE document_id = ?1 AND chunk_index BETWEEN ?2 AND ?3 ORDER BY chunk_index`;

const COUNT_CHUNKS = "SELECT count(*) AS count FROM chunks WHERE document_id = ?1";

const SELECT_LINES = `
SELECT id, line_start AS "start", line_end AS "end" FROM chunks WHERE id IN (SELECT value FROM json_each(?1))`;
