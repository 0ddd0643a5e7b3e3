/**
 * `kb get`: an indexed document on stdout, whole or some lines of it; as it is, except that a
 * terminal gets control characters as harmless text.
 */
import type { ArgsDef } from "citty";
import { documentRequestSchema, parseLines, parseRequest } from "../config/request.ts";
import { openEngine } from "../engine/engine.ts";
import { EXIT } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { visibleLines } from "./visible-text.ts";

const args = {
  path: { type: "positional", description: "Path of an indexed document, as a search prints it" },
  lines: {
    type: "string",
    valueHint: "first:last",
    description: "Only these lines, counted from 1, such as 10:40",
  },
} as const satisfies ArgsDef;

const run: CommandRun = async ({ arguments: { values, positionals }, environment, output }) => {
  const lines = values.get("lines")?.at(-1);
  const request = parseRequest(documentRequestSchema, {
    path: positionals[0],
    ...(lines === undefined ? {} : parseLines(lines)),
  });
  const engine = openEngine({
    root: { named: values.get("kb")?.at(-1), mayUseCwd: false },
    configFile: values.get("config")?.at(-1),
    environment,
  });
  try {
    for (const warning of engine.warnings) output.warn(`kb: ${warning}`);
    const answer = engine.readDocument(request, { maxBytes: Number.POSITIVE_INFINITY });
    if (output.json) output.answerJson(answer);
    else output.answer(output.answersTerminal ? visibleLines(answer.content) : answer.content);
    return EXIT.done;
  } finally {
    await engine.close();
  }
};

export const command: Command = { args, run };
