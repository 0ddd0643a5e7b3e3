/**
 * Small facts about the index as a whole, by key.
 *
 * Which keys exist is known by the modules that use them: `identity.ts`,
 * `vectors.ts`, and the engine for what it wants remembered about its runs.
 */
import type { IndexDatabase } from "./open.ts";

const SELECT_VALUE = "SELECT value FROM meta WHERE key = ?1";
const UPSERT_VALUE =
  "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/** The value last set for `key`, if any. */
export function findMeta(db: IndexDatabase, key: string): string | undefined {
  return db.get<{ readonly value: string }>(SELECT_VALUE, key)?.value;
}

/** Remembers `value` under `key`, replacing an older one. */
export function setMeta(db: IndexDatabase, key: string, value: string): void {
  db.run(UPSERT_VALUE, key, value);
}
