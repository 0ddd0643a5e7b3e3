/**
 * Searches in processes beside the server, so that a slow one neither stalls the others nor cannot be ended.
 *
 * In go requests, out come answers; those that find no free reader wait in order. A search whose reader dies
 * is tried once more. What the server adds to an answer is in `apart-search.ts`.
 */
import { availableParallelism } from "node:os";
import type { SearchRequest } from "../../config/request.ts";
import { AppError } from "../../errors.ts";
import { ownCommand } from "../own-command.ts";
import type { ReaderAnswer } from "./reader-lines.ts";
import { type QuestionEmbedder, ReaderEnded, ReaderProcess } from "./reader-process.ts";

/**
 * Readers of one folder, of which none is started before the first search.
 *
 * @param configFile Given by `--config`.
 * @param count How many search at the same time, at most; 0 chooses by the machine.
 */
export function openReaderPool(
  root: string,
  configFile: string | undefined,
  count: number,
  embedder: QuestionEmbedder,
): ReaderPool {
  const config = configFile === undefined ? [] : ["--config", configFile];
  return new ReaderPool({
    command: [...ownCommand(), "answer-searches", "--kb", root, ...config],
    count,
    embedder,
  });
}

interface ReaderPoolOptions {
  /** Starts a reader. */
  readonly command: readonly string[];
  readonly count: number;
  readonly embedder: QuestionEmbedder;
}

export class ReaderPool {
  readonly #idle: ReaderProcess[];
  readonly #all: readonly ReaderProcess[];
  readonly #waiting: PromiseWithResolvers<ReaderProcess>[] = [];

  /** Nothing is started before the first search. */
  constructor({ command, count, embedder }: ReaderPoolOptions) {
    const size = count === 0 ? Math.min(4, Math.max(2, availableParallelism())) : count;
    this.#all = Array.from({ length: size }, () => new ReaderProcess(command, embedder));
    this.#idle = [...this.#all];
  }

  /** How many searches wait for a reader. */
  get queued(): number {
    return this.#waiting.length;
  }

  /**
   * @param signal Ends the search, and the reader that works on it.
   * @throws {AppError} As the search; `io` if two readers ended while they worked on it.
   * @throws What the signal was aborted with.
   */
  async search(request: SearchRequest, signal: AbortSignal | undefined): Promise<ReaderAnswer> {
    try {
      return await this.#searchOnce(request, signal);
    } catch (thrown) {
      if (!(thrown instanceof ReaderEnded)) throw thrown;
    }
    try {
      return await this.#searchOnce(request, signal);
    } catch (thrown) {
      if (!(thrown instanceof ReaderEnded)) throw thrown;
      throw new AppError("io", `two processes ended while they worked on the search (${thrown.message})`, {
        hint: "See what is wrong with: kb doctor",
        cause: thrown,
      });
    }
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new AppError("busy", "the server is stopping"));
    await Promise.all(this.#all.map((reader) => reader.close()));
  }

  async #searchOnce(request: SearchRequest, signal: AbortSignal | undefined): Promise<ReaderAnswer> {
    const reader = await this.#acquire(signal);
    try {
      return await reader.search(request, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(reader);
      else next.resolve(reader);
    }
  }

  async #acquire(signal: AbortSignal | undefined): Promise<ReaderProcess> {
    signal?.throwIfAborted();
    const at = this.#idle.findLastIndex((reader) => reader.isRunning);
    const [free] = this.#idle.splice(at, this.#idle.length === 0 ? 0 : 1);
    if (free !== undefined) return free;
    const turn = Promise.withResolvers<ReaderProcess>();
    this.#waiting.push(turn);
    const leave = () => {
      const place = this.#waiting.indexOf(turn);
      if (place < 0) return; // It has its reader, and gives it back itself.
      this.#waiting.splice(place, 1);
      turn.reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave);
    try {
      return await turn.promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }
}
