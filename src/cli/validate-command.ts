/**
 * `kb validate`: whether the front matter of the folder keeps to its rules.
 */
import { relative } from "node:path";
import type { ArgsDef } from "citty";
import { parseChoice } from "../config/request.ts";
import { visible } from "../core/visible-text.ts";
import {
  type PlacedViolation,
  type ValidationReport,
  validateFolder,
} from "../engine/validation/validate-folder.ts";
import { EXIT } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import type { Output } from "./output.ts";

const args = {
  schema: {
    type: "string",
    valueHint: "file",
    description: "File of rules, instead of kb-schema.toml in the folder",
  },
  format: { type: "string", valueHint: "name", description: "text (the default), json or github" },
  "fail-fast": { type: "boolean", description: "Stop at the first file that breaks a rule" },
} as const satisfies ArgsDef;

const FORMATS = ["text", "json", "github"] as const;

const run: CommandRun = async (context) => {
  const {
    arguments: { values, switches },
    environment,
    output,
  } = context;
  const format = output.json
    ? "json"
    : parseChoice(values.get("format")?.at(-1) ?? "text", "--format", FORMATS);
  const report = validateFolder({
    root: { named: values.get("kb")?.at(-1), mayUseCwd: false },
    configFile: values.get("config")?.at(-1),
    environment,
    schema: values.get("schema")?.at(-1),
    failFast: switches.get("fail-fast") ?? false,
  });
  for (const { path, reason } of report.warnings)
    output.warn(`kb: not checked: ${visible(path)}: ${visible(reason)}`);
  if (format === "json") output.answerJson(report);
  else tell(report, format === "github" ? githubLine(report.root, environment.cwd) : textLine, output);
  return report.ok ? EXIT.done : EXIT.answerIsNo;
};

type FormatLine = (path: string, violation: PlacedViolation) => string;

function tell(
  { schema, scanned, violated, files }: ValidationReport,
  format: FormatLine,
  output: Output,
): void {
  for (const { path, violations } of files)
    for (const violation of violations) output.answer(format(path, violation));
  if (schema === null)
    output.say(
      "kb: there is no kb-schema.toml, so only front matter that cannot be read as meant is told; see the README",
    );
  output.say(
    violated === 0
      ? `kb: ${scanned} files, nothing to object to`
      : `kb: ${violated} of ${scanned} files break a rule`,
  );
}

function textLine(path: string, { line, kind, message }: PlacedViolation): string {
  return `${visible(path)}:${line}: ${kind}: ${visible(message)}`;
}

/** A workflow command; GitHub looks files up from the folder the workflow runs in. */
function githubLine(root: string, cwd: string): FormatLine {
  const folder = relative(cwd, root).replaceAll("\\", "/");
  return (path, { line, message, kind }) => {
    const file = folder === "" ? path : `${folder}/${path}`;
    return `::error file=${escapeProperty(file)},line=${line},title=frontmatter::${escapeData(`${kind}: ${message}`)}`;
  };
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

export const command: Command = { args, run };
