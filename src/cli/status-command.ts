/**
 * `kb status`: what is in the index, how fresh it is, and what was left out.
 */
import type { ArgsDef } from "citty";
import type { StatusReport } from "../engine/status.ts";
import { EXIT } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { visible } from "./visible-text.ts";

const args = {} as const satisfies ArgsDef;

const run: CommandRun = async (context) => {
  const { output } = context;
  const engine = openCommandEngine(context, { mayUseCwd: false });
  try {
    const status = engine.status();
    if (output.json) output.answerJson(status);
    else output.answer(formatStatus(status));
    return EXIT.done;
  } finally {
    await engine.close();
  }
};

const SHOWN_FILES = 20;

function formatStatus(status: StatusReport): string {
  const { vectors, runtime, vector_engine: engine, vector_engine_reason: reason, stale, skipped } = status;
  const rows: [string, string][] = [
    ["folder", status.root],
    ["state", status.state],
    ["last run", status.indexed_at ?? "none finished"],
    ["documents", String(status.documents)],
    ["passages", String(status.chunks)],
    [
      "vectors",
      `${(vectors.coverage * 100).toFixed(1)} %${vectors.pending > 0 ? `, ${vectors.pending} to be made` : ""}`,
    ],
    ["model", status.model ?? "none yet"],
    ["runtime", runtime.reason === undefined ? runtime.name : `${runtime.name} (${runtime.reason})`],
    ["vector engine", reason === null ? engine : `${engine} (${reason})`],
    ["index", `${status.index_file} (${(status.index_bytes / 1e6).toFixed(1)} MB)`],
  ];
  const lines = rows.map(([name, value]) => formatRow(name, value));
  // Only said when there are any: they hold what their files said before they could not be read.
  if (stale.length > 0) lines.push(formatRow("stale", String(stale.length)), ...formatFiles(stale));
  lines.push(formatRow("skipped", String(skipped.length)), ...formatFiles(skipped));
  return lines.join("\n");
}

function formatRow(name: string, value: string): string {
  return `${name.padEnd(14)}${value}`;
}

function formatFiles(files: readonly { readonly path: string; readonly reason: string }[]): string[] {
  const lines = files
    .slice(0, SHOWN_FILES)
    .map(({ path, reason }) => `  ${visible(path)}: ${visible(reason)}`);
  const untold = files.length - SHOWN_FILES;
  return untold > 0 ? [...lines, `  and ${untold} more: kb status --json`] : lines;
}

export const command: Command = { args, run };
