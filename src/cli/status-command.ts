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
  const { vectors, runtime, vector_engine: engine, skipped } = status;
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
    ["runtime", runtime.reason === undefined ? runtime.name : `${runtime.name}: ${runtime.reason}`],
    ["vector engine", typeof engine === "string" ? engine : engine.problem],
    ["index", `${status.index_file} (${(status.index_bytes / 1e6).toFixed(1)} MB)`],
    ["skipped", String(skipped.length)],
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(14)}${value}`);
  const files = skipped
    .slice(0, SHOWN_FILES)
    .map(({ path, reason }) => `  ${visible(path)}: ${visible(reason)}`);
  if (skipped.length > SHOWN_FILES)
    files.push(`  and ${skipped.length - SHOWN_FILES} more: kb status --json`);
  return [...lines, ...files].join("\n");
}

export const command: Command = { args, run };
