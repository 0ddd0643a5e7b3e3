/**
 * Readings: what all documents have in common that were read the same way in the same run.
 *
 * A document's row names its reading instead of repeating four texts. New readings come
 * with documents (`documents.ts`); those that no document names any more go when the next
 * one comes.
 */
import type { IndexDatabase } from "./open.ts";

export interface Reading {
  readonly encoding: string;
  /** Whatever makes the parser's and the chunker's results comparable: versions and settings. */
  readonly parserVersion: string;
  readonly chunkerVersion: string;
  /** ISO 8601, UTC. */
  readonly indexedAt: string;
}

/** The id of an equal reading, which is made if there is none. Runs in the caller's transaction. */
export function storeReading(db: IndexDatabase, reading: Reading): number {
  const values = [
    reading.indexedAt,
    reading.encoding,
    reading.parserVersion,
    reading.chunkerVersion,
  ] as const;
  const found = db.get<{ readonly id: number }>(SELECT_READING, ...values);
  if (found !== undefined) return found.id;
  db.run(DELETE_UNUSED);
  db.run(INSERT_READING, ...values);
  return db.get<{ readonly id: number }>(SELECT_READING, ...values)!.id;
}

/** Documents that were made by the same stages. */
export interface StageCount {
  /** As `Reading.parserVersion` and `chunkerVersion`. */
  readonly parser: string;
  readonly chunker: string;
  readonly documents: number;
}

/** What the documents of the index were made by, most documents first, then by the versions. */
export function countStages(db: IndexDatabase): StageCount[] {
  return db.all<StageCount>(COUNT_STAGES);
}

const COUNT_STAGES = `
SELECT parser_version AS parser, chunker_version AS chunker, count(*) AS documents
FROM documents JOIN readings ON readings.id = reading_id
GROUP BY parser_version, chunker_version ORDER BY documents DESC, parser, chunker`;

const SELECT_READING = `
SELECT id FROM readings
WHERE indexed_at = ?1 AND encoding = ?2 AND parser_version = ?3 AND chunker_version = ?4`;

const INSERT_READING =
  "INSERT INTO readings (indexed_at, encoding, parser_version, chunker_version) VALUES (?1, ?2, ?3, ?4)";

const DELETE_UNUSED = `
DELETE FROM readings WHERE NOT EXISTS (SELECT 1 FROM documents WHERE reading_id = readings.id)`;
