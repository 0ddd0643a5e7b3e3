/**
 * Several workers behind one queue, for embedding many passages.
 *
 * In go texts; out come vectors in the texts' order. Each worker has one thread
 * and gets one text at a time: that scales with the cores, which one session with
 * as many threads does not, and batches would only cost memory. One thread's
 * life is `embedding-worker.ts`.
 */
import { AppError } from "../errors.ts";
import { type EmbeddingWorker, openEmbeddingWorker } from "./embedding-worker.ts";
import type { SessionFiles } from "./session.ts";

export interface PassagePool {
  /**
   * One vector per text, in order; the first failure gives up the texts not yet begun.
   *
   * @throws {AppError} `model` if a worker fails or the pool was closed meanwhile.
   */
  embedPassages(texts: readonly string[]): Promise<Float32Array[]>;
  /** Gives up what waits, lets what runs end, frees the workers. */
  close(): Promise<void>;
}

interface Job {
  readonly text: string;
  resolve(vector: Float32Array): void;
  reject(error: unknown): void;
}

/** Prepares `size` workers, at least 1; a thread starts when its first text arrives. */
export function openPassagePool(files: SessionFiles, size: number): PassagePool {
  if (!(size >= 1)) throw new RangeError(`a pool needs at least 1 worker, got ${size}`);
  const workers = Array.from({ length: size }, () => openEmbeddingWorker(files));
  const idle = [...workers];
  let waiting: Job[] = [];
  let isClosed = false;

  const startWaiting = (): void => {
    while (waiting.length > 0 && idle.length > 0) {
      const worker = idle.pop()!;
      void runJob(worker, waiting.shift()!).finally(() => {
        idle.push(worker);
        startWaiting();
      });
    }
  };
  const giveUp = (isGivenUp: (job: Job) => boolean, error: unknown): void => {
    const givenUp = waiting.filter(isGivenUp);
    waiting = waiting.filter((job) => !isGivenUp(job));
    for (const job of givenUp) job.reject(error);
  };
  const enqueue = (text: string): { job: Job; vector: Promise<Float32Array> } => {
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
    const job = { text, resolve, reject };
    if (isClosed) reject(closedError());
    else waiting.push(job);
    return { job, vector: promise };
  };

  return {
    async embedPassages(texts) {
      const entries = texts.map((text) => enqueue(text));
      const jobs = new Set(entries.map((entry) => entry.job));
      startWaiting();
      try {
        return await Promise.all(entries.map((entry) => entry.vector));
      } catch (error) {
        giveUp((job) => jobs.has(job), error);
        throw error;
      }
    },
    async close() {
      isClosed = true;
      giveUp(() => true, closedError());
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

async function runJob(worker: EmbeddingWorker, job: Job): Promise<void> {
  try {
    job.resolve(await worker.encode(job.text));
  } catch (error) {
    job.reject(error);
  }
}

function closedError(): AppError {
  return new AppError("model", "the embedding workers were closed");
}
