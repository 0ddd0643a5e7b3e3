/**
 * Changes: files on disk against rows in the index, out comes what to do.
 *
 * Two steps, because hashing is the costly part: `classifyByStat` tells what need not
 * be read, `classifyByHash` decides the rest once the caller has read it. Walking and
 * hashing are done in `source/`, carrying the plan out in `engine/`.
 */
import { compareCodePoints } from "./code-point-order.ts";

/** What can be known of a file without reading it. */
export interface FileStat {
  /** Key of the document: relative, `/`-separated. */
  readonly path: string;
  /** Its name exactly as on disk; another one with the same key is to be remembered. */
  readonly rawPath: string | Uint8Array;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
}

/** What the index remembers of a document. */
export interface IndexedFile extends FileStat {
  readonly contentHash: string;
  /** A moment before the file was read, in nanoseconds of the system's clock. */
  readonly readAtNs: bigint;
  /** False if it was made by an older parser or chunker, so that it is made anew whatever its hash. */
  readonly isCurrent: boolean;
}

export interface StatClasses<File, Row> {
  /** Same stat, and current: nothing to read. */
  readonly unchanged: readonly Row[];
  /** Known paths whose file has to be hashed. */
  readonly changed: readonly { readonly file: File; readonly row: Row }[];
  /** Files at paths the index does not know; they need a hash only if `gone` is not empty. */
  readonly fresh: readonly File[];
  /** Rows whose path is not on disk, without those below what could not be read. */
  readonly gone: readonly Row[];
}

export interface ChangePlan<File, Row> {
  readonly add: readonly File[];
  readonly update: readonly { readonly file: File; readonly row: Row }[];
  /** Same content under another stat: only the stat is to be stored. */
  readonly touch: readonly { readonly file: File; readonly row: Row }[];
  readonly renames: readonly { readonly file: File; readonly row: Row }[];
  readonly removes: readonly Row[];
  /** Rows left alone because their file could not be read now. */
  readonly kept: readonly Row[];
}

/** What stands for the hash of a file that was looked at. */
export type FileHash =
  | string
  /** It could not be read now, which says nothing about its content. */
  | null
  /** It is no document, whatever its content: a link, too large. */
  | false;

/**
 * Whether a file may have changed since it was read without its stat showing it: its last change was then so
 * young that another one could have left the same times.
 */
export function isRacy({ ctimeNs }: Pick<FileStat, "ctimeNs">, readAtNs: bigint): boolean {
  return ctimeNs >= readAtNs - COARSEST_CLOCK_NS;
}

/** Times go up in steps: of some milliseconds usually, of two seconds on FAT. */
const COARSEST_CLOCK_NS = 2_000_000_000n;

/**
 * Sorts files and rows by what their stat says. Each list is ordered by path, by code points.
 *
 * @param unreadable Keys of folders and files that the walk could not look into; rows at or below them
 *   are never gone. The empty key stands for the root.
 * @param trustsStats False to have every known file read.
 */
export function classifyByStat<File extends FileStat, Row extends IndexedFile>(
  files: readonly File[],
  rows: readonly Row[],
  unreadable: readonly string[],
  trustsStats = true,
): StatClasses<File, Row> {
  const rowOfPath = new Map(rows.map((row) => [row.path, row]));
  const unchanged: Row[] = [];
  const changed: { file: File; row: Row }[] = [];
  const fresh: File[] = [];
  for (const file of files) {
    const row = rowOfPath.get(file.path);
    if (row === undefined) fresh.push(file);
    else if (trustsStats && isSettled(file, row)) unchanged.push(row);
    else changed.push({ file, row });
    rowOfPath.delete(file.path);
  }
  const unreadableKeys = new Set(unreadable);
  const gone = [...rowOfPath.values()].filter((row) => !isAtOrBelow(row.path, unreadableKeys));
  return {
    unchanged: unchanged.sort(byPath),
    changed: changed.sort((a, b) => byPath(a.row, b.row)),
    fresh: fresh.sort(byPath),
    gone: gone.sort(byPath),
  };
}

/**
 * Settles what the stat left open.
 *
 * A gone row and a fresh file with the same content are a rename: gone rows in path order each
 * take the first unused fresh file. Everything else that is gone is removed, and so is the row of a file that is
 * no document any more.
 *
 * @param hashes Content hash of each file that was looked at, by path. A fresh file without an entry is taken as new.
 * @throws {RangeError} If a changed file has no entry.
 */
export function classifyByHash<File extends FileStat, Row extends IndexedFile>(
  classes: StatClasses<File, Row>,
  hashes: ReadonlyMap<string, FileHash>,
): ChangePlan<File, Row> {
  const update: { file: File; row: Row }[] = [];
  const touch: { file: File; row: Row }[] = [];
  const kept: Row[] = [];
  const removes: Row[] = [];
  for (const pair of classes.changed) {
    const hash = hashes.get(pair.file.path);
    if (hash === undefined) throw new RangeError(`no hash for the changed file ${pair.file.path}`);
    if (hash === null) kept.push(pair.row);
    else if (hash === false) removes.push(pair.row);
    else if (hash === pair.row.contentHash && pair.row.isCurrent) touch.push(pair);
    else update.push(pair);
  }

  const freshOfHash = new Map<string, File[]>();
  for (const file of classes.fresh) {
    const hash = hashes.get(file.path);
    if (typeof hash !== "string") continue;
    const twins = freshOfHash.get(hash);
    if (twins === undefined) freshOfHash.set(hash, [file]);
    else twins.push(file);
  }
  for (const twins of freshOfHash.values()) twins.reverse();

  const renames: { file: File; row: Row }[] = [];
  for (const row of classes.gone) {
    const file = freshOfHash.get(row.contentHash)?.pop();
    if (file === undefined) removes.push(row);
    else renames.push({ file, row });
  }
  const renamed = new Set(renames.map(({ file }) => file.path));
  const add = classes.fresh.filter(({ path }) => {
    const hash = hashes.get(path);
    return !renamed.has(path) && hash !== null && hash !== false;
  });
  return { add, update, touch, renames, removes: removes.sort(byPath), kept };
}

function isSettled(file: FileStat, row: IndexedFile): boolean {
  return (
    row.isCurrent &&
    !isRacy(row, row.readAtNs) &&
    file.rawPath === row.rawPath &&
    file.size === row.size &&
    file.mtimeNs === row.mtimeNs &&
    file.ctimeNs === row.ctimeNs &&
    file.inode === row.inode
  );
}

function isAtOrBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.has(path) || folders.has("")) return true;
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1))
    if (folders.has(path.slice(0, slash))) return true;
  return false;
}

function byPath(a: FileStat, b: FileStat): number {
  return compareCodePoints(a.path, b.path);
}
