/**
 * Where the files of an index are: generations `index-<n>.db` in one folder, and a
 * one-line file `current` that names the one in use.
 *
 * Only `current` is ever replaced by a rename: renaming over a database that a reader
 * has open would mix that reader's write-ahead log with a foreign file. Which folder it
 * is (`.kb` in the root or elsewhere) is decided in `config/`. Every function here refuses a
 * folder with links in it, through `folder-guard.ts`, before it does anything.
 */
import { Database } from "bun:sqlite";
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { AppError, messageOf } from "../errors.ts";
import { replaceFile } from "../native/replace-file.ts";
import { guardIndexFolder } from "./folder-guard.ts";

/**
 * The index file in use, if the folder has one; it may not have been made yet.
 *
 * @throws {AppError} `corrupt` if `current` names no generation or a link is in the way; `io` if
 *   it cannot be read.
 */
export function findIndexFile(directory: string): string | undefined {
  guardIndexFolder(directory);
  const text = readCurrent(directory);
  if (text === undefined) return undefined;
  const name = text.trimEnd();
  if (!GENERATION.test(name)) {
    throw new AppError(
      "corrupt",
      `${join(directory, "current")} does not name an index: ${name.slice(0, 80)}`,
      {
        hint: "Rebuild the index with `kb index --force`.",
      },
    );
  }
  return join(directory, name);
}

/**
 * Which file it is that has this name now; undefined if there is none. Another one of the same
 * name, made after the first was removed, is told apart as long as somebody has the first open.
 */
export function findFileIdentity(file: string): string | undefined {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.dev} ${stat.ino}`;
  } catch (thrown) {
    // Something else stands where a folder was: nothing is found there either.
    if ((thrown as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw thrown;
  }
}

/**
 * Makes the folder and its `.gitignore` where they are missing, so that its lock can be taken.
 *
 * @throws {AppError} `io` if the folder cannot be written.
 */
export function prepareIndexFolder(directory: string): void {
  inFolder(directory, () => createFolder(directory));
}

/**
 * Makes the folder, its `.gitignore` and `current` where they are missing. Several processes
 * may do so at once: all get the same answer.
 *
 * @returns The index file in use, to be opened in `write` mode.
 * @throws {AppError} As `findIndexFile`; `io` if the folder cannot be written.
 */
export function createIndexLocation(directory: string): string {
  return inFolder(directory, () => {
    createFolder(directory);
    const existing = findIndexFile(directory);
    if (existing !== undefined) return existing;
    const aside = writeAside(directory, generationName(highestGeneration(directory) || 1));
    try {
      // Unlike a rename, a link leaves alone what another process has put there first.
      linkSync(aside, join(directory, "current"));
    } catch (error) {
      if (!existsSync(join(directory, "current"))) renameSync(aside, join(directory, "current"));
      else if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(aside, { force: true });
    }
    return findIndexFile(directory)!;
  });
}

/**
 * The file to build the next generation in, beside the one in use. To be called by the holder of the writer lock.
 *
 * @throws {AppError} `io` if the folder cannot be written.
 */
export function startGeneration(directory: string): string {
  return inFolder(directory, () => {
    createFolder(directory);
    return join(directory, generationName(highestGeneration(directory) + 1));
  });
}

/**
 * Points `current` to a finished generation in one step, on disk when this returns, and removes
 * what is unused then. `file` must be closed.
 *
 * @throws {AppError} `io` if the folder cannot be written; `current` is unchanged then.
 */
export function publishGeneration(directory: string, file: string): void {
  inFolder(directory, () => {
    replaceFile(writeAside(directory, basename(file)), join(directory, "current"));
    syncFolder(directory);
  });
  removeUnused(directory);
}

/** Removes a generation that was never published, and so has no readers; it must be closed. */
export function discardGeneration(directory: string, file: string): void {
  inFolder(directory, () => removeFile(file));
}

/**
 * Removes what runs left behind that are over: generations other than the one in use, finished
 * or not, and files that only a killed process needed. A generation that somebody has open
 * stays until the next time. To be called by the holder of the writer lock.
 *
 * Without a readable `current` nothing is known to be unused, and nothing is removed.
 *
 * @throws {AppError} `io` if the folder cannot be written.
 */
export function removeUnused(directory: string): void {
  inFolder(directory, () => {
    const names = readdirSync(directory);
    for (const name of names.filter((each) => ASIDE.test(each)))
      rmSync(join(directory, name), { force: true });
    const inUse = currentName(directory);
    if (inUse === undefined) return;
    const generations = names.filter((name) => GENERATION.test(name));
    for (const name of generations) if (name !== inUse) removeIfUnused(join(directory, name));
    for (const name of names) {
      const owner = SIDE_FILE.exec(name)?.[1];
      if (owner !== undefined && owner !== inUse && !existsSync(join(directory, owner)))
        rmSync(join(directory, name), { force: true });
    }
  });
}

const CURRENT_MAX_BYTES = 256;
const CURRENT_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const GENERATION = /^index-([1-9]\d{0,14})\.db$/;
const SIDE_FILE = /^(index-[1-9]\d{0,14}\.db)-(?:wal|shm|journal)$/;
/** As `writeAside` names them. */
const ASIDE = /^current\.\d+\.[0-9a-f-]{36}$/;

function generationName(number: number): string {
  return `index-${number}.db`;
}

function numberOf(name: string | undefined): number {
  return Number(GENERATION.exec(name ?? "")?.[1] ?? 0);
}

function listGenerations(directory: string): string[] {
  return readdirSync(directory).filter((name) => GENERATION.test(name));
}

function highestGeneration(directory: string): number {
  return Math.max(numberOf(currentName(directory)), ...listGenerations(directory).map(numberOf), 0);
}

/** Unlike `findIndexFile`, makes nothing of a damaged `current`: a new generation is the remedy for it. */
function currentName(directory: string): string | undefined {
  const name = readCurrent(directory)?.trimEnd();
  return name !== undefined && GENERATION.test(name) ? name : undefined;
}

/** No more of it than a name can have. */
function readCurrent(directory: string): string | undefined {
  try {
    const descriptor = openSync(join(directory, "current"), CURRENT_FLAGS);
    try {
      const bytes = Buffer.alloc(CURRENT_MAX_BYTES);
      return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw folderFailure(directory, error);
  }
}

function createFolder(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const ignoreFile = join(directory, ".gitignore");
  if (!existsSync(ignoreFile)) writeFileSync(ignoreFile, "*\n");
}

/** @returns The temporary file, whose content is on disk. */
function writeAside(directory: string, name: string): string {
  const aside = join(directory, `current.${process.pid}.${crypto.randomUUID()}`);
  const descriptor = openSync(aside, "wx");
  try {
    writeFileSync(descriptor, `${name}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return aside;
}

