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

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Written for the model that chooses the tool. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /**
   * @param input Arguments as they came; the tool checks them against `input`.
   * @throws {AppError} What the agent can act on.
   */
  call(engine: Engine, input: unknown): Promise<ToolAnswer>;
}
