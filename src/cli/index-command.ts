/**
 * `kb index`: brings the index up to date with the folder, and says what it did.
 */
import { constants, setPriority } from "node:os";
import { sep } from "node:path";
import type { ArgsDef } from "citty";
import { visible } from "../core/visible-text.ts";
import type { IndexRunReport } from "../engine/indexing/index-report.ts";
import { AppError, EXIT } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import type { Output } from "./output.ts";
import { createProgressDisplay } from "./progress.ts";
import { createProgressLines } from "./progress-lines.ts";

const args = {
  dir: { type: "positional", required: false, description: "Folder of documents (instead of --kb)" },
  force: {
    type: "boolean",
    description: "Build everything anew but the vectors of equal texts; the old index answers meanwhile",
  },
  verify: {
    type: "boolean",
    description:
      "Check the index, and read every file again, also those whose size, times and inode did not change",
  },
  vectors: {
    type: "boolean",
    description: "Make vectors too, after the text",
    negativeDescription: "Only the text, which is searchable within seconds",
  },
  strict: { type: "boolean", description: "Exit with 1 if a file was skipped or vectors could not be made" },
  "while-stdin-open": {
    type: "boolean",
    description: "Stop when stdin closes, and run at low priority (for programs that start kb)",
  },
  "progress-lines": {
    type: "boolean",
    description: "Say on stderr how far the run is, a JSON object a line (for programs that start kb)",
  },
} as const satisfies ArgsDef;

const run: CommandRun = async (context) => {
  const {
    arguments: { values, switches, positionals },
    output,
  } = context;
  const [dir] = positionals;
  const kb = values.get("kb")?.at(-1);
  if (dir !== undefined && kb !== undefined && dir !== kb)
    throw new AppError("usage", `two folders are named: ${dir} and --kb ${kb}`, {
      hint: "Name one of them.",
    });
  const engine = openCommandEngine(context, { named: dir ?? kb, mayUseCwd: true });

  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  const isBeside = switches.get("while-stdin-open") ?? false;
  if (isBeside) {
    process.stdin.on("end", () => stop.abort()).resume();
    yieldToOthers(constants.priority.PRIORITY_BELOW_NORMAL);
  }
  const progress = switches.get("progress-lines")
    ? createProgressLines(output)
    : createProgressDisplay(output);
  try {
    const report = await engine.index({
      force: switches.get("force") ?? false,
      verify: switches.get("verify") ?? false,
      vectors: switches.get("vectors") ?? true,
      onProgress(state) {
        if (isBeside && state.stage === "vectors" && state.done === 0)
          yieldToOthers(constants.priority.PRIORITY_LOW);
        progress.show(state);
      },
      signal: stop.signal,
    });
    progress.stop();
    if (output.json) output.answerJson(report);
    else tell(report, output);
    if (report.interrupted) return EXIT.interrupted;
    const isPartial = report.skipped.length > 0 || report.vectors.problem !== undefined;
    return switches.get("strict") && isPartial ? EXIT.answerIsNo : EXIT.done;
  } finally {
    progress.stop();
    await engine.close();
  }
};

/**
 * Before any worker of a stage starts, since threads inherit it: whoever started this run answers
 * questions meanwhile. Vectors can wait longest; what was just saved should be found also on a busy machine.
 */
function yieldToOthers(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // Where that is not allowed, the run is only less polite.
  }
}

const SHOWN_FILES = 10;

function tell(report: IndexRunReport, output: Output): void {
  for (const { path, message } of report.warnings.slice(0, SHOWN_FILES))
    output.say(`kb: ${visible(path)}: ${visible(message)}`);
  for (const { path, reason } of report.skipped.slice(0, SHOWN_FILES))
    output.say(`kb: skipped ${visible(path)}: ${visible(reason)}`);
  const untold =
    Math.max(0, report.warnings.length - SHOWN_FILES) + Math.max(0, report.skipped.length - SHOWN_FILES);
  if (untold > 0) output.say(`kb: and ${untold} more; see kb status --json`);
  if (report.rebuilt_because !== undefined)
    output.warn(`kb: the index was made anew, since it was damaged: ${visible(report.rebuilt_because)}`);
  const { documents, chunks, added, updated, renamed, removed, vectors } = report;
  const changes = [
    [added, "added"],
    [updated, "updated"],
    [renamed, "renamed"],
    [removed, "removed"],
  ] as const;
  const told = changes.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  output.say(
    `${report.interrupted ? "Stopped" : "Done"} in ${(report.duration_ms / 1000).toFixed(1)} s: ${documents} documents, ${chunks} passages (${told.join(", ") || "nothing changed"}).`,
  );
  if (!report.index_file.startsWith(report.root + sep)) output.say(`The index is in ${report.index_file}.`);
  if (vectors.replaced_model !== undefined)
    output.say(
      `The vectors of the model ${visible(vectors.replaced_model)} were removed: this kb uses another one.`,
    );
  if (vectors.carried_over !== undefined)
    output.say(`${vectors.carried_over} vectors of the old index were taken over.`);
  if (vectors.embedded > 0) output.say(describeVectors(vectors.embedded, report.vectors_duration_ms));
  if (vectors.runtime_problem !== undefined) output.warn(`kb: ${vectors.runtime_problem}`);
  if (vectors.problem !== undefined) output.warn(`kb: ${vectors.problem}`);
  const { crashing = 0 } = vectors;
  const pending = vectors.pending - crashing;
  if (crashing > 0)
    output.warn(
      `kb: ${crashing} passages are found by their words only, since the model ended kb at them twice; see kb status`,
    );
  if (vectors.problem === undefined && pending > 0)
    output.say(
      `${pending} passages have no vector yet and are found by their words; go on with: kb index ${report.root}`,
    );
}

function describeVectors(count: number, durationMs: number): string {
  const seconds = Math.max(durationMs, 1) / 1000;
  return `${count} vectors in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second.`;
}

export const command: Command = { args, run };
