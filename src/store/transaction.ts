/**
 * One logical write, one transaction: all of it is kept, or nothing. And one view for reads
 * that belong together.
 *
 * The body is synchronous, because a body that waits would be committed at its
 * first `await`. Which writes belong together is the caller's decision; several
 * documents may share a transaction for speed.
 */

/** What a transaction needs of an open index; `IndexDatabase` has it. */
interface TransactionDatabase {
  readonly inTransaction: boolean;
  /** Called before each commit of a write; what it throws undoes the write. */
  readonly beforeCommit?: (() => void) | undefined;
  execute(sql: string): void;
}

/**
 * Runs `body` in an immediate transaction and commits it, or rolls back and rethrows.
 *
 * Called inside a running transaction it joins that one: then a failure must be let
 * through to the outermost caller, which is the one that rolls back. (A savepoint
 * would make FTS5 write a segment each time.)
 *
 * @throws {TypeError} If `body` returns a promise; nothing is kept then.
 * @throws {AppError} `busy` if another process keeps the write lock for too long, `io` as usual.
 */
export function writeInTransaction<T>(db: TransactionDatabase, body: () => T): T {
  if (db.inTransaction) return refusePromise(body());
  return inTransaction(db, ["BEGIN IMMEDIATE", "COMMIT"], () => {
    const result = refusePromise(body());
    db.beforeCommit?.();
    return result;
  });
}

/**
 * Runs `body` on one unchanging view of the index, so that several statements agree although
 * another process writes meanwhile. Inside a running transaction it joins that one. A failure
 * of a statement that `body` has dealt with does not come up again: there is nothing to commit.
 *
 * @throws {TypeError} If `body` returns a promise.
 */
export function readInTransaction<T>(db: TransactionDatabase, body: () => T): T {
  return db.inTransaction ? refusePromise(body()) : inTransaction(db, ["BEGIN", "ROLLBACK"], body);
}

/**
 * One unchanging view of the index until it is disposed of, for reads that go on over several turns,
 * such as many searches: all that reads on this connection meanwhile joins it. Nothing may write.
 */
export function holdReadView(db: TransactionDatabase): Disposable {
  db.execute("BEGIN");
  return { [Symbol.dispose]: () => (db.inTransaction ? db.execute("COMMIT") : undefined) };
}

/** Changes whenever another connection has written; inside a transaction it is that of its view. */
export function dataVersionOf(db: { get<Row>(sql: string): Row | undefined }): number {
  return db.get<{ readonly data_version: number }>("PRAGMA data_version")!.data_version;
}

function inTransaction<T>(
  db: TransactionDatabase,
  [begin, end]: readonly [string, string],
  body: () => T,
): T {
  db.execute(begin);
  try {
    const result = refusePromise(body());
    db.execute(end);
    return result;
  } catch (error) {
    // SQLite has already rolled back by itself after a full disk and its like.
    if (db.inTransaction) db.execute("ROLLBACK");
    throw error;
  }
}

function refusePromise<T>(result: T): T {
  const isPromise = typeof (result as { then?: unknown } | null | undefined)?.then === "function";
  if (isPromise) throw new TypeError("a transaction body must be synchronous, got a promise");
  return result;
}
