/**
 * A search answer as text: one block a hit, `path:first-last` first, as it is cited.
 *
 * Control characters of documents are made visible, so that no note can drive the terminal.
 * The wire form is printed elsewhere (`search-command.ts` with `--json`).
 */

import { visible } from "../core/visible-text.ts";
import type { Hit, SearchAnswer } from "../engine/search/search-answer.ts";
import type { Output } from "./output.ts";
import { windowOfPassage } from "./passage-text.ts";

const PASSAGE_LINES = 8;
const INDENT = "   ";

/** The whole answer, hits best first, notes on what limited it at the end. */
export function formatAnswer(answer: SearchAnswer, output: Output): string {
  const blocks = answer.results.map((hit, offset) => formatHit(hit, offset + 1, output));
  if (blocks.length === 0) blocks.push(answer.query_info.reason ?? "No hits.");
  return blocks.join("\n\n");
}

/**
 * What a person should know about how the answer came about; empty when all was as it should be.
 *
 * @param changedPath The hit whose file has changed since, if that is why the index is stale.
 */
export function describeLimits(
  answer: SearchAnswer,
  root: string,
  changedPath: string | undefined,
): string[] {
  const { index, query_info: query, engine } = answer;
  const notes: string[] = [];
  if (answer.degraded_reason !== undefined) notes.push(answer.degraded_reason);
  if (engine.runtime_problem !== undefined) notes.push(engine.runtime_problem);
  if (index.state === "indexing")
    notes.push("the index is being brought up to date; this is what it holds so far");
  if (index.state === "stale") notes.push(staleNote(index.changed_files, changedPath, root));
  if (index.pending !== undefined && answer.degraded === undefined)
    notes.push(
      `${percent(index.vectors)} of the passages have vectors so far; the others were found by their text alone`,
    );
  for (const text of query.not_found ?? []) notes.push(`"${visible(text)}" occurs in no passage`);
  if (query.capped !== undefined)
    notes.push(`the query is long: ${query.capped} of its phrases were left out`);
  if (query.limit_clamped_from !== undefined)
    notes.push(`a limit of ${query.limit_clamped_from} was cut to 1000`);
  return notes;
}

function staleNote(changedFiles: number | undefined, changedPath: string | undefined, root: string): string {
  const remedy = `bring the index up to date with: kb index ${root}`;
  if (changedFiles !== undefined)
    return `${changedFiles === 1 ? "1 file has" : `${changedFiles} files have`} changed since the last run; ${remedy}`;
  if (changedPath !== undefined) return `${visible(changedPath)} has changed since it was indexed; ${remedy}`;
  return `the last indexing run did not finish; go on with: kb index ${root}`;
}

function formatHit(hit: Hit, rank: number, output: Output): string {
  const place = output.style("cyan", `${visible(hit.path)}:${hit.lines.start}-${hit.lines.end}`);
  const trail = [hit.title, ...hit.heading_path].filter((part, at, all) => part !== all[at - 1]).map(visible);
  const head = `${output.style("bold", `${rank}.`)} ${place}  ${output.style("bold", trail.join(" › "))}  ${output.style("dim", hit.score.toFixed(3))}`;
  const window = windowOfPassage(hit.content, hit.match_spans ?? [], {
    maxLines: PASSAGE_LINES,
    columns: Math.max(20, output.columns - INDENT.length),
  });
  const lines = window.lines.map(
    (pieces) =>
      INDENT +
      pieces
        .map(({ text, isMatch }) =>
          isMatch ? output.style(["bold", "yellow"], visible(text)) : visible(text),
        )
        .join(""),
  );
  const isCut = window.firstLine + window.lines.length < window.lineCount;
  return [head, ...lines, ...(isCut ? [output.style("dim", `${INDENT}…`)] : [])].join("\n");
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
