/**
 * `kb status`: what is in the index, how fresh it is, and what was left out.
 */
import type { ArgsDef } from "citty";
import { visible } from "../core/visible-text.ts";
import type { StatusReport } from "../engine/status.ts";
import { EXIT } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { formatRate, formatRemaining } from "./pace-text.ts";

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
  const { runtime, vector_engine: engine, vector_engine_reason: reason, stale, skipped } = status;
  const rows: [string, string][] = [
    ["folder", status.root],
    ["state", status.state],
    ["damage", status.damage === null ? "" : `${status.damage}; check all of it with: kb doctor`],
    ["last run", status.indexed_at ?? "none finished"],
    ["", formatRun(status)],
    ["documents", String(status.documents)],
    ["passages", String(status.chunks)],
    ["vectors", formatVectors(status)],
    ["changes", formatChanges(status)],
    ["model", status.model ?? "none yet"],
    ["runtime", runtime.reason === undefined ? runtime.name : `${runtime.name} (${runtime.reason})`],
    ["vector engine", reason === null ? engine : `${engine} (${reason})`],
    ["stages", formatStages(status)],
    ["index", `${status.index_file} (${(status.index_bytes / 1e6).toFixed(1)} MB)`],
  ];
  const lines = rows.filter(([, value]) => value !== "").map(([name, value]) => formatRow(name, value));
  // Only said when there are any: they hold what their files said before they could not be read.
  if (stale.length > 0) lines.push(formatRow("stale", String(stale.length)), ...formatFiles(stale));
  lines.push(formatRow("skipped", String(skipped.length)), ...formatFiles(skipped));
  return lines.join("\n");
}

/** How the last run went, whether or not it came to its end. */
function formatRun({ last_run: run, writer }: StatusReport): string {
  if (writer !== null)
    return `process ${writer.pid} on ${visible(writer.hostname)} is indexing since ${writer.since}`;
  if (run === null) return "";
  if (run.result === "unfinished")
    return `the run begun ${run.started_at ?? "earlier"} was killed or failed; go on with: kb index`;
  if (run.duration_ms === null || run.changes === null) return "";
  const { added, updated, renamed, removed, embedded } = run.changes;
  const did = `${added} added, ${updated} updated, ${renamed} renamed, ${removed} removed, ${embedded} vectors`;
  return `${run.result} in ${(run.duration_ms / 1000).toFixed(1)} s: ${did}`;
}

function formatVectors({ vectors: { coverage, pending: without, pace, crashing } }: StatusReport): string {
  const pending = without - crashing.length;
  const places = crashing.slice(0, SHOWN_FILES).map(({ path, line }) => `${visible(path)}:${line}`);
  const given = crashing.length === 0 ? "" : `, ${crashing.length} given up: ${places.join(", ")}`;
  const share = `${(coverage * 100).toFixed(1)} %${given}`;
  if (pending === 0) return share;
  const speed =
    pace === null ? "" : `, ${formatRate(pace.per_second)}, ${formatRemaining(pace.remaining_seconds)}`;
  return `${share}, ${pending} to be made${speed}`;
}

function formatChanges({ pending_changes: changes }: StatusReport): string {
  if (changes === null) return "not looked: the folder is too large to be looked through in passing";
  const { added, changed, removed } = changes;
  if (added + changed + removed === 0) return "none since the last run";
  return `${added} new, ${changed} changed, ${removed} gone since the last run; take them in with: kb index`;
}

function formatStages({ stages, outdated_documents: outdated }: StatusReport): string {
  const versions = Object.entries(stages).map(([stage, version]) => `${stage} ${version}`);
  const other =
    outdated === 0 ? "" : ` (${outdated} documents were made otherwise; renew them with: kb index)`;
  return versions.join(", ") + other;
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
