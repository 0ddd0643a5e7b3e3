/**
 * Preparing threads seen from outside: give them files, get a promise of what became of them.
 *
 * A worker that fails is not started again: what it owes, and what it is given afterwards, is
 * answered with nothing, and the caller does it itself (`prepare-files.ts`, where order and
 * memory are seen to as well). One thread's life is `prepare-worker.ts`.
 */
import { IS_COMPILED } from "../../native/compiled.ts";
import type { FoundFile } from "../../source/walk.ts";
import type { PreparedFile, PrepareSettings } from "./prepare-document.ts";
import type { PrepareRequest } from "./prepare-worker.ts";

export interface PreparePool extends Disposable {
  /** Whether there is a worker left. */
  readonly isAlive: boolean;
  /** One prepared file for each, in order; `undefined` if the worker failed, none is left, or the pool was closed. */
  prepare(files: readonly FoundFile[]): Promise<readonly PreparedFile[] | undefined>;
  /** Ends the threads at once, whatever they are doing. */
  close(): void;
}

export interface PreparePoolOptions {
  /** How many threads. */
  readonly workers: number;
  /** The module they run, for tests of what happens when one fails. */
  readonly entry?: string;
}

/** Starts the threads; they live until the pool is closed. */
export function openPreparePool(
  settings: PrepareSettings,
  { workers, entry = WORKER_ENTRY }: PreparePoolOptions,
): PreparePool {
  const threads = Array.from({ length: workers }, () => startThread(settings, entry));
  const close = () => {
    for (const thread of threads) thread.end();
  };
  return {
    get isAlive() {
      return threads.some((thread) => thread.isAlive);
    },
    prepare(files) {
      const living = threads.filter((thread) => thread.isAlive);
      if (living.length === 0) return Promise.resolve(undefined);
      return living.reduce((best, thread) => (thread.owed < best.owed ? thread : best)).prepare(files);
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** In an executable, modules are named from the folder of its first entry point, `src`. */
const WORKER_ENTRY = IS_COMPILED
  ? "./engine/indexing/prepare-worker.ts"
  : new URL("./prepare-worker.ts", import.meta.url).href;

type Answer = readonly PreparedFile[] | undefined;

interface Thread {
  readonly isAlive: boolean;
  /** Requests without an answer. */
  readonly owed: number;
  prepare(files: readonly FoundFile[]): Promise<Answer>;
  end(): void;
}

function startThread(settings: PrepareSettings, entry: string): Thread {
  const worker = new Worker(entry);
  const owed: ((answer: Answer) => void)[] = [];
  let isAlive = true;
  const send = (request: PrepareRequest) => worker.postMessage(request);
  const end = () => {
    if (!isAlive) return;
    isAlive = false;
    worker.terminate();
    for (const settle of owed.splice(0)) settle(undefined);
  };
  worker.onmessage = ({ data }: MessageEvent<readonly PreparedFile[]>) => owed.shift()?.(data);
  worker.onmessageerror = end;
  worker.addEventListener("close", end);
  worker.onerror = (event) => {
    event.preventDefault(); // what it owes is done elsewhere
    end();
  };
  send({ kind: "open", settings });
  return {
    get isAlive() {
      return isAlive;
    },
    get owed() {
      return owed.length;
    },
    prepare(files) {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      owed.push(resolve);
      send({ kind: "prepare", files });
      return promise;
    },
    end,
  };
}
