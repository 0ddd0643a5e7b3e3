/**
 * The `search` tool: the wire form of `kb search --json`, plus a text that says the same.
 *
 * Arguments are defined in `config/request.ts`, the answer in `engine/search/search-answer.ts`;
 * the schema of the answer is written out in `search-output.ts`.
 */
import { parseRequest, searchRequestSchema } from "../config/request.ts";
import type { Hit, SearchAnswer } from "../engine/search/search-answer.ts";
import { fitHits } from "./answer-size.ts";
import { inline, jsonBytes, Quotation } from "./quoted-text.ts";
import { documentUri } from "./resource-uri.ts";
import { searchOutputSchema } from "./search-output.ts";
import { SEARCH_DESCRIPTION } from "./texts/search-description.ts";
import type { Tool } from "./tool.ts";

export const searchTool: Tool = {
  name: "search",
  title: "Search the documents",
  description: SEARCH_DESCRIPTION,
  input: searchRequestSchema,
  output: searchOutputSchema,
  async call(engine, input, { signal, maxBytes, withoutPlaces }) {
    let changedPath: string | undefined;
    const answer = await engine.search(parseRequest(searchRequestSchema, input), {
      signal,
      onChangedDocument: (path) => {
        changedPath = path;
      },
    });
    const structured = fitted(forClient(answer, withoutPlaces), maxBytes);
    return { structured, text: textOf(structured, { changedPath, mendsItself: engine.keepsUpToDate }) };
  },
};

type LinkedHit = Hit & { readonly uri: string };

/** The answer as a client gets it. */
interface ClientAnswer extends SearchAnswer {
  readonly results: readonly LinkedHit[];
  readonly truncated?: {
    readonly results_left_out: number;
    readonly cut_result?: number;
    readonly max_bytes: number;
    readonly hint: string;
  };
}

function forClient(answer: SearchAnswer, withoutPlaces: (text: string) => string): ClientAnswer {
  const { engine, degraded_reason: reason } = answer;
  const { runtime_problem: problem } = engine;
  return {
    ...answer,
    results: answer.results.map((hit) => ({ ...hit, uri: documentUri(hit.path) })),
    engine: problem === undefined ? engine : { ...engine, runtime_problem: withoutPlaces(problem) },
    ...(reason === undefined ? {} : { degraded_reason: withoutPlaces(reason) }),
  };
}

/** What the request itself says is repeated in the answer, whatever its size. */
function fitted(answer: ClientAnswer, maxBytes: number): ClientAnswer {
  const frameBytes = jsonBytes({ ...answer, results: [] }) + MARKER_BYTES;
  const sizeOf = (hit: LinkedHit) => Math.max(jsonBytes(hit) + 1, jsonBytes(hitText(hit, 1, ANY_MARK)));
  const { results } = answer;
  const total = frameBytes + results.reduce((sum, hit) => sum + sizeOf(hit), 0);
  if (total <= maxBytes) return answer;
  const { hits, cut } = fitHits(results, maxBytes - frameBytes, answer.span_unit, sizeOf);
  const leftOut = results.length - hits.length;
  if (leftOut === 0 && cut === undefined) return answer;
  return {
    ...answer,
    results: hits,
    truncated: {
      results_left_out: leftOut,
      ...(cut === undefined ? {} : { cut_result: cut }),
      max_bytes: maxBytes,
      hint: "Ask for fewer results or a narrower question; get_document with path and lines has a passage whole.",
    },
  };
}

/** Marker, notes and notice, in either form. */
const MARKER_BYTES = 1024;

/** All marks are of one length. */
const ANY_MARK = new Quotation([]);

type Truncation = NonNullable<ClientAnswer["truncated"]>;

interface Upkeep {
  /** The hit whose file has changed since it was indexed, if that is why the index is stale. */
  readonly changedPath: string | undefined;
  /** Whether the server brings the index up to date. */
  readonly mendsItself: boolean;
}

/** What a client without structured content shows its model: every passage with its source. */
function textOf(answer: ClientAnswer, upkeep: Upkeep): string {
  const quotation = new Quotation(answer.results.map(({ content }) => content));
  const notes = notesOn(answer, upkeep);
  if (answer.results.length > 0) notes.push(quotation.notice);
  const hits = answer.results.map((hit, offset) => hitText(hit, offset + 1, quotation));
  const body = hits.length > 0 ? hits : [inline(answer.query_info.reason ?? "No passage was found.")];
  const rest = answer.truncated === undefined ? [] : [truncationText(answer.truncated)];
  return [...(notes.length > 0 ? [notes.join("\n")] : []), ...body, ...rest].join("\n\n");
}

function hitText(hit: LinkedHit, rank: number, quotation: Quotation): string {
  const trail = [hit.title, ...hit.heading_path].filter((part, at, all) => part !== all[at - 1]).join(" > ");
  const source = `${inline(hit.path)}:${hit.lines.start}-${hit.lines.end}`;
  const others = hit.grouped?.map(({ lines }) => `${lines.start}-${lines.end}`).join(", ");
  const notes = [
    ...(hit.expanded_from?.kind === "whole_document" ? ["(This is the whole document.)"] : []),
    ...(others === undefined ? [] : [`(Also found in this document: lines ${others})`]),
    ...(hit.explain === undefined ? [] : [explanationText(hit.explain)]),
  ];
  return [
    `[${rank}] ${source} — ${inline(trail)} (score ${hit.score.toFixed(3)})`,
    quotation.quote(hit.content),
    ...notes,
  ].join("\n");
}

function explanationText({ legs, quoted, matched }: NonNullable<Hit["explain"]>): string {
  const parts = Object.entries(legs).map(
    ([leg, { rank, contribution }]) => `${leg} ${contribution.toFixed(3)} (rank ${rank})`,
  );
  if (quoted !== undefined) parts.push(`quoted text ${quoted.contribution.toFixed(3)}`);
  const found = [...new Set([...matched.terms, ...matched.phrases])];
  return `(Score: ${parts.join(" + ")}; matched: ${found.length === 0 ? "nothing" : found.join(", ")})`;
}

function truncationText({ results_left_out: leftOut, cut_result: cut, max_bytes, hint }: Truncation): string {
  const what = [
    ...(leftOut > 0 ? [`${leftOut} more results are left out`] : []),
    ...(cut === undefined ? [] : [`the passage of result ${cut} ends early`]),
  ].join(", and ");
  return `[An answer holds ${max_bytes} bytes: ${what}. ${hint}]`;
}

function notesOn(
  {
    results,
    low_confidence,
    index,
    query_info: query,
    engine,
    degraded_reason: degradedReason,
  }: SearchAnswer,
  upkeep: Upkeep,
): string[] {
  const notes: string[] = [];
  if (index.state === "missing")
    notes.push("Note: there is no index yet. Its owner makes one with: kb index");
  if (index.state === "indexing")
    notes.push("Note: the index is being brought up to date; text may be missing. Ask again in a moment.");
  if (index.reason !== undefined) notes.push(`Note: the settings have a mistake. ${index.reason}`);
  else if (index.state === "stale") notes.push(staleNote(upkeep));
  for (const name of query.ignored ?? []) notes.push(`Note: ${name} has no effect without mmr.`);
  if (low_confidence && results.length > 0)
    notes.push(
      "Note: low confidence. The documents may not answer this; try other words once before saying so.",
    );
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
