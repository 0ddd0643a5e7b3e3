/**
 * How far the folder has moved on since it was indexed, judged by stats alone.
 *
 * In go the root and an open index, out come numbers of files; nothing is read, so a touched file counts
 * as changed, and a moved one as removed and added. The run that then looks closer is planned in
 * `text-plan.ts`; whether the hits of one answer are fresh is asked in `freshness.ts`.
 */
import { classifyByStat } from "../../core/changes.ts";
import { type WalkOptions, walkFolder } from "../../source/walk.ts";
import { listDocumentStates } from "../../store/documents.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { listSkipped } from "../../store/skipped.ts";

export interface FolderChanges {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Up to 5 paths, changed ones first. */
  readonly samples: readonly string[];
}

/**
 * Compares the folder with the index.
 *
 * @param budgetMs Looking ends when it has taken so long; the answer is undefined then.
 * @throws {AppError} `io` if the root cannot be listed.
 */
export function findFolderChanges(
  root: string,
  db: IndexDatabase,
  walk: WalkOptions,
  budgetMs: number,
): FolderChanges | undefined {
  const deadline = performance.now() + budgetMs;
  const found = walkFolder(root, { ...walk, mayGoOn: () => performance.now() < deadline });
  if (!found.isComplete) return undefined;
  const skips = new Map(listSkipped(db).map((skip) => [skip.path, skip]));
  // What was left out is known to be so, as long as it is as it was or could not even be read.
  const files = found.files.filter((file) => {
    const skip = skips.get(file.path);
    return skip === undefined || !(skip.contentHash === null || isSameStat(file, skip));
  });
  const closed = [...skips.values()].filter(({ isUnreadable }) => isUnreadable).map(({ path }) => path);
  const { changed, fresh, gone } = classifyByStat(files, rowsOf(db), [...found.unreadable, ...closed]);
  const samples = [...changed.map(({ file }) => file), ...fresh, ...gone].slice(0, SAMPLES);
  return {
    added: fresh.length,
    changed: changed.length,
    removed: gone.length,
    samples: samples.map(({ path }) => path),
  };
}

/** Files that were added, changed or removed. */
export function countOfChanges({ added, changed, removed }: FolderChanges): number {
  return added + changed + removed;
}

const SAMPLES = 5;

/** Taken for read long after their last change and by the stages of today: only their stat counts here. */
function rowsOf(db: IndexDatabase) {
  return [...listDocumentStates(db)].map(([path, state]) => ({
    path,
    ...state,
    readAtNs: LONG_AFTER_NS,
    isCurrent: true,
  }));
}

const LONG_AFTER_NS = 2n ** 80n;

function isSameStat(a: Stat, b: Stat): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.inode === b.inode;
}

interface Stat {
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
}
