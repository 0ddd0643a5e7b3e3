/**
 * What the last indexing run left: whether it finished, and when.
 *
 * Written at both ends of a run by the engine, so that a run that was killed in between is
 * seen as unfinished by whoever looks next.
 */
import { findMeta, setMeta } from "./meta.ts";
import type { IndexDatabase } from "./open.ts";
import { writeInTransaction } from "./transaction.ts";

export interface RunRecord {
  readonly isFinished: boolean;
  /** End of the last run that did finish, ISO 8601 UTC; undefined before the first. */
  readonly finishedAt: string | undefined;
}

/** Undefined before the first run. */
export function findRun(db: IndexDatabase): RunRecord | undefined {
  const state = findMeta(db, STATE_KEY);
  if (state === undefined) return undefined;
  return { isFinished: state === "finished", finishedAt: findMeta(db, FINISHED_AT_KEY) };
}

/** To be called before a run changes anything. */
export function recordRunStart(db: IndexDatabase): void {
  setMeta(db, STATE_KEY, "running");
}

/** To be called once the text of the index equals the folder. @param at ISO 8601, UTC. */
export function recordRunFinish(db: IndexDatabase, at: string): void {
  writeInTransaction(db, () => {
    setMeta(db, STATE_KEY, "finished");
    setMeta(db, FINISHED_AT_KEY, at);
  });
}

const STATE_KEY = "run_state";
const FINISHED_AT_KEY = "run_finished_at";
