/**
 * How much is in the index and how complete it is, in a few cheap counts.
 *
 * What the counts mean for the user (ready, indexing, stale) is decided in `engine/`.
 */
import type { IndexDatabase } from "./open.ts";

export interface StatusCounts {
  readonly documents: number;
  readonly chunks: number;
  /** Chunks that have no vector yet. */
  readonly pending: number;
  readonly skipped: number;
  /** Share of the chunks that have a vector, 0 to 1; 1 if there are no chunks. */
  readonly vectorCoverage: number;
  /** When the youngest document was stored, ISO 8601, UTC; `undefined` without documents. */
  readonly indexedAt: string | undefined;
}

/** The counts of one moment, by one statement. */
export function readStatusCounts(db: IndexDatabase): StatusCounts {
  const { indexed_at, ...counts } = db.get<CountsRow>(SELECT_COUNTS)!;
  const { chunks, pending } = counts;
  return {
    ...counts,
    vectorCoverage: chunks === 0 ? 1 : (chunks - pending) / chunks,
    indexedAt: indexed_at ?? undefined,
  };
}

/** How many chunks have no vector yet. */
export function countPending(db: IndexDatabase): number {
  return db.get<{ readonly pending: number }>(COUNT_PENDING)!.pending;
}

const COUNT_PENDING = "SELECT count(*) AS pending FROM pending_vectors";

const SELECT_COUNTS = `
SELECT (SELECT count(*) FROM documents) AS documents,
       (SELECT count(*) FROM chunks) AS chunks,
       (SELECT count(*) FROM pending_vectors) AS pending,
       (SELECT count(*) FROM skipped) AS skipped,
       (SELECT max(indexed_at) FROM readings
        WHERE EXISTS (SELECT 1 FROM documents WHERE reading_id = readings.id)) AS indexed_at`;

interface CountsRow {
  readonly documents: number;
  readonly chunks: number;
  readonly pending: number;
  readonly skipped: number;
  readonly indexed_at: string | null;
}
