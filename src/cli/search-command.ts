/**
 * `kb search`: a query in, cited passages out, as text or as the wire form.
 */
import type { ArgsDef } from "citty";
import {
  parseChoice,
  parseNumber,
  parseRequest,
  parseWholeNumber,
  QUERY_MAX_BYTES,
  SPAN_UNITS,
  searchRequestSchema,
} from "../config/request.ts";
import { REFRESH_POLICIES } from "../engine/indexing/refresh.ts";
import { StageTimes } from "../engine/search/stage-times.ts";
import { AppError, EXIT } from "../errors.ts";
import type { StrictArguments } from "./arguments.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { FILTER_ARGS, filterArguments } from "./filter-arguments.ts";
import { describeLimits, formatAnswer } from "./hit-text.ts";
import { readStandardInput } from "./standard-input.ts";
import { formatTimes } from "./timing-text.ts";

const args = {
  query: {
    type: "positional",
    description: 'What to look for; "quoted text" is searched for verbatim; - reads it from stdin',
  },
  limit: {
    type: "string",
    alias: "n",
    valueHint: "hits",
    description: "How many hits (default 5, at most 1000)",
  },
  "path-glob": {
    type: "string",
    valueHint: "glob",
    description: "Only documents whose path matches, such as 'docs/**'; !glob leaves out; may be repeated",
  },
  ...FILTER_ARGS,
  exclude: {
    type: "string",
    valueHint: "text",
    description: "Leave out passages that contain this text; may be repeated",
  },
  "min-confidence": {
    type: "string",
    valueHint: "0..1",
    description: "Print nothing unless the answer is at least this sure",
  },
  "span-unit": {
    type: "string",
    valueHint: "byte|utf16|codepoint",
    description: "Unit of match_spans in --json (default byte)",
  },
  "group-by": {
    type: "string",
    valueHint: "document|none",
    description: "Every passage by itself (none, the default) or one hit for each document",
  },
  mmr: {
    type: "boolean",
    description: "Choose varied hits: what is like one above it waits",
  },
  "mmr-lambda": {
    type: "string",
    valueHint: "0-1",
    description: "With --mmr: weight of relevance against novelty (default 0.7)",
  },
  "mmr-same-doc-penalty": {
    type: "string",
    valueHint: "0-1",
    description: "With --mmr and --group-by none: taken off further passages of a document (default 0)",
  },
  parent: {
    type: "boolean",
    description: "Show hits with their surroundings: the rest of the section, then its siblings",
  },
  explain: {
    type: "boolean",
    description: "Say how each score came about",
  },
  refresh: {
    type: "string",
    valueHint: REFRESH_POLICIES.join("|"),
    description:
      "Bring the index up to date first: a few changes of a small folder (auto, the default), none, or all",
  },
  "explain-timing": {
    type: "boolean",
    description: "Say on stderr where the time went, stage by stage",
  },
} as const satisfies ArgsDef;

const run: CommandRun = async (context) => {
  const {
    arguments: { values, switches, positionals },
    output,
  } = context;
  const [typed = ""] = positionals;
  const limit = values.get("limit")?.at(-1);
  const globs = values.get("path-glob");
  const exclude = values.get("exclude");
  const minConfidence = values.get("min-confidence")?.at(-1);
  const spanUnit = values.get("span-unit")?.at(-1);
  const refresh = parseChoice(values.get("refresh")?.at(-1) ?? "auto", "--refresh", REFRESH_POLICIES);
  const query = typed === "-" ? (await readStandardInput(QUERY_MAX_BYTES)).replace(/\r?\n$/, "") : typed;
  const request = parseRequest(
    searchRequestSchema,
    {
      query,
      ...(limit === undefined ? {} : { limit: parseWholeNumber(limit, "--limit") }),
      ...(globs === undefined ? {} : { path_globs: globs }),
      ...filterArguments({ values, switches }),
      ...(exclude === undefined ? {} : { exclude }),
      ...(minConfidence === undefined
        ? {}
        : { min_confidence_ratio: parseNumber(minConfidence, "--min-confidence") }),
      ...(spanUnit === undefined ? {} : { span_unit: parseChoice(spanUnit, "--span-unit", SPAN_UNITS) }),
      ...answerForm(context.arguments),
    },
    "See: kb search --help",
  );

  const times = switches.get("explain-timing") ? new StageTimes() : undefined;
  times?.mark("starting the process");
  const engine = openCommandEngine(context, { mayUseCwd: false });
  times?.mark("settings");
  try {
    let changedPath: string | undefined;
    const answer = await engine.search(request, {
      times,
      refresh,
      onChangedDocument: (path) => {
        changedPath = path;
      },
    });
    if (answer.index.state === "missing")
      throw new AppError("missing", `no index for ${engine.root}`, {
        hint: `Make one with: kb index ${engine.root}`,
      });
    if (output.json) output.answerJson(answer);
    else output.answer(formatAnswer(answer, output));
    if (!output.json)
      for (const note of describeLimits(answer, engine.root, changedPath)) output.say(`kb: ${note}`);
    times?.mark("printing");
    if (times !== undefined) output.warn(formatTimes(times));
    return EXIT.done;
  } finally {
    await engine.close();
  }
};

/** The flags that say how the answer is to look, as the request's fields. */
function answerForm({ values, switches }: StrictArguments): Record<string, unknown> {
  const groupBy = values.get("group-by")?.at(-1);
  const given: Record<string, unknown> = {
    group_by: groupBy,
    mmr: switches.get("mmr"),
    mmr_lambda: numberOf("mmr-lambda"),
    mmr_same_doc_penalty: numberOf("mmr-same-doc-penalty"),
    parent_retriever: switches.get("parent"),
    explain: switches.get("explain"),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

  function numberOf(flag: string): number | undefined {
    const text = values.get(flag)?.at(-1);
    return text === undefined ? undefined : parseNumber(text, `--${flag}`);
  }
}

export const command: Command = { args, run };
