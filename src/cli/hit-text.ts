/**
 * A search answer as text: one block a hit, `path:first-last` first, as it is cited.
 *
 * Control characters of documents are made visible, so that no note can drive the terminal.
 * The wire form is printed elsewhere (`search-command.ts` with `--json`).
 */

import { visible } from "../core/visible-text.ts";
import type { Hit, SearchAnswer } from "../engine/search/search-answer.ts";
import { linesOfAnswerExplanation, linesOfHitExplanation } from "./explain-text.ts";
import type { Output } from "./output.ts";
import { windowOfPassage } from "./passage-text.ts";

const PASSAGE_LINES = 8;
/** Of a hit that was widened, since its reader asked for more. */
const WIDENED_LINES = 40;
const INDENT = "   ";

/** The whole answer, hits best first, notes on what limited it at the end. */
export function formatAnswer(answer: SearchAnswer, output: Output): string {
  const blocks = answer.results.map((hit, offset) => formatHit(hit, offset + 1, output));
  if (blocks.length === 0) blocks.push(answer.query_info.reason ?? "No hits.");
  if (answer.explain !== undefined)
    blocks.push(linesOfAnswerExplanation(answer.explain, output.columns).map(dimIn(output)).join("\n"));
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
  if (answer.low_confidence && answer.results.length > 0)
    notes.push(
      `these passages may not answer the question (confidence ${answer.confidence.score.toFixed(2)}); try other words`,
    );
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
  for (const name of query.ignored ?? []) notes.push(`${name} has no effect without mmr`);
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
  const columns = Math.max(20, output.columns - INDENT.length);
  const window = windowOfPassage(hit.content, hit.match_spans ?? [], {
    maxLines: isWidened(hit) ? WIDENED_LINES : PASSAGE_LINES,
    columns,
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
  const notes = [
    ...(isCut ? ["…"] : []),
    ...(hit.expanded_from?.kind === "whole_document" ? ["(the whole document)"] : []),
    ...(hit.grouped === undefined ? [] : [otherPlaces(hit.grouped, columns)]),
    ...(hit.explain === undefined ? [] : linesOfHitExplanation(hit.explain, columns)),
  ];
  return [head, ...lines, ...notes.map((note) => INDENT + note).map(dimIn(output))].join("\n");
}

function isWidened({ expanded_from: from }: Hit): boolean {
  return from !== undefined && (from.kind === "whole_document" || from.from_index < from.to_index);
}

/** As many places as fit in the line, and how many more there are. */
function otherPlaces(grouped: NonNullable<Hit["grouped"]>, columns: number): string {
  const places = grouped.map(({ lines }) => `${lines.start}-${lines.end}`);
  for (let shown = places.length; shown > 1; shown--) {
    const rest = places.length - shown;
    const text = `also in lines ${places.slice(0, shown).join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
    if (text.length <= columns) return text;
  }
  const rest = places.length - 1;
  return `also in lines ${places[0]}${rest === 0 ? "" : ` and ${rest} more`}`;
}

function dimIn(output: Output): (line: string) => string {
  return (line) => output.style("dim", line);
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
