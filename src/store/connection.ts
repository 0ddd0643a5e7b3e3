/**
 * Connecting to an index file: how it is opened, and the settings of the connection.
 *
 * Whether the file holds an index is found out in `open.ts`, which also runs all
 * statements. Here is what has to be done again when a connection is replaced.
 */
import { constants, Database } from "bun:sqlite";
import { accessSync, existsSync, constants as fileAccess, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { wrapSqliteError } from "./sqlite-errors.ts";
import { loadVectorEngine, type VectorEngine, type VectorEngineOptions } from "./vector-engine.ts";

/** Milliseconds to wait for another process's write unless told otherwise. */
export const BUSY_TIMEOUT_MS = 5000;

export interface OpenIndexOptions extends VectorEngineOptions {
  /** `write` creates what is missing; `read` never changes or creates the file. */
  readonly mode: "write" | "read";
  /** Called at the end of each write transaction; what it throws undoes the transaction. */
  readonly beforeCommit?: (() => void) | undefined;
  /** How long to wait for another process's write, in milliseconds; `BUSY_TIMEOUT_MS` if not given. */
  readonly busyTimeoutMs?: number | undefined;
  /**
   * For those who ask many queries: a `read` index keeps its vectors in memory and answers the
   * same ten times faster (37,000 of 384 dimensions: 14 MB, 2 instead of 19 ms). The first
   * search takes 100 ms longer.
   */
  readonly keepVectorsInMemory?: boolean | undefined;
}

export interface Connection {
  readonly database: Database;
  readonly vectorEngine: VectorEngine;
  /**
   * Set if the connection takes the file for unchangeable: the file's stamp when it was opened.
   * With another stamp the connection must be replaced before it is used again.
   */
  readonly frozenAt: string | undefined;
}

/**
 * Opens the file without looking at its tables. What `isPassing` is waited for, as long as for
 * another process's write.
 *
 * @throws {AppError} `io`, `busy`, or `corrupt` if it is no database at all; `config` as `loadVectorEngine`.
 */
export function connect(file: string, options: OpenIndexOptions): Connection {
  const deadline = deadlineOf(options);
  for (;;) {
    try {
      return connectOnce(file, options);
    } catch (error) {
      if (!isPassing(error, file, options) || performance.now() > deadline)
        throw wrapSqliteError(error, file);
      Bun.sleepSync(1 + 10 * Math.random());
    }
  }
}

/** When waiting ends, in the time of `performance.now()`. */
export function deadlineOf(options: OpenIndexOptions): number {
  return performance.now() + timeoutOf(options);
}

/**
 * Whether a reader without the right to write only failed because a writer was just coming or going.
 *
 * A writer makes its `-wal` before its `-shm`, and removes them the other way round. In between a
 * reader would have to make or mend the `-shm` itself. That may also happen to one that was
 * connected before, when the first writer comes.
 */
export function isPassing(error: unknown, file: string, { mode }: OpenIndexOptions): boolean {
  const code = String((error as { code?: unknown }).code ?? "");
  return (
    mode === "read" &&
    /^SQLITE_(?:READONLY_|CANTOPEN)/.test(code) &&
    !canWriteBeside(file) &&
    existsSync(file)
  );
}

function connectOnce(file: string, options: OpenIndexOptions): Connection {
  const frozenAt = options.mode === "read" && mustBeFrozen(file) ? stampOf(file) : undefined;
  let database: Database | undefined;
  try {
    database = openDatabase(file, options.mode, frozenAt !== undefined);
    database.run(`PRAGMA busy_timeout = ${timeoutOf(options)}`);
    database.run(SETTINGS);
    database.run(options.keepVectorsInMemory === true ? MAP_NOTHING : MAP_FILE);
    // A failure that passes shows at the first look at the file.
    if (options.mode === "read") database.query("PRAGMA schema_version").get();
    const vectorEngine = loadVectorEngine(database, options);
    return { database, vectorEngine, frozenAt };
  } catch (error) {
    database?.close();
    throw error;
  }
}

function timeoutOf({ busyTimeoutMs = BUSY_TIMEOUT_MS }: OpenIndexOptions): number {
  return Math.max(0, Math.trunc(busyTimeoutMs));
}

/**
 * Whether a frozen connection shows a file that has changed since. Cheap: two look-ups in the
 * folder. A file that is gone stays readable as it was to those who have it open.
 */
export function isOutdated({ frozenAt }: Connection, file: string): boolean {
  if (frozenAt === undefined) return false;
  const stamp = stampOf(file);
  return stamp !== undefined && stamp !== frozenAt;
}

/*
 * A memory map spares the copy of each page that a vector scan reads (all distances to 25,000
 * vectors: 50 instead of 58 ms); 16 MB of cache hold the inner pages of the full-text index.
 */
const SETTINGS = `
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16384;
`;

/** Maps the whole file, which spares copies while vectors are read from it. */
const MAP_FILE = "PRAGMA mmap_size = 1073741824";
/** A reader with its vectors in memory reads little else; what it maps counts as its memory. */
const MAP_NOTHING = "PRAGMA mmap_size = 0";

function openDatabase(file: string, mode: OpenIndexOptions["mode"], isFrozen: boolean): Database {
  if (mode === "write") return new Database(file, { strict: true, create: true });
  if (!isFrozen) return new Database(file, { strict: true, readonly: true });
  const uri = `${pathToFileURL(resolve(file)).href}?immutable=1`;
  return new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
}

/**
 * A file in WAL mode needs its `-shm` beside it even for reading. Where that is not there and
 * cannot be made, the file has to be opened as unchangeable. That holds as long as nobody with
 * more rights writes it, which `isOutdated` notices.
 */
function mustBeFrozen(file: string): boolean {
  return !existsSync(`${file}-wal`) && !existsSync(`${file}-shm`) && !canWriteBeside(file);
}

function canWriteBeside(file: string): boolean {
  try {
    accessSync(dirname(file), fileAccess.W_OK);
    return true;
  } catch {
    return false;
  }
}

function stampOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.size} ${found.mtimeNs} ${existsSync(`${file}-wal`)}`;
}
