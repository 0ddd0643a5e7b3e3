/**
 * The only writer: stdout is the answer, stderr the conversation.
 *
 * Colour, quiet and JSON are decided once, when the output is made. A reader that
 * closed the pipe (`| head`) ends the program quietly. Wording is left to the commands.
 */
import { writeSync } from "node:fs";
import { styleText } from "node:util";
import { AppError, messageOf } from "../errors.ts";

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** False for `--no-color`; the environment and the terminal are asked besides. */
  readonly color: boolean;
}

export type Style = Parameters<typeof styleText>[0];

export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly #stdoutColor: boolean;

  constructor(options: OutputOptions) {
    this.json = options.json;
    this.quiet = options.quiet;
    const { env } = process;
    const mayColor =
      options.color && !options.json && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
    this.#stdoutColor = mayColor && (process.stdout.isTTY === true || (env["FORCE_COLOR"] ?? "0") !== "0");
  }

  /** Whether a progress bar may be drawn: stderr is a terminal and nobody asked for silence. */
  get drawsProgress(): boolean {
    return process.stderr.isTTY === true && !this.quiet && !this.json;
  }

  /** Whether the answer goes to a terminal, which acts on control characters. */
  get answersTerminal(): boolean {
    return process.stdout.isTTY === true;
  }

  /** Columns of the terminal; 100 where there is none. */
  get columns(): number {
    return process.stdout.columns ?? 100;
  }

  /** Text of the answer, coloured if stdout takes colour. */
  style(format: Style, text: string): string {
    return this.#stdoutColor ? styleText(format, text, { validateStream: false }) : text;
  }

  /** One line (or several) of the answer. */
  answer(text: string): void {
    writeAll(1, `${text}\n`);
  }

  /** The answer as one JSON document. */
  answerJson(value: unknown): void {
    writeAll(1, `${JSON.stringify(value, null, 2)}\n`);
  }

  /** A line for the person at the terminal; silent under `--quiet`. */
  say(text: string): void {
    if (!this.quiet) writeAll(2, `${text}\n`);
  }

  /** A line that matters also under `--quiet`. */
  warn(text: string): void {
    writeAll(2, `${text}\n`);
  }

  /** What happened, then the next command; under `--json` an object on stdout, if that takes any. */
  fail(error: AppError): void {
    const hint = error.hint === undefined ? "" : `    ${error.hint}\n`;
    if (!this.json || !this.#failAsJson(error)) writeAll(2, `kb: ${error.message}\n${hint}`);
  }

  /** @returns Whether the object is out. */
  #failAsJson({ code, message, hint }: AppError): boolean {
    try {
      this.answerJson({ error: { code, message, ...(hint === undefined ? {} : { hint }) } });
      return true;
    } catch (thrown) {
      if (thrown instanceof ClosedPipe || thrown instanceof AppError) return false;
      throw thrown;
    }
  }
}

/** Thrown when the reader of stdout is gone; `main.ts` ends the program with 0. */
export class ClosedPipe extends Error {}

/**
 * Writes synchronously: what a command said is out before it exits, whatever the exit's kind.
 * A full non-blocking pipe is waited for.
 *
 * @throws {ClosedPipe} If nobody reads the answer any more.
 * @throws {AppError} `io` if the answer cannot be written, such as to a full disk.
 */
export function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (thrown) {
      const code = (thrown as NodeJS.ErrnoException).code;
      if (code === "EAGAIN") Bun.sleepSync(1);
      else if (descriptor === 2)
        return; // nobody reads the conversation: the answer still matters
      else if (code === "EPIPE") throw new ClosedPipe();
      else
        throw new AppError("io", `the answer cannot be written to stdout: ${messageOf(thrown)}`, {
          hint: "Check where the output goes, and the free space there.",
          cause: thrown,
        });
    }
  }
}
