/**
 * Requests: what a person or an agent asked for, checked once, the same for CLI and MCP.
 *
 * Command-line values arrive as strings and are parsed here into the types that MCP
 * sends already typed. What a request means is decided in `engine/`.
 */
import { z } from "zod";
import { AppError } from "../errors.ts";
import { atMostBytes, filterFields, refuseEmptyRange } from "./filter-request.ts";
import { didYouMean } from "./nearest.ts";

/** More hits than this are never returned; a larger limit is clamped, and the answer says so. */
export const LIMIT_MAX = 1000;
/** UTF-8 bytes; a longer query is refused, since no leg reads so far. */
export const QUERY_MAX_BYTES = 16_384;
const PATH_MAX_BYTES = 4096;

/** Units that spans can be given in; the first is the default. */
const SPAN_UNITS = ["byte", "utf16", "codepoint"] as const;

export const searchRequestSchema = z
  .strictObject({
    query: z
      .string()
      .superRefine(atMostBytes(QUERY_MAX_BYTES, "a query"))
      .describe(
        'What to look for: a question or words, in Japanese, English or any language. Text in "double quotes" is searched for verbatim; -word or -"a phrase" leaves out passages with that text.',
      ),
    limit: z
      .int()
      .min(0)
      .optional()
      .describe(`How many passages to return, best first. Default 5; above ${LIMIT_MAX} it is clamped.`),
    ...filterFields,
    span_unit: z
      .enum(SPAN_UNITS)
      .optional()
      .describe("Unit of match_spans: byte (UTF-8, the default), utf16 or codepoint."),
  })
  .superRefine(refuseEmptyRange);
export type SearchRequest = z.output<typeof searchRequestSchema>;

export const documentRequestSchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .superRefine(atMostBytes(PATH_MAX_BYTES, "a path"))
    .describe("Path of an indexed document, as given in a search result."),
  start_line: z.int().min(1).optional().describe("First line to return, counted from 1. Default: the first."),
  end_line: z.int().min(1).optional().describe("Last line to return, included. Default: the last."),
});
export type DocumentRequest = z.output<typeof documentRequestSchema>;

/**
 * @param input Typed values, unknown keys included.
 * @throws {AppError} `usage` naming every illegal argument with its value and what is legal.
 */
export function parseRequest<T extends z.ZodObject>(schema: T, input: unknown): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const legal = Object.keys(schema.shape);
  const problems = result.error.issues.flatMap((issue) => describeProblem(issue, input, legal));
  throw new AppError("usage", problems.join("; "), { hint: `Arguments: ${legal.join(", ")}.` });
}

/**
 * One of the values that an option may have.
 *
 * @throws {AppError} `usage` for any other, naming it and them.
 */
export function parseChoice<Choice extends string>(
  value: string,
  option: string,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new AppError("usage", `${option} is ${JSON.stringify(value)}`, {
    hint: `It may be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}.`,
  });
}

/**
 * A whole number from the command line; range is left to the schema.
 *
 * @throws {AppError} `usage` with the flag and the value.
 */
export function parseWholeNumber(text: string, flag: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isInteger(number))
    throw new AppError("usage", `${flag} takes a whole number, got ${JSON.stringify(text)}`, {
      hint: `For example: ${flag} 10`,
    });
  return number;
}

/**
 * A number from the command line; range is left to the schema.
 *
 * @throws {AppError} `usage` with the flag and the value.
 */
export function parseNumber(text: string, flag: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number))
    throw new AppError("usage", `${flag} takes a number, got ${JSON.stringify(text)}`, {
      hint: `For example: ${flag} 0.5`,
    });
  return number;
}

/**
 * `10:40`, `10:` (to the end), `:40` (from the start) or `10` (one line).
 *
 * @throws {AppError} `usage` with the value.
 */
export function parseLines(text: string): { start_line?: number; end_line?: number } {
  const match = /^(\d*)(:?)(\d*)$/.exec(text.trim());
  const [, start = "", colon = "", end = ""] = match ?? [];
  const isLegal =
    match !== null &&
    (start !== "" || end !== "") &&
    Number(start || 1) >= 1 &&
    (end === "" || Number(end) >= Number(start || 1));
  if (!isLegal)
    throw new AppError("usage", `--lines takes first:last, counted from 1, got ${JSON.stringify(text)}`, {
      hint: "For example: --lines 10:40",
    });
  const last = colon === "" ? start : end;
  return {
    ...(start === "" ? {} : { start_line: Number(start) }),
    ...(last === "" ? {} : { end_line: Number(last) }),
  };
}

function describeProblem(issue: z.core.$ZodIssue, input: unknown, legal: readonly string[]): string[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `unknown argument ${JSON.stringify(key)}.${didYouMean(key, legal)}`);
  const where = issue.path.map(String).join(".");
  const value = issue.path.reduce<unknown>(
    (inner, key) =>
      inner === null || inner === undefined
        ? undefined
        : (inner as Record<PropertyKey, unknown>)[key as string],
    input,
  );
  if (value === undefined) return [`${where === "" ? "arguments" : where}: ${issue.message}`];
  const shown = JSON.stringify(value) ?? String(value);
  return [`${where}: ${issue.message}, got ${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}`];
}
