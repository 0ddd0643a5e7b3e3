/**
 * Files that gave no document, with the reason, so that nothing is left out silently.
 *
 * Why a file is skipped is decided in `source/`; here it is only remembered, and
 * forgotten once the file is read or gone.
 */
import type { IndexDatabase } from "./open.ts";

export interface SkippedFile {
  /** The same key a document of that file would have. */
  readonly path: string;
  /** In words for the user. */
  readonly reason: string;
  /** SHA-256 of the bytes, hex; null if they could not be read. */
  readonly contentHash: string | null;
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
  /** ISO 8601, UTC. */
  readonly seenAt: string;
}

/** Remembers that a file was skipped, in place of what was remembered for its path. */
export function recordSkipped(db: IndexDatabase, file: SkippedFile): void {
  const { path, reason, contentHash, size, mtimeNs, seenAt } = file;
  db.run(REPLACE_SKIPPED, path, reason, contentHash, size, mtimeNs.toString(), seenAt);
}

/** Every skipped file, in path order (code points). */
export function listSkipped(db: IndexDatabase): SkippedFile[] {
  return db.all<SkippedRow>(SELECT_SKIPPED).map((row) => ({
    path: row.path,
    reason: row.reason,
    contentHash: row.content_hash,
    size: row.size,
    mtimeNs: BigInt(row.mtime_ns),
    seenAt: row.seen_at,
  }));
}

/** Forgets one path; one that was not skipped is no failure. */
export function clearSkipped(db: IndexDatabase, path: string): void {
  db.run(DELETE_SKIPPED, path);
}

const REPLACE_SKIPPED = `
INSERT OR REPLACE INTO skipped (path, reason, content_hash, size, mtime_ns, seen_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)`;

const SELECT_SKIPPED = "SELECT * FROM skipped ORDER BY path";

const DELETE_SKIPPED = "DELETE FROM skipped WHERE path = ?1";

interface SkippedRow {
  readonly path: string;
  readonly reason: string;
  readonly content_hash: string | null;
  readonly size: number;
  readonly mtime_ns: string;
  readonly seen_at: string;
}
