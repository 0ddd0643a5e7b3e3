/**
 * `kb embed-questions`: what `kb serve` starts to embed the questions it gets; not for people.
 *
 * Lines of JSON in, lines of JSON out, until stdin closes.
 */
import { openQuestionEmbedder } from "../engine/questions/own-embedder.ts";
import { answerQuestions } from "../engine/questions/question-answers.ts";
import { EXIT } from "../errors.ts";
import type { Command, CommandRun } from "./command.ts";
import { writeAll } from "./output.ts";

const run: CommandRun = async ({ environment }) => {
  const embedder = openQuestionEmbedder(environment);
  const questions = Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>;
  await answerQuestions(embedder, questions, (line) => writeAll(1, line));
  await embedder.close();
  return EXIT.done;
};

export const command: Command = { args: {}, run };
