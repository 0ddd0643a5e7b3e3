/**
 * `kb graph`: what is connected with a document, as text or drawn; or the broken links of the folder.
 */
import type { ArgsDef } from "citty";
import { graphRequestSchema } from "../config/graph-request.ts";
import { parseChoice, parseRequest, parseWholeNumber } from "../config/request.ts";
import { visible } from "../core/visible-text.ts";
import type { BrokenLinksAnswer, ConnectionsAnswer } from "../engine/graph/connections.ts";
import { connectionLines } from "../engine/graph/connections-text.ts";
import { AppError, EXIT } from "../errors.ts";
import type { StrictArguments } from "./arguments.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { formatDot, formatMermaid } from "./graph-drawings.ts";
import { formatSvg } from "./graph-svg.ts";
import type { Output } from "./output.ts";

const number = (description: string) => ({ type: "string", valueHint: "n", description }) as const;

const args = {
  path: {
    type: "positional",
    required: false,
    description: "Path of an indexed document, as a search prints it",
  },
  broken: { type: "boolean", description: "List the links of all documents that lead to no document" },
  format: { type: "string", valueHint: "name", description: "text (the default), json, dot, svg or mermaid" },
  depth: number("Steps from the start (2; at most 3)"),
  "fan-out": number("Most new nodes of each kind at a node (5; at most 20)"),
  "min-similarity": number("Lowest cosine of a similar passage (0.3)"),
  "seed-strategy": {
    type: "string",
    valueHint: "name",
    description: "all_chunks (the default): start from every passage; centroid: from their middle",
  },
  category: { type: "string", valueHint: "name", description: "Only documents of this category" },
  topic: { type: "string", valueHint: "name", description: "Only documents of this topic" },
  "exclude-path": {
    type: "string",
    valueHint: "path",
    description: "Leave a document out; may be repeated",
  },
  "dedup-by-path": { type: "boolean", description: "Each document at most once" },
  "max-nodes": number("Most nodes (100; at most 2000)"),
  "max-seed-chunks": number("Most passages of the start (32; at most 1000)"),
} as const satisfies ArgsDef;

const FORMATS = ["text", "json", "dot", "svg", "mermaid"] as const;

const run: CommandRun = async (context) => {
  const { arguments: given, output } = context;
  const format = output.json
    ? "json"
    : parseChoice(given.values.get("format")?.at(-1) ?? "text", "--format", FORMATS);
  const wantsBroken = given.switches.get("broken") ?? false;
  if (wantsBroken && format !== "json" && format !== "text")
    throw new AppError("usage", `--broken cannot be drawn as ${format}`, {
      hint: "List them with --format text or json.",
    });
  if (wantsBroken === given.positionals.length > 0)
    throw new AppError(
      "usage",
      wantsBroken ? "--broken looks at all documents and takes no path" : "no document is named",
      { hint: "kb graph <path>, or kb graph --broken" },
    );
  const request = wantsBroken ? undefined : requestOf(given);
  const engine = openCommandEngine(context, { mayUseCwd: false });
  try {
    const answer = request === undefined ? engine.connections.findBroken() : engine.connections.find(request);
    if (format === "json") output.answerJson(answer);
    else if ("broken" in answer) tellBroken(answer, output);
    else tellGraph(answer, format, output);
    return EXIT.done;
  } finally {
    await engine.close();
  }
};

function requestOf({ values, switches, positionals }: StrictArguments) {
  const text = (name: string) => values.get(name)?.at(-1);
  const whole = (name: string) => {
    const value = text(name);
    return value === undefined ? undefined : parseWholeNumber(value, `--${name}`);
  };
  return parseRequest(graphRequestSchema, {
    start: positionals[0],
    depth: whole("depth"),
    fan_out: whole("fan-out"),
    min_similarity: parseSimilarity(text("min-similarity")),
    seed_strategy: text("seed-strategy"),
    category: text("category"),
    topic: text("topic"),
    exclude_paths: values.get("exclude-path"),
    dedup_by_path: switches.get("dedup-by-path"),
    max_nodes: whole("max-nodes"),
    max_seed_chunks: whole("max-seed-chunks"),
  });
}

function parseSimilarity(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new AppError("usage", `--min-similarity takes a number, got ${JSON.stringify(text)}`, {
    hint: "For example: --min-similarity 0.5",
  });
}

function tellGraph(
  answer: ConnectionsAnswer,
  format: Exclude<(typeof FORMATS)[number], "json">,
  output: Output,
) {
  const { degraded_reason: reason, truncation } = answer;
  if (format === "text") {
    output.answer(connectionLines(answer).map(visible).join("\n"));
    return;
  }
  // A drawing has no room for them.
  for (const note of [reason, ...truncation.map(({ detail }) => detail)])
    if (note !== undefined) output.say(`kb: ${visible(note)}`);
  const draw = { dot: formatDot, svg: formatSvg, mermaid: formatMermaid }[format];
  output.answer(draw(answer));
}

function tellBroken({ documents, links, external, broken }: BrokenLinksAnswer, output: Output): void {
  for (const { path, line, target } of broken) output.answer(`${visible(path)}:${line}: ${visible(target)}`);
  output.say(
    `kb: ${broken.length} broken links; ${links} targets in ${documents} documents, ${external} external links not checked`,
  );
}

export const command: Command = { args, run };
