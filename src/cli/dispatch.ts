/**
 * argv -> command -> exit code.
 *
 * Each command is loaded when it is named, so that `kb search` never loads the MCP SDK
 * and `kb --version` loads next to nothing. Arguments are checked in `arguments.ts`.
 */
import { type ArgsDef, type CommandDef, renderUsage, runCommand } from "citty";
import { didYouMean } from "../config/nearest.ts";
import type { Environment } from "../config/paths.ts";
import { AppError, EXIT } from "../errors.ts";
import { COMMIT, VERSION } from "../version.ts";
import { parseArguments } from "./arguments.ts";
import { type CommandEntry, GLOBAL_ARGS } from "./command.ts";
import { Output } from "./output.ts";

/** Every command: its name, one sentence for the overview, and how it is loaded. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  index: {
    sentence: "Bring the index up to date with the folder",
    load: async () => (await import("./index-command.ts")).command,
  },
  search: {
    sentence: "Search, and print cited passages",
    load: async () => (await import("./search-command.ts")).command,
  },
  get: {
    sentence: "Print a document, or some lines of it",
    load: async () => (await import("./get-command.ts")).command,
  },
  graph: {
    sentence: "Show what is connected with a document, or list broken links",
    load: async () => (await import("./graph-command.ts")).command,
  },
  status: {
    sentence: "Say what is in the index and how fresh it is",
    load: async () => (await import("./status-command.ts")).command,
  },
  doctor: {
    sentence: "Say whether this machine and the index can work, and what to do",
    load: async () => (await import("./doctor-command.ts")).command,
  },
  validate: {
    sentence: "Check the front matter of the folder against its rules",
    load: async () => (await import("./validate-command.ts")).command,
  },
  eval: {
    sentence: "Measure how well the search finds what a golden file expects",
    load: async () => (await import("./eval-command.ts")).command,
  },
  tune: {
    sentence: "Say which weights of the legs a golden file speaks for; changes nothing",
    load: async () => (await import("./tune-command.ts")).command,
  },
  serve: {
    sentence: "Serve MCP clients over stdio or HTTP",
    load: async () => (await import("./serve-command.ts")).command,
  },
  init: {
    sentence: "Write kb.toml, a client's configuration, or a token",
    load: async () => (await import("./init-command.ts")).command,
  },
  completions: {
    sentence: "Print completions for bash, zsh or fish",
    load: async () => (await import("./completions-command.ts")).command,
  },
};

/** Started by `kb` itself; no part of the help. */
const INTERNAL_COMMANDS: Readonly<Record<string, CommandEntry>> = {
  "embed-questions": {
    sentence: "Embed questions for a server",
    load: async () => (await import("./embed-questions-command.ts")).command,
  },
  "answer-searches": {
    sentence: "Search for a server",
    load: async () => (await import("./answer-searches-command.ts")).command,
  },
};

/** The output that errors are written to before a command's own options are known. */
export function outputFor(argv: readonly string[]): Output {
  const beforeDashes = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  return new Output({
    json: beforeDashes.includes("--json"),
    quiet: beforeDashes.includes("--quiet") || beforeDashes.includes("-q"),
    color: !beforeDashes.includes("--no-color"),
  });
}

/**
 * @param argv Without interpreter and script.
 * @returns The exit code.
 * @throws {AppError} What the command could not do; anything else thrown is a bug.
 */
export async function dispatch(
  argv: readonly string[],
  environment: Environment,
  output: Output,
): Promise<number> {
  const offset = argv.findIndex((argument, at) => !argument.startsWith("-") && !isGlobalValue(argv, at));
  const name = offset < 0 ? undefined : argv[offset]!;
  if (name === undefined) return withoutCommand(argv, output);
  if (name === "help") return dispatch([...argv.toSpliced(offset, 1), "--help"], environment, output);
  const entry = [COMMANDS, INTERNAL_COMMANDS].find((table) => Object.hasOwn(table, name))?.[name];
  if (entry === undefined)
    throw new AppError(
      "usage",
      `unknown command ${JSON.stringify(name)}.${didYouMean(name, [...Object.keys(COMMANDS), "help"], "kb ")}`,
      {
        hint: "See: kb --help",
      },
    );

  const command = await entry.load();
  const args: ArgsDef = { ...command.args, ...GLOBAL_ARGS };
  const commandArgv = [...argv.slice(0, offset), ...argv.slice(offset + 1)];
  const meta = { name, description: entry.sentence };
  if (asksForHelp(commandArgv)) {
    output.answer(helpText(await renderUsage({ meta, args }, PROGRAM)));
    return EXIT.done;
  }
  const strict = parseArguments(commandArgv, args, name);
  const run = () => command.run({ arguments: strict, environment, output, commands: COMMANDS });
  const { result } = await runCommand({ meta, args, run }, { rawArgs: [...strict.rawArgs] });
  return result as number;
}

const PROGRAM: CommandDef<ArgsDef> = {
  meta: { name: "kb", version: VERSION, description: "Exact, cited answers out of a folder of documents" },
};

const PROGRAM_ARGS: ArgsDef = {
  version: { type: "boolean", description: "Print the version" },
  ...GLOBAL_ARGS,
};

const OVERVIEW: CommandDef<ArgsDef> = {
  ...PROGRAM,
  args: PROGRAM_ARGS,
  subCommands: Object.fromEntries(
    Object.entries(COMMANDS).map(([name, { sentence }]) => [name, { meta: { name, description: sentence } }]),
  ),
};

async function withoutCommand(argv: readonly string[], output: Output): Promise<number> {
  if (argv.includes("--version")) {
    output.answer(
      output.json ? JSON.stringify({ version: VERSION, commit: COMMIT }) : `kb ${VERSION} (${COMMIT})`,
    );
    return EXIT.done;
  }
  parseArguments(argv, PROGRAM_ARGS, "");
  const usage = helpText(await renderUsage(OVERVIEW));
  if (asksForHelp(argv)) {
    output.answer(usage);
    return EXIT.done;
  }
  throw new AppError("usage", "no command given", { hint: "See: kb --help" });
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv
    .slice(0, end < 0 ? argv.length : end)
    .some((argument) => argument === "--help" || argument === "-h");
}

/** Whether the argument at `at` is the value of a global option before the command's name. */
function isGlobalValue(argv: readonly string[], at: number): boolean {
  const before = argv[at - 1];
  return before !== undefined && ["--kb", "--kb-path", "--config"].includes(before);
}

/** citty colours its help also for pipes, and fills its lines up with blanks. */
function helpText(usage: string): string {
  const mayColor = process.stdout.isTTY === true && (process.env["NO_COLOR"] ?? "") === "";
  return (mayColor ? usage : Bun.stripANSI(usage)).replace(/[ \t]+$/gm, "");
}
