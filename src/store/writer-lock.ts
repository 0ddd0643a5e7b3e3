/**
 * One writer at a time for an index folder, across processes.
 *
 * The lock is SQLite's own write lock on a small database beside the index, held open by
 * a transaction. The system releases it when its holder ends, however that happens, so a
 * lock can be neither stale nor stolen, and process ids used again or seen from another
 * container cannot mislead. Who holds it is written inside before and can be read by all.
 * Readers of the index never look here.
 */
import { Database, SQLiteError } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { AppError } from "../errors.ts";
import { wrapSqliteError } from "./sqlite-errors.ts";

export interface WriterHolder {
  readonly pid: number;
  readonly hostname: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** A held lock; `release` (or `using`) gives it up, harmless when repeated. */
export interface WriterLock extends Disposable {
  release(): void;
}

/**
 * Takes the lock of an index folder at once or not at all.
 *
 * @param directory The existing folder of the index.
 * @throws {AppError} `busy` naming the process that has it and since when; `io` as usual.
 */
export function acquireWriterLock(directory: string): WriterLock {
  const connection = connect(lockFile(directory)) ?? reconnect(lockFile(directory));
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (takeLock(connection)) {
        const release = () => connection.close();
        return { release, [Symbol.dispose]: release };
      }
    }
    throw busyWriter(directory, connection);
  } catch (error) {
    const failure = isBusy(error) ? busyWriter(directory, connection) : error;
    connection.close();
    throw wrapSqliteError(failure, lockFile(directory));
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
 */
function takeLock(connection: Database): boolean {
  const claim = crypto.randomUUID();
  connection.run("BEGIN IMMEDIATE");
  connection.run(CREATE_HOLDER);
  connection.run(REPLACE_HOLDER, [process.pid, hostname(), new Date().toISOString(), claim]);
  connection.run("COMMIT");
  connection.run("BEGIN IMMEDIATE");
  if (readHolder(connection)?.claim === claim) return true;
  connection.run("ROLLBACK");
  return false;
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

function busyWriter(directory: string, connection: Database): AppError {
  const holder = readHolder(connection);
  const who = holder === undefined ? "another process" : `process ${holder.pid} on ${holder.hostname}`;
  const since = holder === undefined ? "" : ` since ${holder.since}`;
  return new AppError("busy", `${who} is writing the index in ${directory}${since}`, {
    hint: "Wait until it has finished, or end it, and try again; searching goes on meanwhile.",
  });
}
