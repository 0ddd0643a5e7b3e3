/**
 * The rules that a folder gives its front matter: `kb-schema.toml`.
 *
 * In goes the file, out come checked rules with their patterns compiled, or all that is wrong with it at once. The file may have
 * come with the documents, and its patterns with it: they run on an engine whose time grows with the length of pattern and text
 * only, whatever the pattern. What breaks a rule is found in `core/front-matter-rules.ts`.
 */
import { join, resolve } from "node:path";
import { RE2JS } from "re2js";
import { parse as parseToml, TomlError } from "smol-toml";
import { z } from "zod";
import {
  type FieldPattern,
  type FieldRule,
  type FieldRules,
  RULED_FIELDS,
  type RuledField,
} from "../core/front-matter-rules.ts";
import { AppError, messageOf } from "../errors.ts";
import { readConfigText } from "./config-file.ts";
import { didYouMean } from "./nearest.ts";

/** Looked for in the root. */
const SCHEMA_FILE = "kb-schema.toml";

export interface FrontMatterSchema {
  readonly file: string;
  readonly rules: FieldRules;
}

/**
 * The rules of a folder; undefined if it has none.
 *
 * @param named Given on the command line, relative to `cwd`; trusted, so that it may be a link.
 * @throws {AppError} `config`: the file that is named is not there, cannot be read, is a link that came with the documents,
 *   is no TOML, or has mistakes, which are all told.
 */
export function loadFrontMatterSchema(
  named: string | undefined,
  root: string,
  cwd: string,
): FrontMatterSchema | undefined {
  const file = named === undefined ? join(root, SCHEMA_FILE) : resolve(cwd, named);
  const read = readConfigText(file, { followLinks: named !== undefined, option: "--schema" });
  if (read.kind === "text") return { file, rules: parseFrontMatterSchema(read.text, file) };
  if (read.kind === "link")
    throw new AppError("config", `${file} is a symbolic link and is not followed`, {
      hint: `To accept it: kb validate --schema ${file}`,
    });
  if (named === undefined) return undefined;
  throw new AppError("config", `no schema at ${file}`, {
    hint: `Leave --schema away to use ${SCHEMA_FILE}.`,
  });
}

/** Checks the text of a schema; `file` only names it in messages. @throws {AppError} `config` with all mistakes. */
export function parseFrontMatterSchema(text: string, file: string): FieldRules {
  let table: unknown;
  try {
    table = parseToml(text);
  } catch (cause) {
    const place = cause instanceof TomlError ? `line ${cause.line}, column ${cause.column}: ` : "";
    throw refuse(file, [`${place}${messageOf(cause).split("\n")[0]}`], cause);
  }
  const result = schemaSchema.safeParse(table);
  const problems = result.success ? [] : result.error.issues.flatMap(describeIssue);
  // Patterns are looked at also where something else is wrong, so that one reading finds all.
  const compiled = compilePatterns(table);
  problems.push(...compiled.problems, ...contradictions(table));
  if (problems.length > 0 || !result.success) throw refuse(file, problems);
  const rules = new Map<RuledField, FieldRule>();
  for (const [name, rule] of Object.entries(result.data.fields)) {
    if (rule === undefined) continue;
    rules.set(name as RuledField, {
      required: rule.required,
      type: rule.type,
      pattern: compiled.patterns.get(name),
      enum: rule.enum,
      minLength: rule.min_length,
      maxLength: rule.max_length,
      allowEmpty: rule.allow_empty,
    });
  }
  return rules;
}

const length = z.int().min(0).optional();

const ruleSchema = z.strictObject({
  required: z.boolean().default(false),
  type: z.enum(["string", "array"], { error: 'it may be "string" or "array"' }).optional(),
  pattern: z.string().optional(),
  enum: z.array(z.string()).min(1).optional(),
  min_length: length,
  max_length: length,
  allow_empty: z.boolean().default(false),
});

const schemaSchema = z.strictObject({
  fields: z.strictObject({
    category: ruleSchema.optional(),
    date: ruleSchema.optional(),
    depth: ruleSchema.optional(),
    tags: ruleSchema.optional(),
    title: ruleSchema.optional(),
    topic: ruleSchema.optional(),
  }),
});

const KNOWN_KEYS = Object.keys(ruleSchema.shape);

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const where = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return [`${where}: ${issue.message}`];
  const known = issue.path.length === 0 ? ["fields"] : issue.path.length === 1 ? RULED_FIELDS : KNOWN_KEYS;
  return issue.keys.map((key) => {
    const what = issue.path.length === 1 ? "field" : "key";
    const name = [...(where === "" ? [] : [where]), key].join(".");
    return `unknown ${what} ${name}.${didYouMean(key, known)} Known: ${known.join(", ")}`;
  });
}

/** In UTF-16 units. */
const LONGEST_PATTERN = 1000;
/** In UTF-16 units; a longer value is not compared: 2,000 steps at each of 4,096 characters take half a second. */
const LONGEST_VALUE = 4096;
/** Instructions of a compiled pattern; counted repeats multiply them. */
const MOST_INSTRUCTIONS = 2000;

interface Patterns {
  readonly patterns: ReadonlyMap<string, FieldPattern>;
  readonly problems: readonly string[];
}

function compilePatterns(table: unknown): Patterns {
  const patterns = new Map<string, FieldPattern>();
  const problems: string[] = [];
  for (const [name, rule] of fieldsOf(table)) {
    const { pattern } = rule;
    if (typeof pattern !== "string") continue;
    const compiled = compilePattern(pattern);
    if (typeof compiled === "string") problems.push(`fields.${name}.pattern: ${compiled}`);
    else patterns.set(name, compiled);
  }
  return { patterns, problems };
}

/** The pattern, or what is wrong with it. */
function compilePattern(source: string): FieldPattern | string {
  if (source.length > LONGEST_PATTERN)
    return `it has ${source.length} characters, at most ${LONGEST_PATTERN} are read`;
  try {
    const pattern = RE2JS.compile(source);
    if (pattern.programSize() > MOST_INSTRUCTIONS)
      return `${JSON.stringify(source)} is too large: its repeats make ${pattern.programSize()} steps, at most ${MOST_INSTRUCTIONS} are run`;
    return { source, maxLength: LONGEST_VALUE, matches: (text) => pattern.matcher(text).find() };
  } catch (thrown) {
    return `${JSON.stringify(source)} is no pattern: ${messageOf(thrown).split("\n")[0]} (RE2 syntax: no look-around, no back-references)`;
  }
}

function contradictions(table: unknown): string[] {
  return fieldsOf(table).flatMap(([name, rule]) => {
    const { type, pattern, min_length: min, max_length: max } = rule;
    const isList = type === "array" || (type === undefined && name === "tags");
    return [
      ...(isList && pattern !== undefined
        ? [`fields.${name}.pattern: a list has no pattern; use enum, or type = "string"`]
        : []),
      ...(typeof min === "number" && typeof max === "number" && min > max
        ? [`fields.${name}: min_length ${min} is above max_length ${max}`]
        : []),
    ];
  });
}

/** What looks like rules; the shape of the rest is told by the schema. */
function fieldsOf(table: unknown): [string, Record<string, unknown>][] {
  const fields = isTable(table) ? table["fields"] : undefined;
  return isTable(fields)
    ? Object.entries(fields).filter((entry): entry is [string, Record<string, unknown>] => isTable(entry[1]))
    : [];
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(file: string, problems: readonly string[], cause?: unknown): AppError {
  return new AppError("config", `${file}: ${problems.join("; ")}`, {
    hint: "Mend the schema; the README tells its keys under “Checking front matter”.",
    cause,
  });
}
