/**
 * The size and age of an index in a few numbers, for those who watch a server.
 */
import { AppError } from "../errors.ts";
import { findRun } from "../store/run-record.ts";
import { readStatusCounts } from "../store/status-counts.ts";
import type { Engine } from "./engine.ts";

export interface IndexFigures {
  readonly documents: number;
  readonly chunks: number;
  /** Share of the chunks that have a vector, 0 to 1. */
  readonly vectors: number;
  /** Since the end of the last finished run; undefined before the first. */
  readonly ageSeconds: number | undefined;
}

/** All 0 while there is no index. @param nowMs Since the epoch. @throws {AppError} `corrupt`, `incompatible` or `io`. */
export function indexFigures(engine: Engine, nowMs: number): IndexFigures {
  try {
    return engine.ask((db) => {
      const { documents, chunks, vectorCoverage } = readStatusCounts(db);
      const finishedAt = findRun(db)?.finishedAt;
      const ageSeconds = finishedAt && Math.max(0, (nowMs - Date.parse(finishedAt)) / 1000);
      return { documents, chunks, vectors: vectorCoverage, ageSeconds: ageSeconds || undefined };
    });
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "missing")
      return { documents: 0, chunks: 0, vectors: 0, ageSeconds: undefined };
    throw thrown;
  }
}
