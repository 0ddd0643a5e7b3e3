/**
 * `kb eval`: how well the search finds what the golden file expects, and whether that changed.
 */
import type { ArgsDef } from "citty";
import type { EvalReport } from "../engine/evaluation/eval-report.ts";
import { evaluate } from "../engine/evaluation/evaluate.ts";
import { EXIT, EXIT_OF_FAILURE } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { createCountDisplay } from "./count-display.ts";
import { formatEvaluation, formatFindings } from "./eval-text.ts";
import { MEASURE_ARGS, parseMeasureArguments } from "./measure-arguments.ts";

const args = {
  ...MEASURE_ARGS,
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
    output,
  } = context;
  const asked = {
    ...parseMeasureArguments(context),
    baseline: values.get("baseline")?.at(-1),
    saveBaseline: values.get("save-baseline")?.at(-1),
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

export const command: Command = { args, run };
