/**
 * One worker thread seen from outside: give it a text, get a promise.
 *
 * Starts the thread on its first text and again after it died; an idle thread
 * does not keep the process alive. What the thread does is `passage-worker.ts`,
 * sharing work out among several is `passage-pool.ts`.
 */
import { AppError } from "../errors.ts";
import { IS_COMPILED } from "../native/compiled.ts";
import type { WorkerFailure, WorkerReply, WorkerRequest } from "./passage-worker.ts";
import type { SessionFiles } from "./session.ts";

export interface EmbeddingWorker {
  /**
   * The vector of a passage; at most one call may be under way.
   *
   * @throws {AppError} `model` (or what the worker gave as reason) if it failed or died.
   */
  encode(text: string): Promise<Float32Array>;
  /** Lets a running text end, frees the model, ends the thread. */
  close(): Promise<void>;
}

/** Prepares a worker; the thread itself starts with the first text. */
export function openEmbeddingWorker(files: SessionFiles): EmbeddingWorker {
  let worker: Worker | undefined;
  let settle: ((outcome: WorkerReply | AppError) => void) | undefined;

  const start = (): Worker => {
    const started = new Worker(WORKER_ENTRY);
    started.onmessage = ({ data }: MessageEvent<WorkerReply>) => settle?.(data);
    started.onerror = (event) => end(started, event.message);
    started.addEventListener("close", () => end(started, "it stopped"));
    started.postMessage({ kind: "open", files } satisfies WorkerRequest);
    return started;
  };
  const end = (ended: Worker, reason: string): void => {
    if (worker !== ended) return;
    worker = undefined;
    ended.terminate();
    settle?.(new AppError("model", `an embedding worker failed: ${reason}`));
  };
  const ask = (request: WorkerRequest): Promise<WorkerReply> => {
    worker ??= start();
    const asked = worker;
    asked.ref();
    return new Promise<WorkerReply>((resolve, reject) => {
      settle = (outcome) => {
        settle = undefined;
        asked.unref();
        if (outcome instanceof AppError) reject(outcome);
        else resolve(outcome);
      };
      asked.postMessage(request);
    });
  };

  let running: Promise<unknown> = Promise.resolve();
  return {
    encode(text) {
      const vector = ask({ kind: "encode", text }).then(vectorOf);
      running = vector.catch(() => undefined);
      return vector;
    },
    async close() {
      await running;
      if (!worker) return;
      await ask({ kind: "close" }).catch(() => undefined);
      const closing = worker;
      worker = undefined;
      closing?.terminate();
    },
  };
}

/** In an executable, modules are named from the folder of its first entry point, `src`. */
const WORKER_ENTRY = IS_COMPILED
  ? "./embed/passage-worker.ts"
  : new URL("./passage-worker.ts", import.meta.url).href;

function vectorOf(reply: WorkerReply): Float32Array {
  if (reply.kind === "vector") return reply.vector;
  throw reply.kind === "failure" ? errorOf(reply.failure) : new Error(`unexpected reply: ${reply.kind}`);
}

function errorOf({ code, message, hint }: WorkerFailure): Error {
  if (code === undefined) return new Error(message);
  return new AppError(code, message, hint === undefined ? {} : { hint });
}
