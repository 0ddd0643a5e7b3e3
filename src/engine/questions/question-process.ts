/**
 * Embedding questions in a child process of the same executable, so that a crash inside the
 * runtime's library costs a server one restart of that child and not itself.
 *
 * In go questions, out come vectors. The child starts with the first question, ends when its
 * stdin closes, and is started again when it died. Lines of JSON go both ways, an answer for
 * each question, in order; the other end is `question-answers.ts`.
 */
import type { EmbedderRuntime } from "../../core/embedder.ts";
import { AppError, type FailureCode } from "../../errors.ts";
import { linesOf, sendLine } from "./stream-lines.ts";

/** What the parent writes, a line each. */
export interface QuestionLine {
  readonly text: string;
}

/** What the child writes, a line for each question. */
export type AnswerLine =
  | {
      /** The numbers' bytes, little-endian, in base 64. */
      readonly vector: string;
      readonly runtime: EmbedderRuntime;
    }
  | {
      readonly failure: {
        readonly code: FailureCode;
        readonly message: string;
        readonly hint?: string | undefined;
      };
    };

export interface QuestionProcess {
  /** What ran the model for the last question; undefined before the first. */
  readonly runtime: EmbedderRuntime | undefined;
  /**
   * The question's vector. A question during which the child dies is tried once more in a new one.
   *
   * @throws {AppError} `model` (or what the child gave as reason) if it failed, if the child died
   *   twice, or took too long.
   */
  embed(text: string): Promise<Float32Array>;
  /** Ends the child. */
  close(): Promise<void>;
}

/**
 * Prepares the process; nothing is started yet.
 *
 * @param command The executable and its arguments.
 * @param waitMs How long an answer may take before the child is given up, loading the model included.
 */
export function openQuestionProcess(command: readonly string[], waitMs = WAIT_MS): QuestionProcess {
  const crashing = new Set<string>();
  let child: Child | undefined;
  let runtime: EmbedderRuntime | undefined;

  const ask = async (text: string): Promise<Float32Array> => {
    if (child === undefined || child.hasEnded) child = startChild(command, waitMs);
    const answer = await child.ask({ text });
    if ("failure" in answer) {
      const { code, message, hint } = answer.failure;
      throw new AppError(code, message, hint === undefined ? {} : { hint });
    }
    runtime = answer.runtime;
    return vectorOf(answer.vector);
  };
  // One after the other, so that it is known which question the child dies of.
  let retried: Promise<unknown> = Promise.resolve();
  const retry = async (text: string): Promise<Float32Array> => {
    const before = retried;
    const answer = before.then(() => ask(text));
    retried = answer.catch(() => undefined);
    try {
      return await answer;
    } catch (thrown) {
      if (!(thrown instanceof ChildEnded)) throw thrown;
      crashing.add(text);
      throw new AppError("model", `${thrown.message}, twice for the same question`, {
        hint: "The question is answered by its words alone from now on. Please report it.",
        cause: thrown,
      });
    }
  };

  return {
    get runtime() {
      return runtime;
    },
    async embed(text) {
      if (crashing.has(text))
        throw new AppError("model", "the process that embeds questions ended at this question before");
      try {
        return await ask(text);
      } catch (thrown) {
        if (thrown instanceof ChildEnded) return retry(text);
        throw thrown;
      }
    },
    async close() {
      await child?.close();
      child = undefined;
    },
  };
}

/** Long: on a busy machine unpacking and loading take seconds, with WebAssembly more. */
const WAIT_MS = 60_000;

/** The child is no more; whether the question was the reason is not known. */
class ChildEnded extends Error {}

interface Child {
  readonly hasEnded: boolean;
  /** @throws {ChildEnded} If the child ends before it has answered. */
  ask(question: QuestionLine): Promise<AnswerLine>;
  close(): Promise<void>;
}

function startChild(command: readonly string[], waitMs: number): Child {
  const process = Bun.spawn([...command], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const waiting: PromiseWithResolvers<AnswerLine>[] = [];
  let hasEnded = false;
  const end = (reason: string) => {
    hasEnded = true;
    for (const { reject } of waiting.splice(0)) reject(new ChildEnded(reason));
  };
  const takeAnswers = async () => {
    for await (const line of linesOf(process.stdout))
      waiting.shift()?.resolve(JSON.parse(line) as AnswerLine);
  };
  void takeAnswers().catch(() => process.kill("SIGKILL")); // What it writes is no answer: better a new one.
  void process.exited.then((code) =>
    end(`the process that embeds questions ended (${process.signalCode ?? `code ${code}`})`),
  );
  return {
    get hasEnded() {
      return hasEnded;
    },
    async ask(question) {
      const answer = Promise.withResolvers<AnswerLine>();
      waiting.push(answer);
      const timer = setTimeout(() => process.kill("SIGKILL"), waitMs);
      try {
        sendLine(process, JSON.stringify(question));
        return await answer.promise;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      process.stdin.end();
      process.kill("SIGTERM");
      await process.exited;
    },
  };
}

function vectorOf(base64: string): Float32Array {
  const bytes = Uint8Array.fromBase64(base64);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / Float32Array.BYTES_PER_ELEMENT);
}
