/**
 * What earlier runs left in an index folder that nobody needs any more.
 *
 * In goes the folder, out come full paths: generations that are not in use, and temporary
 * files of `current`. They cost space only. Nothing is removed here; publishing the next generation
 * does that (`index-location.ts`).
 */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";

export interface LeftOvers {
  /** Sorted; with the files that SQLite keeps beside a database. */
  readonly files: readonly string[];
  /** Of all of them. */
  readonly bytes: number;
}

/**
 * @param fileInUse The generation that `current` names.
 * @throws The file system's own error if the folder cannot be listed.
 */
export function findLeftOvers(directory: string, fileInUse: string): LeftOvers {
  const inUse = basename(fileInUse);
  const files = readdirSync(directory)
    .filter((name) => LEFT_OVER.test(name) && name.replace(SIDE_FILE, "") !== inUse)
    .sort()
    .map((name) => join(directory, name));
  const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  return { files, bytes };
}

const LEFT_OVER = /^(?:index-\d+\.db(?:-wal|-shm|-journal)?|current\.\d+\.[0-9a-f-]+)$/;
const SIDE_FILE = /-(?:wal|shm|journal)$/;
