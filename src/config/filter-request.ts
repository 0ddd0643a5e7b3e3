/**
 * The filters of a search request: one definition for the command line, MCP and evaluation.
 *
 * An empty list is no filter, everywhere. What the filters leave is looked up in
 * `engine/search/document-filter.ts`; the rest of a request is `request.ts`.
 */
import { z } from "zod";
import { daysOfBound } from "../core/calendar-date.ts";

const GLOBS_MAX = 64;
const GLOB_MAX_BYTES = 1024;
const EXCLUSION_MAX_BYTES = 1024;
const TAGS_MAX = 64;
const NAME_MAX_BYTES = 1024;

/** A check for `superRefine`: refuses a text of more UTF-8 bytes, calling it by `what` it is. */
export const atMostBytes =
  (max: number, what: string) => (text: string, context: z.core.$RefinementCtx<string>) => {
    const bytes = Buffer.byteLength(text);
    if (bytes > max)
      context.addIssue({ code: "custom", message: `${what} of ${bytes} bytes; at most ${max} are read` });
  };

const name = (what: string) => z.string().min(1).superRefine(atMostBytes(NAME_MAX_BYTES, what));

const bound = z.string().refine((text) => daysOfBound(text) !== null, {
  error: "not a date; write it as 2026, 2026-01, 2026-01-05, 2026/1/5 or 2026年1月5日",
});

/** The fields of a search request that leave passages out, in the order in which an answer echoes them. */
export const filterFields = {
  category: name("a category")
    .optional()
    .describe("Only documents of this category (front matter, else the first folder); exactly, case counts."),
  topic: name("a topic")
    .optional()
    .describe("Only documents of this topic (front matter, else the second folder); exactly, case counts."),
  path_globs: z
    .array(z.string().min(1).superRefine(atMostBytes(GLOB_MAX_BYTES, "a glob")))
    .max(GLOBS_MAX)
    .optional()
    .describe("Only documents whose path matches one of these globs, such as docs/**; a leading ! excludes."),
  tags_any: z
    .array(name("a tag"))
    .max(TAGS_MAX)
    .optional()
    .describe("Only documents with at least one of these tags; exactly, case counts."),
  tags_all: z
    .array(name("a tag"))
    .max(TAGS_MAX)
    .optional()
    .describe("Only documents with all of these tags."),
  date_from: bound
    .optional()
    .describe(
      "Only documents dated on or after this (2026, 2026-01 or 2026-01-05); undated ones are left out.",
    ),
  date_to: bound
    .optional()
    .describe("Only documents dated on or before this; of a month or year its last day counts."),
  min_quality: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("Only passages of at least this quality, 0 to 1. Default: placeholders are left out."),
  include_low_quality: z
    .boolean()
    .optional()
    .describe("True takes in placeholders and link lists too, whatever min_quality says."),
  exclude: z
    .array(z.string().min(1).superRefine(atMostBytes(EXCLUSION_MAX_BYTES, "an excluded text")))
    .optional()
    .describe("Leave out passages that contain any of these texts, in heading, heading path or content."),
};

/** The part of a request that filters. */
export type FilterRequest = z.output<z.ZodObject<typeof filterFields>>;

/** A check for `superRefine`: refuses a range of dates that ends before it begins. */
export function refuseEmptyRange(
  { date_from, date_to }: Pick<FilterRequest, "date_from" | "date_to">,
  context: z.core.$RefinementCtx<unknown>,
): void {
  const from = daysOfBound(date_from ?? "")?.first;
  const to = daysOfBound(date_to ?? "")?.last;
  if (from !== undefined && to !== undefined && from > to)
    context.addIssue({ code: "custom", path: ["date_from"], message: `later than date_to (${date_to})` });
}
