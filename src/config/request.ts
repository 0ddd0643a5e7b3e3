/**
 * Requests: what a person or an agent asked for, checked once, the same for CLI and MCP.
 *
 * Command-line values arrive as strings and are parsed here into the types that MCP
 * sends already typed. What a request means is decided in `engine/`.
 */
import { z } from "zod";
import { AppError } from "../errors.ts";
import { GROUPINGS } from "./answer-settings.ts";
import { atMostBytes, filterFields, refuseEmptyRange } from "./filter-request.ts";
import { didYouMean } from "./nearest.ts";

/** More hits than this are never returned; a larger limit is clamped, and the answer says so. */
export const LIMIT_MAX = 1000;
/** UTF-8 bytes; a longer query is refused, since no leg reads so far. */
export const QUERY_MAX_BYTES = 16_384;
const PATH_MAX_BYTES = 4096;
const HEADING_MAX_BYTES = 1024;
const CURSOR_MAX_LENGTH = 64;

/** Units that spans can be given in; the first is the default. */
export const SPAN_UNITS = ["byte", "utf16", "codepoint"] as const;

/** The fields that say which hits an answer has and how they are shown, evaluation included. */
export const answerFields = {
  min_confidence_ratio: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      "Return nothing unless the confidence, 0 to 1, is at least this. Default: return what there is; low_confidence tells.",
    ),
  group_by: z
    .enum(GROUPINGS)
    .optional()
    .describe(
      "none (the default): every passage by itself. document: one result for each document, its best passage, with the lines of others in grouped; good for finding out which documents say something.",
    ),
  mmr: z
    .boolean()
    .optional()
    .describe("Choose varied results: what is like one above it waits. Default off."),
  mmr_lambda: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("With mmr: weight of relevance against novelty, 0 to 1. Default 0.7."),
  mmr_same_doc_penalty: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("With mmr and group_by none: taken off further passages of a document, 0 to 1. Default 0."),
  parent_retriever: z
    .boolean()
    .optional()
    .describe(
      "Return each passage with its surroundings in the document (expanded_from says how far). Default off.",
    ),
};

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
    ...answerFields,
    span_unit: z
      .enum(SPAN_UNITS)
      .optional()
      .describe("Unit of match_spans: byte (UTF-8, the default), utf16 or codepoint."),
    explain: z.boolean().optional().describe("Add to each result how its score came about."),
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
  heading: z
    .string()
    .min(1)
    .superRefine(atMostBytes(HEADING_MAX_BYTES, "a heading"))
    .optional()
    .describe(
      "Return only the section under this heading, deeper sections included; words of the heading are enough, and A > B names B below A. Not together with lines.",
    ),
  next: z
    .string()
    .max(CURSOR_MAX_LENGTH)
    .optional()
    .describe("Go on where the last answer ended: its next, unchanged. Not together with lines or heading."),
});
export type DocumentRequest = z.output<typeof documentRequestSchema>;

const NAME_MAX_BYTES = 1024;

export const topicsRequestSchema = z.strictObject({
  category: z
    .string()
    .min(1)
    .superRefine(atMostBytes(NAME_MAX_BYTES, "a category"))
    .optional()
    .describe("Only topics of this category, as list_topics itself or a search result names it."),
  titles: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe("How many titles of each topic to show, 0 to 100. Default 5."),
  next: z
    .string()
    .max(CURSOR_MAX_LENGTH)
    .optional()
    .describe("Go on where the last answer ended: its next, unchanged, with the same category."),
});
export type TopicsRequest = z.output<typeof topicsRequestSchema>;

export const bestPracticeRequestSchema = z.strictObject({
  target: z
    .string()
    .min(1)
    .superRefine(atMostBytes(NAME_MAX_BYTES, "a target"))
    .describe("What the guide is wanted for, as the owner names it, such as rust or code-review."),
  category: z
    .string()
    .min(1)
    .superRefine(atMostBytes(NAME_MAX_BYTES, "a category"))
    .optional()
    .describe("Only the section whose heading has these words. Default: the whole guide."),
});
export type BestPracticeRequest = z.output<typeof bestPracticeRequestSchema>;

export const rebuildRequestSchema = z.strictObject({
  force: z
    .boolean()
    .optional()
    .describe("Build everything anew instead of only what changed; slow. Default false."),
});

/**
 * @param input Typed values, unknown keys included.
 * @param hint Where to read what is legal; the arguments by default.
 * @throws {AppError} `usage` naming every illegal argument with its value and what is legal.
 */
export function parseRequest<T extends z.ZodObject>(schema: T, input: unknown, hint?: string): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const legal = Object.keys(schema.shape);
  const problems = result.error.issues.flatMap((issue) => describeProblem(issue, input, legal));
  throw new AppError("usage", problems.join("; "), { hint: hint ?? `Arguments: ${legal.join(", ")}.` });
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

/**
 * Depths of a ranking, such as `1,5,10`.
 *
 * @throws {AppError} `usage` with the value.
 */
export function parseDepths(text: string): number[] {
  const depths = text.split(",").map((part) => (/^\d{1,4}$/.test(part.trim()) ? Number(part) : 0));
  if (depths.every((depth) => depth >= 1 && depth <= LIMIT_MAX)) return depths;
  throw new AppError("usage", `--k takes numbers from 1 to ${LIMIT_MAX}, got ${JSON.stringify(text)}`, {
    hint: "For example: --k 1,5,10",
  });
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
