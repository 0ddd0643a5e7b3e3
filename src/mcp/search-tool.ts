/**
 * The `search` tool: the wire form of `kb search --json`, plus a text that says the same.
 *
 * Arguments are defined in `config/request.ts`, the answer in `engine/search/search-answer.ts`;
 * the schema of the answer is written out in `search-output.ts`.
 */
import { parseRequest, searchRequestSchema } from "../config/request.ts";
import type { Hit, SearchAnswer } from "../engine/search/search-answer.ts";
import { searchOutputSchema } from "./search-output.ts";
import { SEARCH_DESCRIPTION } from "./texts/search-description.ts";
import type { Tool } from "./tool.ts";

export const searchTool: Tool = {
  name: "search",
  title: "Search the documents",
  description: SEARCH_DESCRIPTION,
  input: searchRequestSchema,
  output: searchOutputSchema,
  async call(engine, input) {
    let changedPath: string | undefined;
    const answer = await engine.search(parseRequest(searchRequestSchema, input), {
      onChangedDocument: (path) => {
        changedPath = path;
      },
    });
    return { structured: answer, text: textOf(answer, { changedPath, mendsItself: engine.keepsUpToDate }) };
  },
};

interface Upkeep {
  /** The hit whose file has changed since it was indexed, if that is why the index is stale. */
  readonly changedPath: string | undefined;
  /** Whether the server brings the index up to date. */
  readonly mendsItself: boolean;
}

/** What a client without structured content shows its model: every passage whole, with its source. */
function textOf(answer: SearchAnswer, upkeep: Upkeep): string {
  const notes = notesOn(answer, upkeep);
  const hits = answer.results.map((hit, offset) => hitText(hit, offset + 1));
  const body = hits.length > 0 ? hits : [answer.query_info.reason ?? "No passage was found."];
  return [...(notes.length > 0 ? [notes.join("\n")] : []), ...body].join("\n\n");
}

function hitText(hit: Hit, rank: number): string {
  const trail = [hit.title, ...hit.heading_path].filter((part, at, all) => part !== all[at - 1]).join(" > ");
  return `[${rank}] ${hit.path}:${hit.lines.start}-${hit.lines.end} — ${trail} (score ${hit.score.toFixed(3)})\n${hit.content}`;
}

function notesOn(
  { index, query_info: query, engine, degraded_reason: degradedReason }: SearchAnswer,
  upkeep: Upkeep,
): string[] {
  const notes: string[] = [];
  if (index.state === "missing")
    notes.push("Note: there is no index yet. Its owner makes one with: kb index");
  if (index.state === "indexing")
    notes.push("Note: the index is being brought up to date; text may be missing. Ask again in a moment.");
  if (index.reason !== undefined) notes.push(`Note: the settings have a mistake. ${index.reason}`);
  else if (index.state === "stale") notes.push(staleNote(upkeep));
  for (const text of query.not_found ?? [])
    notes.push(`Note: ${JSON.stringify(text)} occurs in no passage; what follows is merely near.`);
  if (engine.runtime_problem !== undefined) notes.push(`Note: ${engine.runtime_problem}`);
  if (degradedReason !== undefined) notes.push(`Note: ${degradedReason}`);
  else if (index.pending !== undefined)
    notes.push(
      `Note: ${Math.floor(index.vectors * 100)} % of the passages can be found by meaning so far, all by their words.`,
    );
  return notes;
}

function staleNote({ changedPath, mendsItself }: Upkeep): string {
  const what =
    changedPath === undefined
      ? "the last indexing run did not finish; newer text may be missing"
      : `${JSON.stringify(changedPath)} has changed since it was indexed; what is quoted here may be out of date`;
  const remedy = mendsItself
    ? "The index is about to be brought up to date: ask again in a moment."
    : "Its owner brings the index up to date with: kb index";
  return `Note: ${what}. ${remedy}`;
}
