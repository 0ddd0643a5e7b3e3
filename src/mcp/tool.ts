/**
 * What a tool is, whichever it is: how it introduces itself, what it takes, how it answers.
 *
 * One tool, one file `*-tool.ts`. Listing and calling them is done in `server.ts`;
 * turning failures into results in `tool-result.ts`.
 */
import type { z } from "zod";
import type { Engine } from "../engine/engine.ts";

/** The two forms of one answer; they say the same. */
export interface ToolAnswer {
  readonly structured: object;
  readonly text: string;
}

/** What a call is given beside its arguments. */
export interface ToolContext {
  /** Aborted when the client no longer waits. */
  readonly signal: AbortSignal;
  /** Of each of the two forms of the answer, in bytes of JSON. */
  readonly maxBytes: number;
  /** Does nothing where the client did not ask for it. @param share From 0 to 1; what does not grow is left out. */
  readonly reportProgress: (share: number, message: string) => void;
  /** A text without the places of this machine, of which an agent need not learn. */
  readonly withoutPlaces: (text: string) => string;
}

/** What a tool that does not only read may change. */
export interface ToolEffects {
  /** Whether something may be lost that cannot be made again. */
  readonly isDestructive: boolean;
  /** Whether a second call with the same arguments changes nothing more. */
  readonly isIdempotent: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Written for the model that chooses the tool. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Absent for a tool that only reads. */
  readonly effects?: ToolEffects;
  /**
   * @param input Arguments as they came; the tool checks them against `input`.
   * @throws {AppError} What the agent can act on.
   */
  call(engine: Engine, input: unknown, context: ToolContext): Promise<ToolAnswer>;
}

export function isReadOnly({ effects }: Tool): boolean {
  return effects === undefined;
}
