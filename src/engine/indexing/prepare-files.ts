/**
 * Many files prepared, in order: on worker threads if it is much work, else on the calling one.
 *
 * In go files, out come portions of them in the same order, whoever finished first. Only a
 * bounded number of bytes is under way. What a worker fails to do is done on the calling
 * thread. Storing what comes out is done in `text-stage.ts`.
 */
import type { Embedder } from "../../core/embedder.ts";
import type { FoundFile } from "../../source/walk.ts";
import {
  LARGE_FILE_BYTES,
  type PreparedFile,
  type PrepareSettings,
  prepareDocument,
} from "./prepare-document.ts";
import { openPreparePool, type PreparePool, type PreparePoolOptions } from "./prepare-pool.ts";

export interface PrepareFilesOptions {
  readonly settings: PrepareSettings;
  /** Must count as the built-in tokenizer does if there are workers, as those use that one. */
  readonly countPassageTokens: Embedder["countPassageTokens"];
  /** No workers: everything is done on the calling thread. */
  readonly pool: PreparePoolOptions;
  /** Ends the workers at once. */
  readonly signal: AbortSignal;
  /** Told before work on the next so many files begins, in their order. */
  readonly onTake: (files: number) => void;
}

/**
 * Yields one prepared file for each file, in order, a portion at a time. Stops early, without
 * an error, once `signal` is aborted.
 *
 * While the worker that has the next portion is still busy, later ones are prepared here.
 */
export async function* prepareFiles(
  files: readonly FoundFile[],
  { settings, countPassageTokens, pool, signal, onTake }: PrepareFilesOptions,
): AsyncGenerator<readonly PreparedFile[]> {
  const isWorthIt = weightOf(files.filter((file) => !isLargeFile(file))) >= WEIGHT_WORTH_WORKERS;
  using threads = openPreparePool(settings, isWorthIt ? pool : { ...pool, workers: 0 });
  const onAbort = () => threads.close();
  signal.addEventListener("abort", onAbort);
  const waiting = cutIntoPortions(files).reverse();
  const taken: TakenPortion[] = [];
  const take = () => {
    const portion = waiting.pop()!;
    onTake(portion.files.length);
    return portion;
  };
  try {
    while (waiting.length + taken.length > 0 && !signal.aborted) {
      while (threads.isAlive && waiting.length > 0 && owedWeight(taken) < MAX_OWED_WEIGHT)
        taken.push(giveAway(take(), threads));
      if (taken.length === 0) taken.push({ portion: take(), prepared: undefined });
      const [next] = taken as [TakenPortion];
      if (next.answer === undefined) {
        taken.shift();
        yield next.prepared ?? preparePortion(next.portion, settings, countPassageTokens);
      } else if (waiting.length > 0 && !waiting.at(-1)!.isLarge && takenWeight(taken) < MAX_TAKEN_WEIGHT) {
        const portion = take();
        taken.push({ portion, prepared: preparePortion(portion, settings, countPassageTokens) });
        await new Promise(setImmediate); // lets answers in
      } else {
        await next.answer;
      }
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Files that go to a worker in one message and come back in one. */
interface Portion {
  readonly files: readonly FoundFile[];
  readonly weight: number;
  /** One file that is left to the calling thread. */
  readonly isLarge: boolean;
}

/** A portion that is no longer waiting. */
interface TakenPortion {
  readonly portion: Portion;
  /** Present as long as a worker owes it. */
  answer?: Promise<void> | undefined;
  /** Undefined as well if it is to be prepared when it is needed. */
  prepared: readonly PreparedFile[] | undefined;
}

/** A file costs its bytes, and this much for being opened and stored. */
const WEIGHT_OF_FILE = 4096;

/** A message of this weight takes a worker some 50 ms. */
const PORTION_WEIGHT = 256 * 1024;

/** More than is stored in a transaction, so that workers are not idle meanwhile. */
const MAX_OWED_WEIGHT = 3 * 1024 * 1024;

/** What is prepared or owed; ten times as much memory is held. */
const MAX_TAKEN_WEIGHT = 6 * 1024 * 1024;

/** Less is done, on one thread, by the time a worker has started. */
const WEIGHT_WORTH_WORKERS = 1024 * 1024;

function giveAway(portion: Portion, threads: PreparePool): TakenPortion {
  const taken: TakenPortion = { portion, prepared: undefined };
  if (portion.isLarge) return taken;
  taken.answer = threads.prepare(portion.files).then((prepared) => {
    taken.prepared = prepared;
    taken.answer = undefined;
  });
  return taken;
}

function owedWeight(taken: readonly TakenPortion[]): number {
  return takenWeight(taken.filter(({ answer }) => answer !== undefined));
}

function takenWeight(taken: readonly TakenPortion[]): number {
  return taken.reduce((sum, { portion }) => sum + portion.weight, 0);
}

function preparePortion(
  { files, isLarge }: Portion,
  settings: PrepareSettings,
  countPassageTokens: Embedder["countPassageTokens"],
): PreparedFile[] {
  // What is left of the file before, and then of this one's blocks and pieces, is as large as what is kept.
  if (isLarge) Bun.gc(true);
  const prepared = files.map((file) => prepareDocument(file, settings, countPassageTokens));
  if (isLarge) Bun.gc(true);
  return prepared;
}

function weightOf(files: readonly FoundFile[]): number {
  return files.reduce((sum, { size }) => sum + size + WEIGHT_OF_FILE, 0);
}

function isLargeFile({ size }: FoundFile): boolean {
  return size > LARGE_FILE_BYTES;
}

function cutIntoPortions(files: readonly FoundFile[]): Portion[] {
  const portions: Portion[] = [];
  let members: FoundFile[] = [];
  let weight = 0;
  const endPortion = () => {
    if (members.length > 0) portions.push({ files: members, weight, isLarge: false });
    members = [];
    weight = 0;
  };
  for (const file of files) {
    const ownWeight = weightOf([file]);
    const isLarge = isLargeFile(file);
    if (isLarge || weight + ownWeight > PORTION_WEIGHT) endPortion();
    if (isLarge) {
      portions.push({ files: [file], weight: ownWeight, isLarge });
    } else {
      members.push(file);
      weight += ownWeight;
    }
  }
  endPortion();
  return portions;
}
