/**
 * `kb get`: an indexed document on stdout, whole or some lines of it; as it is, except that a
 * terminal gets control characters as harmless text.
 */
import type { ArgsDef } from "citty";
import { documentRequestSchema, parseLines, parseRequest } from "../config/request.ts";
import { visibleLines } from "../core/visible-text.ts";
import { EXIT } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";

const args = {
  path: { type: "positional", description: "Path of an indexed document, as a search prints it" },
  lines: {
    type: "string",
    valueHint: "first:last",
    description: "Only these lines, counted from 1, such as 10:40",
  },
  heading: {
    type: "string",
    valueHint: "text",
    description: "Only the section under this heading; words of it are enough, and A > B names B below A",
  },
} as const satisfies ArgsDef;

const run: CommandRun = async (context) => {
  const {
    arguments: { values, positionals },
    output,
  } = context;
  const lines = values.get("lines")?.at(-1);
  const heading = values.get("heading")?.at(-1);
  const request = parseRequest(documentRequestSchema, {
    path: positionals[0],
    ...(lines === undefined ? {} : parseLines(lines)),
    ...(heading === undefined ? {} : { heading }),
  });
  const engine = openCommandEngine(context, { mayUseCwd: false });
  try {
    const answer = engine.readDocument(request, { maxBytes: Number.POSITIVE_INFINITY });
    if (output.json) output.answerJson(answer);
    else output.answer(output.answersTerminal ? visibleLines(answer.content) : answer.content);
    return EXIT.done;
  } finally {
    await engine.close();
  }
};

export const command: Command = { args, run };
