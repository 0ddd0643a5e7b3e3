/**
 * `kb tune`: whether other settings of fusion would find better what the golden file expects.
 *
 * It writes nothing: whoever wants the settings puts them into `kb.toml`.
 */
import { tune } from "../engine/evaluation/tune.ts";
import { EXIT, EXIT_OF_FAILURE } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { createCountDisplay } from "./count-display.ts";
import { MEASURE_ARGS, parseMeasureArguments } from "./measure-arguments.ts";
import { formatTuning, formatTuningWarnings } from "./tune-text.ts";

const run: CommandRun = async (context) => {
  const { output } = context;
  const asked = parseMeasureArguments(context);
  const engine = openCommandEngine(context, { mayUseCwd: false, asksMany: true });
  const display = createCountDisplay(output, "asking", "queries");
  try {
    const report = await engine.lend((parts) => tune(parts, { ...asked, onProgress: display.show }));
    display.stop();
    if (output.json) output.answerJson(report);
    else {
      output.answer(formatTuning(report));
      for (const line of formatTuningWarnings(report)) output.warn(line);
    }
    return report.recommendation === null ? EXIT_OF_FAILURE.usage : EXIT.done;
  } finally {
    display.stop();
    await engine.close();
  }
};

export const command: Command = { args: MEASURE_ARGS, run };
