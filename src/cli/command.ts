/**
 * What every command is: its arguments as citty defines them, the shared options, and the way to run it.
 *
 * One command, one file `*-command.ts`, exporting `command`. Finding the command by
 * its name is done in `dispatch.ts`.
 */
import type { ArgsDef } from "citty";
import type { Environment } from "../config/paths.ts";
import type { StrictArguments } from "./arguments.ts";
import type { Output } from "./output.ts";

/** Options that every command takes. */
export const GLOBAL_ARGS = {
  kb: {
    type: "string",
    valueHint: "dir",
    description: "Folder of documents (else KB_PATH, else the nearest folder above with kb.toml or .kb)",
  },
  // No alias, since citty prints those with one hyphen; `arguments.ts` takes it for --kb.
  "kb-path": { type: "string", valueHint: "dir", description: "The same as --kb" },
  config: {
    type: "string",
    valueHint: "file",
    description: "Configuration file, trusted, instead of kb.toml",
  },
  json: { type: "boolean", description: "Print one JSON document on stdout" },
  quiet: { type: "boolean", alias: "q", description: "Say nothing but the answer and what went wrong" },
  color: {
    type: "boolean",
    description: "Colour the answer on a terminal",
    negativeDescription: "No colour",
  },
  help: { type: "boolean", alias: "h", description: "Show this help" },
} as const satisfies ArgsDef;

/** What a command is given beside its arguments. */
export interface CommandContext {
  readonly arguments: StrictArguments;
  readonly environment: Environment;
  readonly output: Output;
  /** All commands by name, for those that tell of others. */
  readonly commands: Readonly<Record<string, CommandEntry>>;
}

/** Runs a command to its exit code. */
export type CommandRun = (context: CommandContext) => Promise<number>;

export interface Command {
  /** Its own options and arguments, beside the global ones. */
  readonly args: ArgsDef;
  readonly run: CommandRun;
}

/** How a command is found. */
export interface CommandEntry {
  /** For the overview. */
  readonly sentence: string;
  load(): Promise<Command>;
}
