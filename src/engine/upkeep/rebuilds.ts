/**
 * Indexing runs that a client asks for: one at a time, each in a child process, with its own report.
 *
 * In go the wish and a signal, out come progress and the report that `kb index --json` prints. Runs
 * that nobody asked for are the business of `background-updates.ts`; the two keep out of each other's way.
 */
import { AppError, type FailureCode, messageOf } from "../../errors.ts";
import type { IndexProgress, IndexRunReport } from "../indexing/index-report.ts";
import { ownCommand } from "../own-command.ts";
import { stopIndexProcess } from "./background-index.ts";

export interface RebuildOptions {
  /** Whether everything is built anew, but the vectors of equal texts. */
  readonly force: boolean;
  /** Gets how far the run is, several times a second at most. */
  readonly onProgress: (progress: IndexProgress) => void;
  /** Stops the run; what it stored by then is valid, and the next one goes on. */
  readonly signal: AbortSignal;
}

/** Who wants to know of such runs. */
export interface RebuildObserver {
  /** Waited for before a run begins. */
  readonly before: () => Promise<void>;
  /** Called after it, whatever came of it. */
  readonly after: () => void;
}

/** Of one engine. */
export class Rebuilds {
  readonly #root: string;
  readonly #configFile: string | undefined;
  readonly #now: () => number;
  #beganAt: number | undefined;
  #observer: RebuildObserver = { before: () => Promise.resolve(), after() {} };
  #listeners: (() => void)[] = [];
  readonly #closing = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  /** @param now Milliseconds from any fixed moment. */
  constructor(root: string, configFile: string | undefined, now: () => number) {
    this.#root = root;
    this.#configFile = configFile;
    this.#now = now;
  }

  /** Whether one is going on or about to begin. */
  get isRunning(): boolean {
    return this.#beganAt !== undefined;
  }

  /** There is one observer; a later one takes its place. */
  observe(observer: RebuildObserver): void {
    this.#observer = observer;
  }

  /** Calls back after every run of this engine, asked for or not; the result takes the listener away. */
  onRunEnded(listener: () => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /** To be called after a run that was not asked for here. */
  noteRunEnded(): void {
    for (const listener of this.#listeners) listener();
  }

  /**
   * @throws {AppError} `busy`, at once, while another is going on; else what the run failed with.
   *   If the signal stops it, what the signal says.
   */
  async run(options: RebuildOptions): Promise<IndexRunReport> {
    if (this.#beganAt !== undefined) {
      const seconds = Math.round((this.#now() - this.#beganAt) / 1000);
      throw new AppError("busy", `the index is being rebuilt already, since ${seconds} seconds`, {
        hint: "Searches answer meanwhile. Ask again when it is done.",
      });
    }
    this.#beganAt = this.#now();
    const run = this.#run({ ...options, signal: AbortSignal.any([options.signal, this.#closing.signal]) });
    this.#running = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      this.#beganAt = undefined;
      this.#observer.after();
      this.noteRunEnded();
    }
  }

  /** Stops the present run and waits until it has ended. */
  async close(): Promise<void> {
    this.#closing.abort(new AppError("busy", "the server is ending"));
    await this.#running;
  }

  async #run({ force, onProgress, signal }: RebuildOptions): Promise<IndexRunReport> {
    await this.#observer.before();
    signal.throwIfAborted();
    const child = this.#spawn(force);
    const stop = () => void stopIndexProcess(child);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const [printed, said] = await Promise.all([
        new Response(child.stdout).text(),
        readProgress(child.stderr, onProgress),
        child.exited,
      ]);
      signal.throwIfAborted();
      return reportOf(printed, said);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #spawn(force: boolean) {
    const config = this.#configFile === undefined ? [] : ["--config", this.#configFile];
    const flags = ["--json", "--while-stdin-open", "--progress-lines", ...(force ? ["--force"] : [])];
    try {
      return Bun.spawn([...ownCommand(), "index", this.#root, ...flags, ...config], {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "pipe",
      });
    } catch (thrown) {
      throw new AppError("io", `indexing could not be started: ${messageOf(thrown)}`, { cause: thrown });
    }
  }
}

/** Tells progress as it comes. @returns Everything else that the child said. */
async function readProgress(
  stream: ReadableStream<Uint8Array>,
  onProgress: (progress: IndexProgress) => void,
): Promise<string> {
  const decoder = new TextDecoder();
  const said: string[] = [];
  let rest = "";
  const take = (line: string) => {
    if (line.startsWith('{"stage":')) onProgress(JSON.parse(line) as IndexProgress);
    else if (line !== "") said.push(line);
  };
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) take(line);
  }
  if (rest !== "") said.push(rest);
  return said.join("\n");
}

type Printed = IndexRunReport | { readonly error: { code: FailureCode; message: string; hint?: string } };

function reportOf(printed: string, said: string): IndexRunReport {
  let answer: Printed;
  try {
    answer = JSON.parse(printed) as Printed;
  } catch (cause) {
    throw new AppError("io", "the indexing process ended without a report", {
      hint: "The owner of the server sees more with: kb index",
      cause: new Error(said, { cause }),
    });
  }
  if (!("error" in answer)) return answer;
  const { code, message, hint } = answer.error;
  throw new AppError(code, message, hint === undefined ? {} : { hint });
}
