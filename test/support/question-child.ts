/**
 * A child that embeds questions with the hash embedder, and fails as the question says:
 * `die`, `hang`, `refuse`; `pid` is refused with its id. With the name of a file that does not exist as an argument, it makes
 * that file and dies at its first question.
 */
import { existsSync, writeFileSync } from "node:fs";
import { answerQuestions } from "../../src/engine/questions/question-answers.ts";
import { AppError } from "../../src/errors.ts";
import { HashEmbedder } from "./hash-embedder.ts";

const embedder = new HashEmbedder();
const trace = process.argv[2];

async function embedQuery(text: string): Promise<Float32Array> {
  const mustDie = trace !== undefined && !existsSync(trace);
  if (mustDie) writeFileSync(trace, "");
  if (mustDie || text === "die") process.kill(process.pid, "SIGKILL");
  if (text === "hang") await Bun.sleep(60_000);
  if (text === "pid") throw new AppError("model", String(process.pid));
  if (text === "refuse") throw new AppError("model", "refused", { hint: "Try again." });
  return embedder.embedQuery(text);
}

const questions = Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>;
await answerQuestions({ embedQuery, runtime: embedder.runtime }, questions, (line) =>
  process.stdout.write(line),
);
