/**
 * The arguments that the commands share that ask a golden file.
 */
import type { ArgsDef } from "citty";
import { parseDepths, parseWholeNumber } from "../config/request.ts";
import { AppError } from "../errors.ts";
import type { CommandContext } from "./command.ts";

export const MEASURE_ARGS = {
  golden: {
    type: "string",
    valueHint: "file",
    description: "Questions and the documents that answer them (default .kb-eval.yml in the folder)",
  },
  limit: {
    type: "string",
    alias: "n",
    valueHint: "hits",
    description: "How many hits to ask for (default: the largest k)",
  },
  k: { type: "string", valueHint: "k,k,…", description: "Depths to count at (default 1,5,10)" },
} as const satisfies ArgsDef;

/** Undefined where an argument is not given; of a repeated one the last counts. */
export interface AskedMeasure {
  readonly golden: string | undefined;
  readonly cwd: string;
  readonly limit: number | undefined;
  readonly depths: readonly number[] | undefined;
}

/** @throws {AppError} `usage` for a number out of range, with its value. */
export function parseMeasureArguments({
  arguments: { values },
  environment,
}: Pick<CommandContext, "arguments" | "environment">): AskedMeasure {
  const last = (name: string) => values.get(name)?.at(-1);
  const [limit, depths] = [last("limit"), last("k")];
  return {
    golden: last("golden"),
    cwd: environment.cwd,
    limit: limit === undefined ? undefined : parseLimit(limit),
    depths: depths === undefined ? undefined : parseDepths(depths),
  };
}

function parseLimit(text: string): number {
  const limit = parseWholeNumber(text, "--limit");
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new AppError("usage", `--limit is ${limit}`, { hint: `It may be 1 to ${MAX_LIMIT}.` });
}

const MAX_LIMIT = 1000;
