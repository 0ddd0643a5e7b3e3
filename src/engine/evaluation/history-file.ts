/**
 * The history beside the golden file: read without harm, and changed as a whole or not at all.
 *
 * It lies there and not in the index folder, because it cannot be made again from the documents.
 * A change is made under a lock of its own, so that runs at the same time keep each other's; the new
 * file is written aside, synced, and renamed. Its form is `config/eval-history.ts`.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { EMPTY_HISTORY, type EvalHistory, parseHistory, type StoredRun } from "../../config/eval-history.ts";
import { readSmallFile } from "../../config/small-file.ts";
import { AppError, messageOf } from "../../errors.ts";
import { replaceFile } from "../../native/replace-file.ts";

export interface ReadHistory {
  readonly history: EvalHistory;
  /** Present if what is there is no history; it counts as an empty one. */
  readonly problem?: string;
}

/** `.kb-eval.yml` has `.kb-eval-history.json`. */
export function historyFileOf(goldenFile: string): string {
  return `${goldenFile.replace(/\.ya?ml$/i, "")}-history.json`;
}

/** @throws {AppError} `io` for a link, a folder, a pipe, or more than 64 MiB: that is not "no history". */
export function readHistory(file: string): ReadHistory {
  const read = readSmallFile(file, { followLinks: false, maxBytes: MAX_HISTORY_BYTES });
  switch (read.kind) {
    case "missing":
      return { history: EMPTY_HISTORY };
    case "link":
      throw refused(file, "is a symbolic link, which is not followed");
    case "unusable":
      throw refused(file, read.problem, read.cause);
    case "text": {
      const history = parseHistory(read.text);
      return history === undefined
        ? { history: EMPTY_HISTORY, problem: `${file} is not a history of kb eval` }
        : { history };
    }
  }
}

export interface HistoryAddition {
  readonly run: StoredRun;
  /** Also kept under this name. */
  readonly baseline: string | undefined;
  /** How many runs are kept. */
  readonly size: number;
}

/**
 * Adds a run. What is there and no history is kept aside under another name.
 *
 * @returns Sentences about what was left out or put aside.
 * @throws {AppError} `io` if it cannot be written, `busy` if another run holds it for long.
 */
export async function addToHistory(file: string, addition: HistoryAddition): Promise<string[]> {
  const lock = `${file}.lock`;
  const claim = await lockHistory(lock);
  try {
    const { history, problem } = readHistory(file);
    const notes: string[] = [];
    if (problem !== undefined) {
      const aside = `${file}.unreadable-${crypto.randomUUID().slice(0, 8)}`;
      renameSync(file, aside);
      notes.push(`${problem}; it is kept as ${aside}, and a new one begins`);
    }
    const { text, dropped } = fittingText(file, withRun(history, addition));
    if (dropped > 0)
      notes.push(`the ${dropped} oldest runs were left out of ${file}, which would be too large`);
    writeWhole(file, text, () => readFileSync(lock, "utf8") === claim);
    return notes;
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : unwritable(file, thrown);
  } finally {
    releaseLock(lock, claim);
  }
}

const MAX_HISTORY_BYTES = 64 * 1024 * 1024;
/** A change takes milliseconds; a lock of this age was left by a process that is gone. */
const STALE_LOCK_MS = 10_000;
const LOCK_WAIT_MS = 15_000;
const LOCK_PAUSE_MS = 25;

function withRun(history: EvalHistory, { run, baseline, size }: HistoryAddition): EvalHistory {
  return {
    runs: [run, ...history.runs].slice(0, size),
    baselines: baseline === undefined ? history.baselines : { ...history.baselines, [baseline]: run },
  };
}

/** As many of the newest runs as fit. */
function fittingText(file: string, history: EvalHistory): { text: string; dropped: number } {
  const size = (kept: EvalHistory) => Buffer.byteLength(JSON.stringify(kept));
  let room = MAX_HISTORY_BYTES - size({ ...history, runs: [] });
  let kept = 0;
  for (const run of history.runs) {
    room -= Buffer.byteLength(JSON.stringify(run)) + 1;
    if (room < 0) break;
    kept++;
  }
  if (kept === 0)
    throw new AppError("io", `this run alone would make ${file} larger than ${MAX_HISTORY_BYTES} bytes`, {
      hint: "Split the golden file, or remove baselines that are no longer needed from the history.",
    });
  const text = `${JSON.stringify({ ...history, runs: history.runs.slice(0, kept) })}\n`;
  return { text, dropped: history.runs.length - kept };
}

function writeWhole(file: string, text: string, isStillMine: () => boolean): void {
  const aside = `${file}.new`;
  rmSync(aside, { force: true }); // of a run that was killed here; nobody else is, under the lock
  const descriptor = openSync(aside, "wx");
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (!isStillMine()) throw busyHistory(file);
  replaceFile(aside, file);
}

/** @returns What stands in the lock. */
async function lockHistory(lock: string): Promise<string> {
  const claim = `${process.pid} ${crypto.randomUUID()}\n`;
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      writeFileSync(lock, claim, { flag: "wx" });
      return claim;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw unwritable(lock, thrown);
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > STALE_LOCK_MS) rmSync(lock, { force: true, recursive: true });
    else if (performance.now() > deadline) throw busyHistory(lock);
    else await Bun.sleep(LOCK_PAUSE_MS);
  }
}

function releaseLock(lock: string, claim: string): void {
  try {
    if (readFileSync(lock, "utf8") === claim) rmSync(lock, { force: true });
  } catch {
    // Gone already: somebody took it for left over.
  }
}

function refused(file: string, problem: string, cause?: unknown): AppError {
  return new AppError("io", `the history ${file} ${problem}`, {
    hint: "Move it away, and run kb eval again.",
    ...(cause === undefined ? {} : { cause }),
  });
}

function busyHistory(file: string): AppError {
  return new AppError("busy", `another kb eval is writing ${file}`, { hint: "Run kb eval again." });
}

function unwritable(file: string, cause: unknown): AppError {
  return new AppError("io", `${file} cannot be written: ${messageOf(cause)}`, {
    hint: "Check the permissions of its folder, or copy the golden file elsewhere and name it with --golden.",
    cause,
  });
}
