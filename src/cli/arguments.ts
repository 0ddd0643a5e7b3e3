/**
 * The command line, checked before citty sees it: argv in, strict arguments out.
 *
 * citty accepts unknown flags, keeps only the last of a repeated flag and reads
 * `--limit -1` as two flags (all tried); here unknown flags are refused with the
 * nearest one, repeats are collected, and every value is bound to its flag. What a
 * value means is parsed in `config/request.ts`.
 */
import type { ArgsDef } from "citty";
import { didYouMean } from "../config/nearest.ts";
import { AppError } from "../errors.ts";

export interface StrictArguments {
  /** The same arguments with every value bound (`--flag=value`) and positionals after `--`. */
  readonly rawArgs: readonly string[];
  /** Values of string flags in the order given; a flag that is absent has no entry. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlyMap<string, boolean>;
  readonly positionals: readonly string[];
}

/**
 * @param commandName Only named in messages.
 * @throws {AppError} `usage`: an unknown flag, a flag without its value, a value for a switch,
 *   or more positionals than the command has; the message names it.
 */
export function parseArguments(
  argv: readonly string[],
  definition: ArgsDef,
  commandName: string,
): StrictArguments {
  const flags = flagsByName(definition);
  const values = new Map<string, string[]>();
  const switches = new Map<string, boolean>();
  const positionals: string[] = [];

  for (let offset = 0; offset < argv.length; offset++) {
    const argument = argv[offset]!;
    if (argument === "--") {
      positionals.push(...argv.slice(offset + 1));
      break;
    }
    if (argument === "-" || !argument.startsWith("-")) {
      positionals.push(argument);
      continue;
    }
    const [typed, inlineValue] = splitFlag(argument);
    const flag = flags.get(typed) ?? unknownFlag(argument, typed, flags, commandName);
    if (flag.type === "boolean") {
      switches.set(flag.name, switchValue(typed, inlineValue, flag));
      continue;
    }
    const value = inlineValue ?? argv[++offset];
    if (value === undefined)
      throw new AppError("usage", `${typed} needs a value`, { hint: helpHint(commandName) });
    values.set(flag.name, [...(values.get(flag.name) ?? []), value]);
  }
  checkPositionals(positionals, definition, commandName);
  return { rawArgs: boundArguments(values, switches, positionals), values, switches, positionals };
}

interface Flag {
  readonly name: string;
  readonly type: "boolean" | "string";
  readonly isNegation: boolean;
}

/** Flags that mean another one; their values are found under that. */
const SAME_AS: Readonly<Record<string, string>> = { "kb-path": "kb" };

function flagsByName(definition: ArgsDef): Map<string, Flag> {
  const flags = new Map<string, Flag>();
  for (const [name, argument] of Object.entries(definition)) {
    if (argument.type === "positional") continue;
    const type = argument.type === "boolean" ? "boolean" : "string";
    const aliases = "alias" in argument && argument.alias !== undefined ? [argument.alias].flat() : [];
    const meaning = SAME_AS[name] ?? name;
    const flag = { name: meaning, type, isNegation: false } as const;
    for (const spelling of [name, ...aliases])
      flags.set(spelling.length === 1 ? `-${spelling}` : `--${spelling}`, flag);
    flags.set(`--${name}`, flag); // as the help has it, for a name of one letter too
    if (type === "boolean") flags.set(`--no-${name}`, { name: meaning, type, isNegation: true });
  }
  return flags;
}

function splitFlag(argument: string): [string, string | undefined] {
  const equals = argument.indexOf("=");
  return equals < 0 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

function unknownFlag(argument: string, typed: string, flags: Map<string, Flag>, commandName: string): never {
  const known = [...flags.keys()].filter((flag) => flag.startsWith("--"));
  throw new AppError("usage", `unknown option ${typed}.${didYouMean(typed, known)}`, {
    hint:
      commandName === "search" && !argument.startsWith("--")
        ? `To search for text that begins with a hyphen: kb search -- ${JSON.stringify(argument)}`
        : helpHint(commandName),
  });
}

function switchValue(typed: string, inlineValue: string | undefined, flag: Flag): boolean {
  if (inlineValue === undefined) return !flag.isNegation;
  if (inlineValue === "true" || inlineValue === "false") return (inlineValue === "true") !== flag.isNegation;
  throw new AppError("usage", `${typed} is a switch and takes no value, got ${JSON.stringify(inlineValue)}`, {
    hint: `Write ${typed} alone.`,
  });
}

function checkPositionals(positionals: readonly string[], definition: ArgsDef, commandName: string): void {
  const expected = Object.entries(definition).filter(([, argument]) => argument.type === "positional");
  const missing = expected[positionals.length];
  if (missing !== undefined && missing[1].required !== false)
    throw new AppError("usage", `kb ${commandName} needs ${missing[0].toUpperCase()}`, {
      hint: helpHint(commandName),
    });
  const extra = positionals[expected.length];
  if (extra !== undefined)
    throw new AppError("usage", `unexpected argument ${JSON.stringify(extra)}`, {
      hint: commandName === "search" ? "Put a query of several words in quotes." : helpHint(commandName),
    });
}

function helpHint(commandName: string): string {
  return commandName === "" ? "See: kb --help" : `See: kb ${commandName} --help`;
}

function boundArguments(
  values: ReadonlyMap<string, readonly string[]>,
  switches: ReadonlyMap<string, boolean>,
  positionals: readonly string[],
): string[] {
  const bound = [...values].map(([name, all]) => `--${name}=${all.at(-1)}`);
  for (const [name, isOn] of switches) bound.push(isOn ? `--${name}` : `--no-${name}`);
  return [...bound, "--", ...positionals];
}
