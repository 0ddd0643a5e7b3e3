/**
 * Bringing the index up to date just before a search, where nobody else does.
 *
 * In go what the user wants and the verbs to do it with; out comes what has still changed
 * since. A server needs none of this: it follows its folder (`upkeep.ts`).
 */
import { AppError } from "../../errors.ts";
import { countOfChanges, type FolderChanges } from "./folder-changes.ts";
import type { IndexFolderOptions } from "./index-folder.ts";

export const REFRESH_POLICIES = ["auto", "never", "always"] as const;

/**
 * `never` searches the index as it is, `always` makes it equal to the folder first, however long
 * that takes. `auto` looks for changes while that is quick, and takes in a few; of more it only tells.
 */
export type RefreshPolicy = (typeof REFRESH_POLICIES)[number];

export interface RefreshParts {
  /** Looks for changes for at most so many milliseconds; undefined if that was not enough, or there is no index. */
  findChanges(budgetMs: number): FolderChanges | undefined;
  index(options: IndexFolderOptions): Promise<unknown>;
  /** Whether every passage has a vector by now, so that new ones are the only ones to make. */
  hasAllVectors(): boolean;
}

/**
 * @returns What has changed and is not in the index; undefined if that is nothing, or not known.
 * @throws {AppError} With `always`, what `index` throws; `auto` goes on with the index as it is.
 */
export async function refreshIndex(
  policy: RefreshPolicy,
  { findChanges, index, hasAllVectors }: RefreshParts,
): Promise<FolderChanges | undefined> {
  if (policy === "never") return undefined;
  const options = { force: false, verify: false, onProgress() {} };
  if (policy === "always") {
    await index({ ...options, vectors: true, signal: new AbortController().signal });
    return undefined;
  }
  const changes = findChanges(LOOK_BUDGET_MS);
  if (changes === undefined || countOfChanges(changes) === 0) return undefined;
  if (countOfChanges(changes) > MAX_CHANGES) return changes;
  try {
    const vectors = hasAllVectors();
    await index({ ...options, vectors, signal: AbortSignal.timeout(INDEX_BUDGET_MS) });
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return changes; // Somebody else is writing, or the index cannot be written here.
  }
}

/** About a thousand files; of a larger folder only the files of hits are looked at. */
const LOOK_BUDGET_MS = 25;

/** Files that are taken in at once; with their vectors that takes a second or two at most. */
const MAX_CHANGES = 20;

const INDEX_BUDGET_MS = 1000;
