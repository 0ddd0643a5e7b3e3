/**
 * Makes sure that an index folder is what it seems, before anything in it is opened or written.
 *
 * A folder of documents may come with a `.kb` made by somebody else. A link in it would let
 * a read or write reach anywhere, a pipe would stop the program; both are refused. What
 * the files mean is known to `index-location.ts` and `writer-lock.ts`.
 */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { AppError, messageOf } from "../errors.ts";

/**
 * Refuses a folder that is a link, or in which a name that `kb` uses is a link, a pipe or a
 * device. One that does not exist is in order, and so are names that are not used.
 *
 * @throws {AppError} `corrupt` naming what is in the way; `io` if the folder cannot be listed.
 */
export function guardIndexFolder(directory: string): void {
  const folder = look(directory);
  if (folder === undefined) return;
  refuse(directory, folder);
  if (!folder.isDirectory()) return; // Found out, with the system's own reason, by whoever uses it.
  for (const name of list(directory).filter((candidate) => USED_NAMES.test(candidate))) {
    const entry = look(join(directory, name));
    if (entry !== undefined) refuse(join(directory, name), entry);
  }
}

const USED_NAMES = /^(?:current|at-work|\.gitignore|(?:writer\.lock|index-\d+\.db)(?:-wal|-shm|-journal)?)$/;

function refuse(path: string, found: Stats): void {
  if (found.isFile() || found.isDirectory()) return;
  const kind = found.isSymbolicLink() ? "a symbolic link" : "neither a file nor a folder";
  throw new AppError("corrupt", `${path} is ${kind}, which kb does not use for its index`, {
    hint: `Remove it: rm ${quoted(path)}`,
  });
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unusable(path, error);
  }
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw unusable(directory, error);
  }
}

function unusable(path: string, cause: unknown): AppError {
  return new AppError("io", `${path} cannot be looked at: ${messageOf(cause)}`, {
    hint: "Check the permissions of the index folder.",
    cause,
  });
}

/** For a shell, whatever is in it. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
