/**
 * The flags that filter a search, and the fields of a request that they stand for.
 *
 * What the fields mean and which values are legal is defined in `config/filter-request.ts`.
 */
import type { ArgsDef } from "citty";
import { parseNumber } from "../config/request.ts";
import type { StrictArguments } from "./arguments.ts";

/** Beside `--path-glob` and `--exclude`, which are the command's own. */
export const FILTER_ARGS = {
  category: {
    type: "string",
    valueHint: "name",
    description: "Only documents of this category (front matter, else the first folder)",
  },
  topic: {
    type: "string",
    valueHint: "name",
    description: "Only documents of this topic (front matter, else the second folder)",
  },
  "tag-any": {
    type: "string",
    valueHint: "tags",
    description: "Only documents with one of these tags; separated by commas; may be repeated",
  },
  "tag-all": {
    type: "string",
    valueHint: "tags",
    description: "Only documents with all of these tags; separated by commas; may be repeated",
  },
  "date-from": {
    type: "string",
    valueHint: "date",
    description: "Only documents dated then or later: 2026, 2026-01 or 2026-01-05",
  },
  "date-to": {
    type: "string",
    valueHint: "date",
    description: "Only documents dated then or before; of a month or year its last day counts",
  },
  "min-quality": {
    type: "string",
    valueHint: "0..1",
    description: "Only passages of at least this quality",
  },
  "include-low-quality": {
    type: "boolean",
    description: "Take in placeholders and link lists too",
  },
} as const satisfies ArgsDef;

/**
 * The request's fields for the flags that were given; of a flag that takes one value the last counts.
 *
 * @throws {AppError} `usage` for a quality that is no number.
 */
export function filterArguments({
  values,
  switches,
}: Pick<StrictArguments, "values" | "switches">): Readonly<Record<string, unknown>> {
  const last = (flag: string) => values.get(flag)?.at(-1);
  const quality = last("min-quality");
  const given = {
    category: last("category"),
    topic: last("topic"),
    tags_any: splitAtCommas(values.get("tag-any")),
    tags_all: splitAtCommas(values.get("tag-all")),
    date_from: last("date-from"),
    date_to: last("date-to"),
    min_quality: quality === undefined ? undefined : parseNumber(quality, "--min-quality"),
    include_low_quality: switches.get("include-low-quality"),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Blanks around a tag do not count, nor do empty places, so that `--tag-any ""` is an empty list. */
function splitAtCommas(texts: readonly string[] | undefined): string[] | undefined {
  return texts
    ?.flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
}
