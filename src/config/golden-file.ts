/**
 * The golden file: which documents answer which questions, checked as a whole.
 *
 * In go the values of a YAML text and the lines they stand on; out come typed questions, or all
 * problems at once. Reading the YAML is done in `source/yaml-tree.ts`, comparing with what a
 * search finds in `core/judging.ts`; whether the documents exist is asked by `engine/evaluation`.
 */
import { z } from "zod";
import type { Expectation } from "../core/judging.ts";
import { AppError } from "../errors.ts";
import { filterFields, refuseEmptyRange } from "./filter-request.ts";
import { didYouMean } from "./nearest.ts";
import { answerFields, type SearchRequest, searchRequestSchema } from "./request.ts";

/** Restrictions of a search, as its request has them. */
export type GoldenFilters = Omit<SearchRequest, "query" | "limit" | "span_unit">;

export interface GoldenQuery {
  /** Unique in its file. */
  readonly id: string;
  readonly query: string;
  /** Empty if nothing answers it, or nobody has judged it yet. */
  readonly expected: readonly Expectation[];
  /** Said to have no answer in the documents. */
  readonly isUnanswerable: boolean;
  readonly filters: GoldenFilters;
  readonly tags: readonly string[];
}

export interface Golden {
  /** Hits to ask for; undefined where the file does not say. */
  readonly limit: number | undefined;
  /** In the order of the file; at least one. */
  readonly queries: readonly GoldenQuery[];
}

/** What `source/yaml-tree.ts` reads. */
export interface ValueTree {
  readonly value: unknown;
  readonly problems: readonly GoldenProblem[];
  lineOf(path: readonly PropertyKey[]): number;
}

/** Something that a golden file may not have. */
export interface GoldenProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly sentence: string;
}

/** @throws {AppError} `config` with every problem and its line (of more than 20 the first). */
export function parseGolden(tree: ValueTree, file: string): Golden {
  if (tree.problems.length > 0) throw illegal(file, tree.problems);
  const result = goldenSchema.safeParse(tree.value);
  if (!result.success) {
    const places = result.error.issues.flatMap(placesOf);
    const described = places.slice(0, SHOWN_PROBLEMS).map((place) => describePlace(place, tree));
    throw illegal(file, described, places.length);
  }
  const { defaults = {}, queries } = result.data;
  const repeated = repeatedIds(queries, tree);
  if (repeated.length > 0) throw illegal(file, repeated);
  const ids = distinctIds(queries);
  return {
    limit: defaults.limit,
    queries: queries.map(({ query, expected, unanswerable, filters, tags }, at) => ({
      id: ids[at]!,
      query,
      expected: expected ?? [],
      isUnanswerable: unanswerable ?? false,
      filters: { ...defaults.filters, ...filters },
      tags: tags ?? [],
    })),
  };
}

const LINES = /^(\d+)(?::(\d+))?$/;

const lines = z
  .union([z.int().min(1), z.string().regex(LINES)], { error: "lines are first:last or one number, from 1" })
  .transform((written, context) => {
    const [, start, end = start] = LINES.exec(String(written))!;
    const range = { start: Number(start), end: Number(end) };
    if (range.start < 1 || range.end < range.start)
      context.addIssue({ code: "custom", message: "lines are first:last, counted from 1" });
    return range;
  });

const expectation = z.strictObject({
  path: z
    .string()
    .min(1)
    .transform((path) => path.normalize("NFC").replace(/^\.\//, "")),
  heading: z.string().min(1).optional(),
  contains: z.string().min(1).optional(),
  lines: lines.optional(),
  grade: z.int().min(1).max(3).default(1),
});

const filters = z.strictObject({ ...filterFields, ...answerFields }).superRefine(refuseEmptyRange);

const goldenQuery = z
  .strictObject({
    id: z.string().min(1).max(200).optional(),
    query: searchRequestSchema.shape.query,
    expected: z.array(expectation).max(1000).optional(),
    unanswerable: z.boolean().optional(),
    filters: filters.optional(),
    tags: z.array(z.string().min(1).max(100)).max(100).optional(),
  })
  .superRefine(({ expected, unanswerable = false }, context) => {
    if (unanswerable && (expected ?? []).length > 0)
      context.addIssue({
        code: "custom",
        path: ["unanswerable"],
        message: "an unanswerable query expects nothing",
      });
    if (!unanswerable && expected === undefined)
      context.addIssue({ code: "custom", message: "a query needs expected, or unanswerable: true" });
  });

const goldenSchema = z.strictObject({
  defaults: z
    .strictObject({ limit: z.int().min(1).max(1000).optional(), filters: filters.optional() })
    .optional(),
  queries: z.array(goldenQuery).min(1).max(10_000),
});

type QueryDrafts = z.output<typeof goldenSchema>["queries"];

/** A run is compared query by query with an earlier one, by these names. */
function repeatedIds(queries: QueryDrafts, tree: ValueTree): GoldenProblem[] {
  const lineById = new Map<string, number>();
  return queries.flatMap(({ id }, at) => {
    if (id === undefined) return [];
    const line = tree.lineOf(["queries", at, "id"]);
    const first = lineById.get(id);
    if (first === undefined) lineById.set(id, line);
    return first === undefined
      ? []
      : [{ line, sentence: `the id ${JSON.stringify(id)} is taken by the query of line ${first}` }];
  });
}

/** A query without an id is called by its first 32 characters, and by a number after them where that is taken. */
function distinctIds(queries: QueryDrafts): string[] {
  const taken = new Set(queries.flatMap(({ id }) => id ?? []));
  return queries.map(({ id, query }) => {
    if (id !== undefined) return id;
    const start = [...query].slice(0, 32).join("");
    let name = start;
    for (let number = 2; taken.has(name); number++) name = `${start} #${number}`;
    taken.add(name);
    return name;
  });
}

/** One thing wrong: an issue, of several unknown keys one. */
interface Place {
  readonly issue: z.core.$ZodIssue;
  readonly key?: string;
}

function placesOf(issue: z.core.$ZodIssue): Place[] {
  return issue.code === "unrecognized_keys" ? issue.keys.map((key) => ({ issue, key })) : [{ issue }];
}

function describePlace({ issue, key }: Place, tree: ValueTree): GoldenProblem {
  if (key !== undefined)
    return {
      line: tree.lineOf([...issue.path, key]),
      sentence: `unknown key ${JSON.stringify(key)}.${didYouMean(key, legalKeysAt(issue.path))}`,
    };
  const where = issue.path.map(String).join(".");
  const sentence = where === "" ? issue.message : `${where}: ${issue.message}`;
  return { line: tree.lineOf(issue.path), sentence };
}

function legalKeysAt(path: readonly PropertyKey[]): string[] {
  const last = path.findLast((step) => typeof step === "string");
  switch (last) {
    case undefined:
      return Object.keys(goldenSchema.shape);
    case "defaults":
      return ["limit", "filters"];
    case "filters":
      return Object.keys(filters.shape);
    case "expected":
      return Object.keys(expectation.shape);
    default:
      return Object.keys(goldenQuery.shape);
  }
}

function illegal(file: string, problems: readonly GoldenProblem[], count = problems.length): AppError {
  const sorted = [...problems].sort((a, b) => a.line - b.line);
  const shown = sorted.slice(0, SHOWN_PROBLEMS).map(({ line, sentence }) => `line ${line}: ${sentence}`);
  const more = count - shown.length;
  return new AppError("config", `${file}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`, {
    hint: "Mend the golden file; the README says what it holds (Measuring).",
  });
}

const SHOWN_PROBLEMS = 20;
