/**
 * What the last indexing run left: whether it finished, when, and what it did.
 *
 * Written by the engine at both ends of a run, and when its vectors begin, so that a run that
 * was killed in between is seen as unfinished by whoever looks next, and one that goes on can be
 * timed from outside.
 */
import { findMeta, setMeta } from "./meta.ts";
import type { IndexDatabase } from "./open.ts";
import { writeInTransaction } from "./transaction.ts";

/** How a run ended that came to its end; what it counted. */
export interface RunOutcome {
  readonly isInterrupted: boolean;
  readonly durationMs: number;
  readonly added: number;
  readonly updated: number;
  readonly renamed: number;
  readonly removed: number;
  /** Chunks that got a vector. */
  readonly embedded: number;
}

export interface RunRecord {
  /** Whether the text of the index equals the folder as the run found it. */
  readonly isFinished: boolean;
  /** End of the text of the last run that did finish it, ISO 8601 UTC; undefined before the first. */
  readonly finishedAt: string | undefined;
  /** Start of the last run, ISO 8601 UTC; undefined in an index of an earlier build. */
  readonly startedAt: string | undefined;
  /** Undefined while the last run goes on, or if it was killed or failed. */
  readonly outcome: RunOutcome | undefined;
  /** Where the run that goes on began to make vectors; undefined before, and after its end. */
  readonly vectorStart: VectorStart | undefined;
}

export interface VectorStart {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Chunks without a vector at that time. */
  readonly pending: number;
}

/** Undefined before the first run. */
export function findRun(db: IndexDatabase): RunRecord | undefined {
  const state = findMeta(db, STATE_KEY);
  if (state === undefined) return undefined;
  return {
    isFinished: state === FINISHED,
    finishedAt: findMeta(db, FINISHED_AT_KEY),
    startedAt: findMeta(db, STARTED_AT_KEY),
    outcome: findObject<RunOutcome>(db, OUTCOME_KEY),
    vectorStart: findObject<VectorStart>(db, VECTOR_START_KEY),
  };
}

/** To be called before a run changes anything. @param at ISO 8601, UTC. */
export function recordRunStart(db: IndexDatabase, at: string): void {
  writeInTransaction(db, () => {
    setMeta(db, STATE_KEY, "running");
    setMeta(db, STARTED_AT_KEY, at);
    setMeta(db, OUTCOME_KEY, NOTHING);
    setMeta(db, VECTOR_START_KEY, NOTHING);
  });
}

/** To be called once the text of the index equals the folder. @param at ISO 8601, UTC. */
export function recordRunFinish(db: IndexDatabase, at: string): void {
  writeInTransaction(db, () => {
    setMeta(db, STATE_KEY, FINISHED);
    setMeta(db, FINISHED_AT_KEY, at);
  });
}

/** To be called before the first vector of a run is made. */
export function recordVectorStart(db: IndexDatabase, start: VectorStart): void {
  setMeta(db, VECTOR_START_KEY, JSON.stringify(start));
}

/** To be called last of all, whether the run was done or stopped. */
export function recordRunOutcome(db: IndexDatabase, outcome: RunOutcome): void {
  writeInTransaction(db, () => {
    setMeta(db, OUTCOME_KEY, JSON.stringify(outcome));
    setMeta(db, VECTOR_START_KEY, NOTHING);
  });
}

const STATE_KEY = "run_state";
const FINISHED_AT_KEY = "run_finished_at";
const STARTED_AT_KEY = "run_started_at";
const OUTCOME_KEY = "run_outcome";
const VECTOR_START_KEY = "run_vector_start";

const FINISHED = "finished";
const NOTHING = "";

function findObject<T>(db: IndexDatabase, key: string): T | undefined {
  const text = findMeta(db, key) ?? NOTHING;
  return text === NOTHING ? undefined : (JSON.parse(text) as T);
}
