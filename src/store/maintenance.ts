/**
 * Housekeeping at the end of an indexing run: what makes later searches fast and the
 * file small.
 *
 * Nothing here changes what the index answers. When to do it is decided in `engine/`.
 */
import type { IndexDatabase } from "./open.ts";

/**
 * Merges the segments of each full-text table into one, reading and writing all of it. Worth
 * it after loading a large part of the index; after a few documents it is not.
 */
export function optimizeFullText(db: IndexDatabase): void {
  db.run(OPTIMIZE_PHRASES);
  db.run(OPTIMIZE_TERMS);
}

/**
 * Gives space left by deleted rows back where that is more than half of the file; cheap otherwise. Not inside a transaction.
 *
 * @throws {AppError} `busy` if another process writes.
 */
export function reclaimSpace(db: IndexDatabase): void {
  const { pages, free } = db.get<{ readonly pages: number; readonly free: number }>(SELECT_PAGES)!;
  if (free > pages / 2) db.execute("VACUUM");
}

const OPTIMIZE_PHRASES = "INSERT INTO chunk_phrases (chunk_phrases) VALUES ('optimize')";

const OPTIMIZE_TERMS = "INSERT INTO chunk_terms (chunk_terms) VALUES ('optimize')";

const SELECT_PAGES = `
SELECT (SELECT page_count FROM pragma_page_count) AS pages,
       (SELECT freelist_count FROM pragma_freelist_count) AS free`;
