/**
 * One process that searches, as the server sees it: a search in, its answer out.
 *
 * The process starts with the first search. It is killed, not asked, when nobody waits for its answer
 * any more: a thread inside SQLite could not be stopped. The next search starts a new one. Who gets which process
 * is decided in `reader-pool.ts`.
 */
import type { SearchRequest } from "../../config/request.ts";
import type { Embedder } from "../../core/embedder.ts";
import { linesOf, sendLine } from "../questions/stream-lines.ts";
import { type FromReader, failureLine, failureOf, type ReaderAnswer, type ToReader } from "./reader-lines.ts";

/** The process is no more; whether the search was the reason is not known. */
export class ReaderEnded extends Error {}

export type QuestionEmbedder = Pick<Embedder, "embedQuery" | "runtime">;

export class ReaderProcess {
  readonly #command: readonly string[];
  readonly #embedder: QuestionEmbedder;
  #child: Child | undefined;

  /** Nothing is started yet. @param command The executable and its arguments. */
  constructor(command: readonly string[], embedder: QuestionEmbedder) {
    this.#command = command;
    this.#embedder = embedder;
  }

  /** Whether a search need not wait for a process to start. */
  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * One at a time.
   *
   * @throws {AppError} As the search. @throws {ReaderEnded} If the process ended first.
   * @throws What the signal was aborted with.
   */
  async search(request: SearchRequest, signal: AbortSignal | undefined): Promise<ReaderAnswer> {
    signal?.throwIfAborted();
    const child = this.isRunning ? this.#child! : this.#start();
    const answer = Promise.withResolvers<ReaderAnswer>();
    this.#current = answer;
    const stop = () => {
      answer.reject(signal?.reason);
      if (this.#child === child) this.#child = undefined; // It is not told at once that it is dead.
      child.kill("SIGKILL");
    };
    signal?.addEventListener("abort", stop);
    try {
      send(child, { search: request });
      return await answer.promise;
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#current = undefined;
    }
  }

  async close(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.exited;
  }

  #current: PromiseWithResolvers<ReaderAnswer> | undefined;

  #start(): Child {
    const child = Bun.spawn([...this.#command], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    this.#child = child;
    const ended = async () => {
      await this.#takeLines(child).catch(() => child.kill("SIGKILL")); // What it writes is no answer.
      await child.exited;
      if (this.#child === child)
        this.#current?.reject(new ReaderEnded(`ended by ${child.signalCode ?? `code ${child.exitCode}`}`));
    };
    void ended();
    return child;
  }

  async #takeLines(child: Child): Promise<void> {
    for await (const line of linesOf(child.stdout)) {
      const message = JSON.parse(line) as FromReader;
      if (this.#child !== child) return;
      if ("embed" in message) void this.#embed(child, message.embed);
      else if ("failure" in message) this.#current?.reject(failureOf(message));
      else this.#current?.resolve(message);
    }
  }

  async #embed(child: Child, text: string): Promise<void> {
    let reply: ToReader;
    try {
      const vector = await this.#embedder.embedQuery(text);
      reply = { vector: [...vector], runtime: this.#embedder.runtime };
    } catch (thrown) {
      reply = failureLine(thrown);
    }
    if (this.#child === child) send(child, reply);
  }
}

type Child = Bun.Subprocess<"pipe", "pipe", "inherit">;

function send(child: Child, message: ToReader): void {
  sendLine(child, JSON.stringify(message));
}
