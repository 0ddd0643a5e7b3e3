/**
 * Failures: one table of codes and exits, and the one error class that carries them.
 *
 * A code exists when the caller would act differently. Anything thrown that is
 * not an `AppError` is a bug: `main.ts` prints its stack and exits 70. Turning
 * an `AppError` into a tool result is done in `mcp/tool-result.ts`; printing it
 * is done in `cli/output.ts`.
 */

export type FailureCode =
  | "usage"
  | "config"
  | "missing"
  | "incompatible"
  | "busy"
  | "corrupt"
  | "io"
  | "model";

/** Process exit for each failure code. */
export const EXIT_OF_FAILURE: Readonly<Record<FailureCode, number>> = {
  usage: 2,
  config: 2,
  missing: 3,
  incompatible: 3,
  busy: 3,
  corrupt: 3,
  io: 3,
  model: 3,
};

export const EXIT = { done: 0, answerIsNo: 1, bug: 70, interrupted: 130 } as const;

export interface AppErrorOptions {
  /** The next thing to type or to change; a full sentence or a command. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A failure the user can act on: what happened with its value, then the next command. */
export class AppError extends Error {
  readonly code: FailureCode;
  readonly hint: string | undefined;

  constructor(code: FailureCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** The message of anything that was thrown, for wrapping it where its meaning is known. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What happened and what to do about it, as one text of sentences, for those who show them together. */
export function sentencesOf({ message, hint = "" }: AppError): string {
  return `${message}. ${hint}`.trim();
}
