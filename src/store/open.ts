/**
 * Opening an index file: the connection, its settings, and the one door through
 * which every statement runs.
 *
 * In goes a file name from `index-location.ts`; out comes an `IndexDatabase` whose
 * schema is known to be ours and current. What the statements mean is the business
 * of the other modules of `store/`; nobody outside `store/` calls `all`, `get`,
 * `run` or `execute`.
 */
import type { SQLQueryBindings, Statement } from "bun:sqlite";
import { existsSync } from "node:fs";
import { AppError } from "../errors.ts";
import {
  BUSY_TIMEOUT_MS,
  type Connection,
  connect,
  deadlineOf,
  isOutdated,
  isPassing,
  type OpenIndexOptions,
} from "./connection.ts";
import { APPLICATION_ID, createSchema, SCHEMA_VERSION } from "./schema.ts";
import { wrapSqliteError } from "./sqlite-errors.ts";
import { writeInTransaction } from "./transaction.ts";
import type { VectorEngine } from "./vector-engine.ts";
import { VectorMemory } from "./vector-memory.ts";

/** An open index. Close it with `close()` or `using`; it owns the connection and its prepared statements. */
export class IndexDatabase implements Disposable {
  readonly file: string;
  readonly mode: "write" | "read";
  readonly #options: OpenIndexOptions;
  readonly #statements = new Map<string, Statement>();
  #connection: Connection;
  #vectorMemory: VectorMemory | undefined;
  #onStatement: ((sql: string) => void) | undefined;

  /** For `openIndex` only: connects, but does not look at the tables. */
  constructor(file: string, options: OpenIndexOptions) {
    this.file = file;
    this.mode = options.mode;
    this.#options = options;
    this.#connection = connect(file, options);
    this.#vectorMemory = vectorMemoryFor(options);
  }

  /** Who computes distances on this connection. */
  get vectorEngine(): VectorEngine {
    return this.#connection.vectorEngine;
  }

  /** For `dense-leg.ts`: where vectors are kept in memory, if they are; empty at first. */
  get vectorMemory(): VectorMemory | undefined {
    return this.#vectorMemory;
  }

  /** For `transaction.ts`: as it was given to `openIndex`. */
  get beforeCommit(): (() => void) | undefined {
    return this.#options.beforeCommit;
  }

  /** Whether a transaction is open on this connection. */
  get inTransaction(): boolean {
    return this.#connection.database.inTransaction;
  }

  /** All rows of a statement; parameters are positional (`?1`) and their number is checked. */
  all<Row>(sql: string, ...values: SQLQueryBindings[]): Row[] {
    return this.#guard(sql, () => this.#prepare(sql).all(...values) as Row[]);
  }

  /** The first row, if any. */
  get<Row>(sql: string, ...values: SQLQueryBindings[]): Row | undefined {
    return this.#guard(sql, () => (this.#prepare(sql).get(...values) as Row | null) ?? undefined);
  }

