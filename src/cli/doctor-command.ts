/**
 * `kb doctor`: whether this machine and this index can work, and what to do where not.
 */
import type { ArgsDef } from "citty";
import { visible } from "../core/visible-text.ts";
import { type DoctorReport, diagnose } from "../engine/doctor/diagnose.ts";
import type { Finding } from "../engine/doctor/examination.ts";
import { EXIT } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import type { Output } from "./output.ts";

const args = {
  "model-only": {
    type: "boolean",
    description: "Examine only the model, in this process (kb doctor starts that by itself)",
  },
} as const satisfies ArgsDef;

const run: CommandRun = async ({ arguments: { values, switches }, environment, output }) => {
  const report = await diagnose({
    named: values.get("kb")?.at(-1),
    configFile: values.get("config")?.at(-1),
    environment,
    modelOnly: switches.get("model-only") ?? false,
  });
  if (output.json) output.answerJson(report);
  else output.answer(formatReport(report, output));
  return needsNothing(report) ? EXIT.done : EXIT.answerIsNo;
};

/** What is only for information makes no exit code. */
function needsNothing({ findings }: DoctorReport): boolean {
  return findings.every(({ severity }) => severity === "info");
}

function formatReport(report: DoctorReport, output: Output): string {
  const { version, commit, platform, facts, findings } = report;
  const rows = [{ name: "kb", value: `${version} (${commit}), ${platform}` }, ...facts];
  return [
    ...rows.map(({ name, value }) => `${name.padEnd(14)}${visible(value)}`),
    "",
    ...(needsNothing(report) ? ["Nothing is wrong."] : []),
    ...findings.map((finding) => formatFinding(finding, output)),
  ].join("\n");
}

function formatFinding(
  { id, severity, sentence, remedy, samples = [], count = 0 }: Finding,
  output: Output,
): string {
  const untold = count - samples.length;
  return [
    `${severity === "info" ? severity : output.style(severity === "error" ? "red" : "yellow", severity)} ${id}: ${visible(sentence)}`,
    ...samples.map((sample) => `    ${visible(sample)}`),
    ...(samples.length > 0 && untold > 0 ? [`    and ${untold} more`] : []),
    `  -> ${visible(remedy)}`,
  ].join("\n");
}

export const command: Command = { args, run };
