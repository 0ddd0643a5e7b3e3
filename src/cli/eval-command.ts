/**
 * `kb eval`: how well the search finds what the golden file expects, and whether that changed.
 */
import type { ArgsDef } from "citty";
import { parseDepths, parseWholeNumber } from "../config/request.ts";
import type { EvalReport } from "../engine/evaluation/eval-report.ts";
import { evaluate } from "../engine/evaluation/evaluate.ts";
import { AppError, EXIT, EXIT_OF_FAILURE } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { createCountDisplay } from "./count-display.ts";
import { formatEvaluation, formatFindings } from "./eval-text.ts";

const args = {
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
  baseline: {
    type: "string",
    valueHint: "name",
    description: "Compare with the run saved under this name, instead of the newest that compares",
  },
  "save-baseline": { type: "string", valueHint: "name", description: "Remember this run under a name" },
  "fail-on-regression": {
    type: "boolean",
    description:
      "Exit with 1 if a measure fell by more than eval.regression_threshold, with 3 if nothing compares",
  },
} as const satisfies ArgsDef;

const run: CommandRun = async (context) => {
  const {
    arguments: { values, switches },
    environment,
    output,
  } = context;
  const last = (name: string) => values.get(name)?.at(-1);
  const [limit, depths] = [last("limit"), last("k")];
  const asked = {
    golden: last("golden"),
    cwd: environment.cwd,
    limit: limit === undefined ? undefined : parseLimit(limit),
    depths: depths === undefined ? undefined : parseDepths(depths),
    baseline: last("baseline"),
    saveBaseline: last("save-baseline"),
    mustCompare: switches.get("fail-on-regression") ?? false,
  };
  const engine = openCommandEngine(context, { mayUseCwd: false, asksMany: true });
  const display = createCountDisplay(output, "asking", "queries");
  try {
    const report = await engine.lend((parts) => evaluate(parts, { ...asked, onProgress: display.show }));
    display.stop();
    if (output.json) output.answerJson(report);
    else {
      output.answer(formatEvaluation(report, output));
      for (const line of formatFindings(report)) output.warn(line);
    }
    return exitOf(report, asked);
  } finally {
    display.stop();
    await engine.close();
  }
};

function exitOf(
  { comparison, history }: EvalReport,
  { mustCompare, saveBaseline }: { readonly mustCompare: boolean; readonly saveBaseline: string | undefined },
): number {
  if (saveBaseline !== undefined && !history.saved) return EXIT_OF_FAILURE.io;
  return mustCompare && comparison?.has_regression ? EXIT.answerIsNo : EXIT.done;
}

function parseLimit(text: string): number {
  const limit = parseWholeNumber(text, "--limit");
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new AppError("usage", `--limit is ${limit}`, { hint: `It may be 1 to ${MAX_LIMIT}.` });
}

const MAX_LIMIT = 1000;

export const command: Command = { args, run };
