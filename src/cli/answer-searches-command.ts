/**
 * `kb answer-searches`: a reader of a server over HTTP; started by it, and no part of the help.
 *
 * Searches come in on stdin and answers go out on stdout, as `engine/readers/reader-lines.ts` says. Signals
 * that end the server do not end what it is still answering: the reader ends with its stdin.
 */
import { openEngine } from "../engine/engine.ts";
import { openQuestionEmbedder } from "../engine/questions/own-embedder.ts";
import { answerSearches } from "../engine/readers/reader-answers.ts";
import { EXIT } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { writeAll } from "./output.ts";

const run: CommandRun = async ({ arguments: { values }, environment }) => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  const root = { named: values.get("kb")?.at(-1), mayUseCwd: false };
  const configFile = values.get("config")?.at(-1);
  await answerSearches(
    (embedder) => openEngine({ root, configFile, environment, isServer: true, embedder }),
    openQuestionEmbedder(environment),
    Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>,
    (line) => writeAll(1, line),
  );
  return EXIT.done;
};

export const command: Command = { args: {}, run };