/** Puts what was renamed on disk, before what it replaced is removed. */
function syncFolder(directory: string): void {
  if (process.platform === "win32") return; // folders cannot be opened there
  const descriptor = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** SQLite leaves WAL mode only for the sole user of a file, which is how others are noticed. */
function removeIfUnused(file: string): void {
  if (isInUse(file)) return;
  try {
    removeFile(file);
  } catch (error) {
    // Windows does not remove what somebody has opened meanwhile: that is left for the next time.
    if (process.platform !== "win32") throw error;
  }
}

function removeFile(file: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${file}${suffix}`, { force: true });
}

function isInUse(file: string): boolean {
  let connection: Database | undefined;
  try {
    connection = new Database(file, { strict: true, readwrite: true });
    const row = connection.query("PRAGMA journal_mode = DELETE").get() as { journal_mode: string } | null;
    return row?.journal_mode !== "delete";
  } catch (error) {
    // A damaged file is nobody's any more, and a full disk is found out by the sole user only.
    // Anything else is left for the next time.
    return !/^SQLITE_(NOTADB|CORRUPT|FULL)/.test((error as { code?: string }).code ?? "");
  } finally {
    connection?.close();
  }
}

function inFolder<T>(directory: string, work: () => T): T {
  guardIndexFolder(directory);
  try {
    return work();
  } catch (error) {
    throw error instanceof AppError ? error : folderFailure(directory, error);
  }
}

function folderFailure(directory: string, error: unknown): AppError {
  return new AppError("io", `the index folder ${directory} cannot be used: ${messageOf(error)}`, {
    hint: "Check its permissions and the free space, or name another folder with `index_dir` in kb.toml.",
    cause: error,
  });
}
