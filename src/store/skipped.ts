/**
 * Files that gave no document, with the reason, so that nothing is left out silently.
 *
 * Why a file is skipped is decided in `source/`; here it is only remembered, and
 * forgotten once the file is read or gone.
 */
import type { FileStamp } from "./documents.ts";
import type { IndexDatabase } from "./open.ts";

export interface SkippedFile extends FileStamp {
  /** The same key a document of that file would have. */
  readonly path: string;
  /** In words for the user. */
  readonly reason: string;
  /** SHA-256 of the bytes, hex; null if they could not be read. */
  readonly contentHash: string | null;
  /** Whether nothing could be learned about what is at the path: documents at and below it stay as they were. */
  readonly isUnreadable: boolean;
  /** What read it in vain: versions and settings; another one may get more out of it. */
  readonly madeBy: string;
  /** A moment before the file was read, ISO 8601, UTC. */
  readonly seenAt: string;
}

/** A document that stays although its file cannot be read now, and why. */
export interface StaleDocument {
  readonly path: string;
  readonly reason: string;
}

/** Remembers that a file was skipped, in place of what was remembered for its path. */
export function recordSkipped(db: IndexDatabase, file: SkippedFile): void {
  db.run(
    REPLACE_SKIPPED,
    file.path,
    file.reason,
    file.contentHash,
    file.isUnreadable ? 1 : 0,
    file.size,
    file.mtimeNs.toString(),
    file.ctimeNs.toString(),
    file.inode.toString(),
    file.madeBy,
    file.seenAt,
  );
}

/** Every skipped file, in path order (code points). */
export function listSkipped(db: IndexDatabase): SkippedFile[] {
  return db.all<SkippedRow>(SELECT_SKIPPED).map((row) => ({
    path: row.path,
    reason: row.reason,
    contentHash: row.content_hash,
    isUnreadable: row.unreadable === 1,
    size: row.size,
    mtimeNs: BigInt(row.mtime_ns),
    ctimeNs: BigInt(row.ctime_ns),
    inode: BigInt(row.inode),
    madeBy: row.made_by,
    seenAt: row.seen_at,
  }));
}

/** Every document at or below a path that could not be read, in path order (code points). */
export function listStaleDocuments(db: IndexDatabase): StaleDocument[] {
  return db.all<StaleDocument>(SELECT_STALE);
}

/** Forgets one path; one that was not skipped is no failure. */
export function clearSkipped(db: IndexDatabase, path: string): void {
  db.run(DELETE_SKIPPED, path);
}

const REPLACE_SKIPPED = `
INSERT OR REPLACE INTO skipped
  (path, reason, content_hash, unreadable, size, mtime_ns, ctime_ns, inode, made_by, seen_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`;

const SELECT_SKIPPED = "SELECT * FROM skipped ORDER BY path";

// `0` comes right behind `/`, so that the range is what lies below the path. No unreadable path lies below another.
const SELECT_STALE = `
SELECT documents.path, reason FROM skipped CROSS JOIN documents
ON documents.path = skipped.path OR (documents.path > skipped.path || '/' AND documents.path < skipped.path || '0')
WHERE unreadable ORDER BY documents.path`;

const DELETE_SKIPPED = "DELETE FROM skipped WHERE path = ?1";

interface SkippedRow {
  readonly path: string;
  readonly reason: string;
  readonly content_hash: string | null;
  readonly unreadable: number;
  readonly size: number;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  readonly inode: string;
  readonly made_by: string;
  readonly seen_at: string;
}
