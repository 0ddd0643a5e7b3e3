/**
 * Finds, reads and checks the configuration file; the result is a full `Config`.
 *
 * First found wins, nothing is merged: `--config`, then `kb.toml` in the root, then
 * `kb.toml` in the user's own configuration directory, then the defaults. What a file
 * inside the root may not say is taken out by `trust.ts` before the schema sees it; how a
 * file is read without harm is known to `config-file.ts`.
 */
import { lstatSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse as parseToml, TomlError } from "smol-toml";
import type { z } from "zod";
import { AppError, messageOf } from "../errors.ts";
import { readConfigText } from "./config-file.ts";
import { didYouMean } from "./nearest.ts";
import { type Environment, userConfigDir } from "./paths.ts";
import { type Config, configSchema, listSettings } from "./schema.ts";
import { isInside, restrictUntrusted } from "./trust.ts";

export interface LoadedConfig {
  readonly config: Config;
  /** The file the values came from; undefined when all are defaults. */
  readonly file: string | undefined;
  /** What was ignored of an untrusted file, or that all of it was; one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * @param root The canonical root of the documents; undefined while none is known.
 * @throws {AppError} `config`: the file is missing, cannot be read, is no TOML, or has illegal keys or
 *   values (all of them named).
 */
export function loadConfig(
  explicitFile: string | undefined,
  root: string | undefined,
  environment: Environment,
): LoadedConfig {
  const { found, warnings: ignored } = findConfigFile(explicitFile, root, environment);
  if (found === undefined) return { config: configSchema.parse({}), file: undefined, warnings: ignored };
  const raw = parseTable(found);
  const { table, warnings } =
    found.isTrusted || root === undefined
      ? { table: raw, warnings: [] }
      : restrictUntrusted(raw, found.file, root);
  const config = parseConfig(table, found.file);
  const indexDir = config.index.index_dir;
  if (indexDir !== undefined) config.index.index_dir = resolve(dirname(found.file), indexDir);
  const { golden } = config.eval;
  if (golden !== undefined) config.eval.golden = resolve(dirname(found.file), golden);
  const tokenFile = config.http.token_file;
  if (tokenFile !== undefined) config.http.token_file = resolve(dirname(found.file), tokenFile);
  return { config, file: found.file, warnings: [...ignored, ...warnings] };
}

/** A text that is another one whenever `loadConfig`, with the same arguments, may answer otherwise. */
export function stampConfigFiles(
  explicitFile: string | undefined,
  root: string,
  environment: Environment,
): string {
  if (explicitFile !== undefined) return stampOf(resolve(environment.cwd, explicitFile));
  const ownDir = userConfigDir(environment);
  const folders = ownDir === undefined ? [root] : [root, ownDir];
  return folders.map((folder) => stampOf(join(folder, "kb.toml"))).join(" | ");
}

/** Checks a parsed table; `file` only names it in the message. */
export function parseConfig(table: unknown, file: string): Config {
  const result = configSchema.safeParse(table);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap(describeIssue);
  throw new AppError("config", `${file}: ${problems.join("; ")}`, {
    hint: "Mend the file; the README's table of settings lists every key with its range.",
  });
}

/** Of the link, where one stands there, and of what it leads to. */
function stampOf(file: string): string {
  const stats = [lstatSync, statSync].map((look) => {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = look(file, { bigint: true });
      return [dev, ino, size, mtimeNs, ctimeNs].join();
    } catch {
      return "-"; // nothing there, or nothing to see
    }
  });
  return stats.join(" ");
}

interface FoundFile {
  readonly file: string;
  readonly text: string;
  readonly isTrusted: boolean;
}

interface Search {
  readonly found: FoundFile | undefined;
  readonly warnings: readonly string[];
}

function findConfigFile(
  explicitFile: string | undefined,
  root: string | undefined,
  environment: Environment,
): Search {
  if (explicitFile !== undefined)
    return { found: readNamed(resolve(environment.cwd, explicitFile)), warnings: [] };
  const ownDir = userConfigDir(environment);
  const inRoot = root === undefined ? NOTHING : readInRoot(root, ownDir);
  if (inRoot.found !== undefined || ownDir === undefined) return inRoot;
  const file = join(ownDir, "kb.toml");
  const own = readConfigText(file, { followLinks: true });
  return { ...inRoot, found: own.kind === "text" ? { file, text: own.text, isTrusted: true } : undefined };
}

const NOTHING: Search = { found: undefined, warnings: [] };

function readNamed(file: string): FoundFile {
  const read = readConfigText(file, { followLinks: true });
  if (read.kind === "text") return { file, text: read.text, isTrusted: true };
  throw new AppError("config", `no configuration file at ${file}`, {
    hint: "Leave --config away to use the defaults.",
  });
}

/** A link in a folder of documents leads to where whoever made the folder wants. */
function readInRoot(root: string, ownDir: string | undefined): Search {
  const file = join(root, "kb.toml");
  const isTrusted = ownDir !== undefined && isInside(root, ownDir);
  const read = readConfigText(file, { followLinks: isTrusted });
  if (read.kind === "text") return { found: { file, text: read.text, isTrusted }, warnings: [] };
  if (read.kind === "missing") return NOTHING;
  return {
    found: undefined,
    warnings: [`${file} is a symbolic link and is ignored; to accept it, start kb with --config ${file}`],
  };
}

function parseTable({ file, text }: FoundFile): Record<string, unknown> {
  try {
    return parseToml(text) as Record<string, unknown>;
  } catch (cause) {
    const place = cause instanceof TomlError ? `line ${cause.line}, column ${cause.column}: ` : "";
    throw new AppError("config", `${file}: ${place}${messageOf(cause).split("\n")[0]}`, {
      hint: "Mend the file, or name another one with --config.",
      cause,
    });
  }
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const where = issue.path.join(".");
  const known = listSettings().map((definition) => definition.key);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((name) => describeUnknownKey([...issue.path.map(String), name], known));
  const definition = listSettings().find((candidate) => where.startsWith(candidate.key));
  const range = definition === undefined ? "" : ` (legal: ${definition.range})`;
  return [`${where}: ${issue.message}${range}`];
}

/** The key as TOML spells it: a name with a dot in it needs quotes, and is another key than one without. */
function describeUnknownKey(path: readonly string[], known: readonly string[]): string {
  const written = path.map((name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))).join(".");
  const plain = path.join(".");
  if (known.includes(plain)) return `unknown key ${written}. Write it without the quotes: ${plain}`;
  const tables = [...new Set(known.map((key) => key.split(".")[0]!))];
  return `unknown key ${written}.${didYouMean(plain, path.length === 1 ? [...tables, ...known] : known)}`;
}
