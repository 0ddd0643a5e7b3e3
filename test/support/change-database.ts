/**
 * Changes a closed index behind the program's back, as a bug or a bad disk might.
 *
 * Afterwards all is in the one file, without a write-ahead log.
 */
import { Database } from "bun:sqlite";

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