  /**
   * Shows `visit` one row after the other, so that they need not all be in memory. For use
   * inside a transaction only: outside it, a statement that is tried again would repeat rows.
   */
  each<Row>(sql: string, visit: (row: Row) => void, ...values: SQLQueryBindings[]): void {
    this.#guard(sql, () => {
      for (const row of this.#prepare(sql).iterate(...values)) visit(row as Row);
    });
  }

  /** Runs a changing statement. @returns How many rows it changed. */
  run(sql: string, ...values: SQLQueryBindings[]): number {
    return this.#guard(sql, () => this.#prepare(sql).run(...values).changes);
  }

  /** Runs one or more statements without parameters, unprepared. */
  execute(sql: string): void {
    this.#guard(sql, () => this.#connection.database.run(sql));
  }

  /**
   * Calls `listener` with the text of every statement from now on; `undefined` stops.
   * Lets tests count what a search costs, since each statement passes here exactly once per run.
   */
  traceStatements(listener: ((sql: string) => void) | undefined): void {
    this.#onStatement = listener;
  }

  /** Closes the connection; harmless when repeated. The last writer to close folds the write-ahead log into the file. */
  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.#connection.database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  // `Database.query` keeps only its 20 first statements prepared; the store has more.
  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #reconnect(): void {
    this.close();
    this.#connection = connect(this.file, this.#options);
    this.#vectorMemory = vectorMemoryFor(this.#options);
  }

  /** Only what begins something can be tried again, since the rest belongs to one view of the index. */
  #guard<T>(sql: string, work: () => T): T {
    this.#onStatement?.(sql);
    const isFirst = !this.inTransaction;
    const deadline = deadlineOf(this.#options);
    for (;;) {
      try {
        if (isFirst && isOutdated(this.#connection, this.file)) this.#reconnect();
        const result = work();
        // `BEGIN` alone looks at nothing; what fails then should fail here.
        if (isFirst && this.mode === "read" && this.inTransaction) this.#prepare(LOOK).get();
        return result;
      } catch (error) {
        const mayPass = isFirst && isPassing(error, this.file, this.#options);
        if (!mayPass || performance.now() > deadline) throw wrapSqliteError(error, this.file);
        this.#reconnect();
        Bun.sleepSync(1 + 10 * Math.random());
      }
    }
  }
}

const LOOK = "PRAGMA schema_version";

/**
 * Opens `file` (`:memory:` in tests), creating the schema in `write` mode if the file is new.
 *
 * A vector extension that does not load is no failure unless it is required: see `vectorEngine`.
 * Reading works beside an active writer, and in a folder that may not be written.
 *
 * @throws {AppError} `missing` in `read` mode if there is no index at `file`; `corrupt` if it
 *   is damaged or not an index of `kb`; `incompatible` for another schema version; `config` if the
 *   extension is required and does not work; `busy`, `io`.
 */
export function openIndex(file: string, options: OpenIndexOptions): IndexDatabase {
  if (options.mode === "read" && !existsSync(file)) throw noIndex(file);
  const db = new IndexDatabase(file, options);
  try {
    const isNew = checkSchema(db);
    if (isNew && options.mode === "read") throw noIndex(file);
    if (options.mode === "write") {
      retryWhileBusy(options.busyTimeoutMs ?? BUSY_TIMEOUT_MS, () => db.execute(WRITE_SETTINGS));
      if (isNew) createOnce(db);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A writer has none: memory learns of other connections' changes only. */
function vectorMemoryFor({ mode, keepVectorsInMemory }: OpenIndexOptions): VectorMemory | undefined {
  return mode === "read" && keepVectorsInMemory === true ? new VectorMemory() : undefined;
}

/*
 * Pages of 8 kB waste an eighth of the text's size less than the usual ones, as a row may hold
 * several chunks' text; the size only takes effect on a new file.
 * NORMAL may lose the last transactions in a power cut, never the consistency of the file.
 */
const WRITE_SETTINGS = `
PRAGMA page_size = 8192;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA journal_size_limit = 67108864;
`;

/**
 * Two processes that switch a new file to WAL at once would wait for each other, so SQLite
 * refuses one of them immediately, without the busy timeout.
 */
function retryWhileBusy(timeoutMs: number, work: () => void): void {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      const isBusy = error instanceof AppError && error.code === "busy";
      if (!isBusy || performance.now() > deadline) throw error;
      Bun.sleepSync(1 + 20 * Math.random());
    }
  }
}

/** @returns Whether the file holds nothing yet. */
function checkSchema(db: IndexDatabase): boolean {
  const { application, version, tables } = db.get<SchemaStamp>(SELECT_STAMP)!;
  if (application === 0 && version === 0 && tables === 0) return true;
  if (application !== APPLICATION_ID) {
    throw new AppError("corrupt", `${db.file} is not an index of kb`, {
      hint: "Move that file away, or make a new index with `kb index --force`.",
    });
  }
  if (version === SCHEMA_VERSION) return false;
  const remedy = version > SCHEMA_VERSION ? "Update kb, or rebuild the index" : "Rebuild the index";
  throw new AppError(
    "incompatible",
    `the index ${db.file} has schema version ${version}, this kb reads version ${SCHEMA_VERSION}`,
    { hint: `${remedy} with \`kb index --force\`.` },
  );
}

interface SchemaStamp {
  readonly application: number;
  readonly version: number;
  readonly tables: number;
}

const SELECT_STAMP = `
SELECT (SELECT application_id FROM pragma_application_id) AS application,
       (SELECT user_version FROM pragma_user_version) AS version,
       (SELECT count(*) FROM sqlite_schema) AS tables`;

/** Several processes may find the same new file: the first to hold the write lock makes the tables, the others look again. */
function createOnce(db: IndexDatabase): void {
  writeInTransaction(db, () => {
    if (checkSchema(db)) createSchema(db);
  });
}

function noIndex(file: string): AppError {
  return new AppError("missing", `there is no index at ${file}`, { hint: "Make one with `kb index`." });
}
