/**
 * `kb search`: a query in, cited passages out, as text or as the wire form.
 */
import type { ArgsDef } from "citty";
import {
  parseChoice,
  parseRequest,
  parseWholeNumber,
  QUERY_MAX_BYTES,
  searchRequestSchema,
} from "../config/request.ts";
import { REFRESH_POLICIES } from "../engine/indexing/refresh.ts";
import { StageTimes } from "../engine/search/stage-times.ts";
import { AppError, EXIT } from "../errors.ts";
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
  "span-unit": {
    type: "string",
    valueHint: "byte|utf16|codepoint",
    description: "Unit of match_spans in --json (default byte)",
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
  const spanUnit = values.get("span-unit")?.at(-1);
  const refresh = parseChoice(values.get("refresh")?.at(-1) ?? "auto", "--refresh", REFRESH_POLICIES);
  const query = typed === "-" ? (await readStandardInput(QUERY_MAX_BYTES)).replace(/\r?\n$/, "") : typed;
  const request = parseRequest(searchRequestSchema, {
    query,
    ...(limit === undefined ? {} : { limit: parseWholeNumber(limit, "--limit") }),
    ...(globs === undefined ? {} : { path_globs: globs }),
    ...filterArguments({ values, switches }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(spanUnit === undefined ? {} : { span_unit: spanUnit }),
  });

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

export const command: Command = { args, run };
