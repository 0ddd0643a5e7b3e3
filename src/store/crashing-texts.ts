/**
 * Passages without a vector because the model ended the process at them, twice.
 *
 * They are known by their embedding text, so that one that changes is tried again wherever it is,
 * and are tried again by another build or in an index made anew. How they are found out is
 * decided in `engine/indexing/`.
 */
import type { ChunkId } from "../core/document.ts";
import { findMeta, setMeta } from "./meta.ts";
import type { IndexDatabase } from "./open.ts";
import { countPending } from "./status-counts.ts";

/** Where such a passage is. */
export interface CrashingPassage {
  readonly path: string;
  /** Its first, counted from 1. */
  readonly line: number;
}

/** @param madeBy Model and build; texts that crashed another one are not listed. @returns Input hashes, hex. */
export function listCrashingTexts(db: IndexDatabase, madeBy: string): string[] {
  const text = findMeta(db, KEY);
  if (text === undefined) return [];
  const entries = JSON.parse(text) as readonly Entry[];
  return entries.filter((entry) => entry.madeBy === madeBy).map(({ hash }) => hash);
}

/** Remembers texts, beside those already known. */
export function recordCrashingTexts(db: IndexDatabase, hashes: readonly string[], madeBy: string): void {
  const known = new Set([...listCrashingTexts(db, madeBy), ...hashes]);
  setMeta(db, KEY, JSON.stringify([...known].map((hash): Entry => ({ hash, madeBy }))));
}

/** Chunks that have no vector and one of these texts. */
export function listPendingOfTexts(db: IndexDatabase, hashes: readonly string[]): ChunkId[] {
  return hashes.flatMap((hash) =>
    db.all<{ readonly id: ChunkId }>(SELECT_PENDING_OF_TEXT, Uint8Array.fromHex(hash)).map(({ id }) => id),
  );
}

/** Input hashes of chunks, hex, in no order. */
export function listInputHashes(db: IndexDatabase, chunkIds: readonly ChunkId[]): string[] {
  return db
    .all<{ readonly hash: string }>(SELECT_HASHES, JSON.stringify(chunkIds))
    .map(({ hash }) => hash.toLowerCase());
}

/** The passages that have one of these texts and no vector, by path and line. */
export function listCrashingPassages(db: IndexDatabase, madeBy: string): CrashingPassage[] {
  const ids = listPendingOfTexts(db, listCrashingTexts(db, madeBy));
  return ids.length === 0 ? [] : db.all<CrashingPassage>(SELECT_PASSAGES, JSON.stringify(ids));
}

/** Whether a passage waits for its vector that is not known to crash the model. */
export function hasVectorsToMake(db: IndexDatabase, madeBy: string): boolean {
  return countPending(db) > listPendingOfTexts(db, listCrashingTexts(db, madeBy)).length;
}

interface Entry {
  readonly hash: string;
  readonly madeBy: string;
}

const KEY = "crashing_texts";

const SELECT_PENDING_OF_TEXT = `
SELECT id FROM chunks CROSS JOIN pending_vectors ON chunk_id = id WHERE input_hash = ?1 ORDER BY id`;

const SELECT_HASHES =
  "SELECT hex(input_hash) AS hash FROM chunks WHERE id IN (SELECT value FROM json_each(?1))";

const SELECT_PASSAGES = `
SELECT path, line_start AS line FROM chunks JOIN documents ON documents.id = document_id
WHERE chunks.id IN (SELECT value FROM json_each(?1)) ORDER BY path, line`;
