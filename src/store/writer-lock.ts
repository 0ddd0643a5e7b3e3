/**
 * One writer at a time for an index folder, across processes.
 *
 * The lock is SQLite's own write lock on a small database beside the index, held open by
 * a transaction. The system releases it when its holder ends, however that happens, so a
 * lock is never stale, and process ids used again or seen from another container, wrong clocks
 * and stopped processes cannot mislead. Who holds it is written inside before and can be read by
 * all. If the file is removed or replaced, the lock is lost: its holder finds out by `verify`,
 * inside each transaction. Readers of the index never look here.
 */
import { Database, SQLiteError } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { AppError } from "../errors.ts";
import { findFileIdentity } from "./index-location.ts";
import { wrapSqliteError } from "./sqlite-errors.ts";

export interface WriterHolder {
  readonly pid: number;
  readonly hostname: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** A held lock; `release` (or `using`) gives it up, harmless when repeated. */
export interface WriterLock extends Disposable {
  /**
   * To be called between the first write of a transaction and its end. A later holder writes
   * before it reads, so what passes here is seen by it.
   *
   * @throws {AppError} `busy` if the lock file is no longer the one that is held.
   */
  verify(): void;
  release(): void;
}

/**
 * Takes the lock of an index folder at once or not at all.
 *
 * @param directory The existing folder of the index.
 * @throws {AppError} `busy` naming the process that has it and since when; `io` as usual.
 */
export function acquireWriterLock(directory: string): WriterLock {
  for (let attempt = 1; ; attempt++) {
    const lock = tryLock(directory);
    if (lock !== undefined) return lock;
    if (attempt === MAX_ATTEMPTS) throw busyWriter(directory, undefined);
  }
}

/** Who holds the lock of an index folder now; `undefined` if nobody does. */
export function findWriter(directory: string): WriterHolder | undefined {
  if (!existsSync(lockFile(directory))) return undefined;
  const connection = connect(lockFile(directory));
  if (connection === undefined) return undefined;
  try {
    connection.run("BEGIN IMMEDIATE");
    return undefined;
  } catch (error) {
    if (isBusy(error)) return readHolder(connection);
    throw wrapSqliteError(error, lockFile(directory));
  } finally {
    connection.close();
  }
}

const CREATE_HOLDER = `
CREATE TABLE IF NOT EXISTS holder (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  pid INTEGER NOT NULL, hostname TEXT NOT NULL, since TEXT NOT NULL, claim TEXT NOT NULL
)`;

const REPLACE_HOLDER = "INSERT OR REPLACE INTO holder VALUES (1, ?1, ?2, ?3, ?4)";

const SELECT_HOLDER = "SELECT pid, hostname, since, claim FROM holder";

/** Milliseconds; only covers the moments in which others look at the lock or try for it. */
const WAIT_MS = 200;

const MAX_ATTEMPTS = 20;

function lockFile(directory: string): string {
  return join(directory, "writer.lock");
}

/** @returns Undefined if somebody else came in between, or removed the file: then it is tried again. */
function tryLock(directory: string): WriterLock | undefined {
  const file = lockFile(directory);
  const connection = connect(file) ?? reconnect(file);
  try {
    const claim = claimLock(connection);
    const identity = claim === undefined ? undefined : findIdentityWith(file, claim);
    if (identity === undefined) {
      connection.close();
      return undefined;
    }
    const release = () => connection.close();
    const verify = () => {
      if (findFileIdentity(file) !== identity) throw lostLock(directory);
    };
    return { verify, release, [Symbol.dispose]: release };
  } catch (error) {
    const failure = isBusy(error) ? busyWriter(directory, readHolder(connection)) : error;
    connection.close();
    if (isMoved(error)) return undefined;
    throw wrapSqliteError(failure, file);
  }
}

/** @returns `undefined` if the file is damaged. */
function connect(file: string): Database | undefined {
  let connection: Database | undefined;
  try {
    connection = new Database(file, { strict: true, create: true });
    connection.run(`PRAGMA busy_timeout = ${WAIT_MS}`);
    connection.run("PRAGMA schema_version");
    return connection;
  } catch (error) {
    connection?.close();
    const wrapped = wrapSqliteError(error, file);
    if (wrapped instanceof AppError && wrapped.code === "corrupt") return undefined;
    throw wrapped;
  }
}

/** A damaged lock file locks nothing and holds nothing of value. */
function reconnect(file: string): Database {
  rmSync(file, { force: true });
  const connection = connect(file);
  if (connection === undefined) {
    throw new AppError("corrupt", `the lock file is damaged: ${file}`, { hint: "Delete that file." });
  }
  return connection;
}

/**
 * The holder's name has to be committed for others to see it, so the lock is taken twice. If
 * another process came in between, the name is its own: then this attempt is given up.
 *
 * @returns What this holder alone has written, if the lock is taken.
 */
function claimLock(connection: Database): string | undefined {
  const claim = crypto.randomUUID();
  connection.run("BEGIN IMMEDIATE");
  connection.run(CREATE_HOLDER);
  connection.run(REPLACE_HOLDER, [process.pid, hostname(), new Date().toISOString(), claim]);
  connection.run("COMMIT");
  connection.run("BEGIN IMMEDIATE");
  return readHolder(connection)?.claim === claim ? claim : undefined;
}

/** Which file has the name, if it is the one with this claim in it: it may have been removed before it was locked. */
function findIdentityWith(file: string, claim: string): string | undefined {
  const identity = findFileIdentity(file);
  const connection = identity === undefined ? undefined : connect(file);
  try {
    const isHeld = connection !== undefined && readHolder(connection)?.claim === claim;
    return isHeld && findFileIdentity(file) === identity ? identity : undefined;
  } finally {
    connection?.close();
  }
}

function readHolder(connection: Database): (WriterHolder & { readonly claim: string }) | undefined {
  try {
    return (connection.query(SELECT_HOLDER).get() as (WriterHolder & { claim: string }) | null) ?? undefined;
  } catch {
    // The very first holder is just writing its name.
    return undefined;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}

/** SQLite noticed by itself that the file it is about to write no longer has its name. */
function isMoved(error: unknown): boolean {
  return error instanceof SQLiteError && error.code === "SQLITE_READONLY_DBMOVED";
}

function busyWriter(directory: string, holder: WriterHolder | undefined): AppError {
  const who = holder === undefined ? "another process" : `process ${holder.pid} on ${holder.hostname}`;
  const since = holder === undefined ? "" : ` since ${holder.since}`;
  return new AppError("busy", `${who} is writing the index in ${directory}${since}`, {
    hint: "Wait until it has finished, or end it, and try again; searching goes on meanwhile.",
  });
}

function lostLock(directory: string): AppError {
  return new AppError("busy", `${lockFile(directory)} was removed while it was in use, so this run stopped`, {
    hint: "Run `kb index` again; what was written before is kept.",
  });
}
