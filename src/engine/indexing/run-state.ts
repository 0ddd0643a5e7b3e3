/**
 * The last indexing run as seen from outside: when it was, how it ended, and how fast it goes.
 *
 * In go its record and who holds the writer lock. snake_case, because `kb status --json` prints it as it is.
 */
import type { RunRecord } from "../../store/run-record.ts";
import type { WriterHolder } from "../../store/writer-lock.ts";

export interface RunReport {
  /** ISO 8601, UTC; null in an index of an earlier build. */
  readonly started_at: string | null;
  /** `unfinished`: it was killed, or it failed. `interrupted`: it was stopped and left in order. */
  readonly result: "done" | "interrupted" | "running" | "unfinished";
  /** Null unless it came to its end. */
  readonly duration_ms: number | null;
  /** What it did; null unless it came to its end. */
  readonly changes: {
    readonly added: number;
    readonly updated: number;
    readonly renamed: number;
    readonly removed: number;
    readonly embedded: number;
  } | null;
}

/** Null before the first run. */
export function describeRun(run: RunRecord | undefined, writer: WriterHolder | undefined): RunReport | null {
  if (run === undefined) return null;
  const { startedAt: started_at = null, outcome } = run;
  if (outcome === undefined) {
    // An index of an earlier build tells of no outcome, only that the text was finished.
    const unknown = started_at === null && run.isFinished ? "done" : "unfinished";
    return {
      started_at,
      result: writer === undefined ? unknown : "running",
      duration_ms: null,
      changes: null,
    };
  }
  const { isInterrupted, durationMs, ...changes } = outcome;
  return {
    started_at,
    result: isInterrupted ? "interrupted" : "done",
    duration_ms: durationMs,
    changes,
  };
}

export interface VectorPace {
  readonly per_second: number;
  readonly remaining_seconds: number;
}

/** How fast vectors are being made; null while none are, or it is too early to tell. @param nowMs Unix time. */
export function measurePace(
  run: RunRecord | undefined,
  writer: WriterHolder | undefined,
  pending: number,
  nowMs: number,
): VectorPace | null {
  const start = run?.vectorStart;
  if (start === undefined || writer === undefined) return null;
  const seconds = (nowMs - Date.parse(start.at)) / 1000;
  const made = start.pending - pending;
  if (made <= 0 || seconds <= 0) return null;
  const perSecond = made / seconds;
  return {
    per_second: Math.round(perSecond * 10) / 10,
    remaining_seconds: Math.ceil(pending / perSecond),
  };
}
