/**
 * Finds, reads and checks the configuration file; the result is a full `Config`.
 *
 * First found wins, nothing is merged: `--config`, then `kb.toml` in the root, then
 * `kb.toml` in the user's own configuration directory, then the defaults. What a file
 * inside the root may not say is taken out by `trust.ts` before the schema sees it.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse as parseToml } from "smol-toml";
import type { z } from "zod";
import { AppError, messageOf } from "../errors.ts";
import { didYouMean } from "./nearest.ts";
import { type Environment, userConfigDir } from "./paths.ts";
import { type Config, configSchema, listSettings } from "./schema.ts";
import { isInside, restrictUntrusted } from "./trust.ts";

export interface LoadedConfig {
  readonly config: Config;
  /** The file the values came from; undefined when all are defaults. */
  readonly file: string | undefined;
  /** Keys an untrusted file may not set, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * @param root The canonical root of the documents; undefined while none is known.
 * @throws {AppError} `config`: the file is missing, is no TOML, or has illegal keys or values (all of them named).
 */
export function loadConfig(
  explicitFile: string | undefined,
  root: string | undefined,
  environment: Environment,
): LoadedConfig {
  const found = findConfigFile(explicitFile, root, environment);
  if (found === undefined) return { config: configSchema.parse({}), file: undefined, warnings: [] };
  const raw = readToml(found.file);
  const { table, warnings } =
    found.isTrusted || root === undefined
      ? { table: raw, warnings: [] }
      : restrictUntrusted(raw, found.file, root);
  const config = parseConfig(table, found.file);
  const indexDir = config.index.index_dir;
  if (indexDir !== undefined) config.index.index_dir = resolve(dirname(found.file), indexDir);
  return { config, file: found.file, warnings };
}

/** Checks a parsed table; `file` only names it in the message. */
export function parseConfig(table: unknown, file: string): Config {
  const result = configSchema.safeParse(table);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap(describeIssue);
  throw new AppError("config", `${file}: ${problems.join("; ")}`, {
    hint: "The README's table of settings lists every key with its range.",
  });
}

function findConfigFile(
  explicitFile: string | undefined,
  root: string | undefined,
  environment: Environment,
): { file: string; isTrusted: boolean } | undefined {
  const ownDir = userConfigDir(environment);
  if (explicitFile !== undefined) {
    const file = resolve(environment.cwd, explicitFile);
    if (!existsSync(file))
      throw new AppError("config", `no configuration file at ${file}`, {
        hint: "Leave --config away to use the defaults.",
      });
    return { file, isTrusted: true };
  }
  const inRoot = root === undefined ? undefined : join(root, "kb.toml");
  if (inRoot !== undefined && existsSync(inRoot))
    return { file: inRoot, isTrusted: ownDir !== undefined && isInside(inRoot, ownDir) };
  const own = ownDir === undefined ? undefined : join(ownDir, "kb.toml");
  return own !== undefined && existsSync(own) ? { file: own, isTrusted: true } : undefined;
}

function readToml(file: string): Record<string, unknown> {
  try {
    return parseToml(readFileSync(file, "utf8").replace(/^\uFEFF/, "")) as Record<string, unknown>;
  } catch (cause) {
    throw new AppError("config", `${file}: ${messageOf(cause).split("\n")[0]}`, {
      hint: "Mend the file, or name another one with --config.",
      cause,
    });
  }
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const where = issue.path.join(".");
  const known = listSettings().map((definition) => definition.key);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((name) => {
      const key = where === "" ? name : `${where}.${name}`;
      const tables = [...new Set(known.map((path) => path.split(".")[0]!))];
      return `unknown key ${key}.${didYouMean(key, where === "" ? [...tables, ...known] : known)}`;
    });
  const definition = listSettings().find((candidate) => where.startsWith(candidate.key));
  const range = definition === undefined ? "" : ` (legal: ${definition.range})`;
  return [`${where}: ${issue.message}${range}`];
}
