/**
 * Whether the documents of an answer still are as they were when they were indexed.
 *
 * In go an open index and the paths of hits, out comes the first document whose file is
 * another now. Only stats are compared: nothing is read, so a touched file counts as
 * changed. New files are not noticed here; an indexing run finds them.
 */
import { type BigIntStats, lstatSync } from "node:fs";
import { join } from "node:path";
import { type FileStamp, findDocument } from "../../store/documents.ts";
import type { IndexDatabase } from "../../store/open.ts";

/**
 * The first path whose file has another size, time or inode than its document, or is gone;
 * undefined if there is none among the first 50.
 *
 * @param paths In any order, repeats allowed.
 */
export function findChangedDocument(
  root: string,
  db: IndexDatabase,
  paths: readonly string[],
): string | undefined {
  return [...new Set(paths)].slice(0, MAX_PATHS).find((path) => {
    const document = findDocument(db, path);
    // A document that left the index since the search has changed as well.
    return document === undefined || hasChanged(join(root, document.rawPath as string), document);
  });
}

const MAX_PATHS = 50;

function hasChanged(file: string, stamp: FileStamp): boolean {
  let stat: BigIntStats | undefined;
  try {
    stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return false; // It cannot be looked at now, which says nothing about its text.
  }
  return (
    stat === undefined ||
    stat.size !== BigInt(stamp.size) ||
    stat.mtimeNs !== stamp.mtimeNs ||
    stat.ctimeNs !== stamp.ctimeNs ||
    stat.ino !== stamp.inode
  );
}
