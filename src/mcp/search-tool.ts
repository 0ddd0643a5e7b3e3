/**
 * The `search` tool: the wire form of `kb search --json`, plus a text that says the same.
 *
 * Arguments are defined in `config/request.ts`, the answer in `engine/search-answer.ts`;
 * the schema of the answer is written out in `search-output.ts`.
 */
import { parseRequest, searchRequestSchema } from "../config/request.ts";
import type { Hit, SearchAnswer } from "../engine/search-answer.ts";
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
    const answer = await engine.search(parseRequest(searchRequestSchema, input));
    return { structured: answer, text: textOf(answer) };
  },
};

/** What a client without structured content shows its model: every passage whole, with its source. */
function textOf(answer: SearchAnswer): string {
  const notes = notesOn(answer);
  const hits = answer.results.map((hit, offset) => hitText(hit, offset + 1));
  const body = hits.length > 0 ? hits : [answer.query_info.reason ?? "No passage was found."];
  return [...(notes.length > 0 ? [notes.join("\n")] : []), ...body].join("\n\n");
}

function hitText(hit: Hit, rank: number): string {
  const trail = [hit.title, ...hit.heading_path].filter((part, at, all) => part !== all[at - 1]).join(" > ");
  return `[${rank}] ${hit.path}:${hit.lines.start}-${hit.lines.end} — ${trail} (score ${hit.score.toFixed(3)})\n${hit.content}`;
}

function notesOn({ index, degraded_reason: degradedReason }: SearchAnswer): string[] {
  const notes: string[] = [];
  if (index.state === "missing")
    notes.push("Note: there is no index yet. Its owner makes one with: kb index");
  if (index.state === "indexing")
    notes.push("Note: the index is being brought up to date; text may be missing. Ask again in a moment.");
  if (index.state === "stale")
    notes.push("Note: the last indexing run did not finish; newer text may be missing.");
  if (degradedReason !== undefined) notes.push(`Note: ${degradedReason}`);
  else if (index.pending !== undefined)
    notes.push(
      `Note: ${Math.floor(index.vectors * 100)} % of the passages can be found by meaning so far, all by their words.`,
    );
  return notes;
}
