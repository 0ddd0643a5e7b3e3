/**
 * Changes a closed index behind the program's back, as a bug or a bad disk might.
 *
 * Afterwards all is in the one file, without a write-ahead log.
 */
import { Database } from "bun:sqlite";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";

/** @returns What `change` returns. */
export function changeDatabase<T>(file: string, change: (db: Database) => T): T {
  const db = new Database(file, { strict: true });
  try {
    const result = change(db);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return result;
  } finally {
    db.close();
  }
}

/** Writes garbage over the page where a table begins. */
export function overwriteFirstPage(file: string, table: string): void {
  const { page, size } = changeDatabase(file, (db) => ({
    page: db
      .query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_master WHERE name = ?1")
      .get(table)!.rootpage,
    size: db.query<{ page_size: number }, []>("PRAGMA page_size").get()!.page_size,
  }));
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(size, 0x55), 0, size, (page - 1) * size);
  closeSync(descriptor);
}
