/**
 * The child's side of `question-process.ts`: questions from a stream, vectors to another.
 *
 * Ends when the questions do. A question that cannot be embedded is answered with the
 * reason; only a crash ends the process before its time.
 */
import type { Embedder } from "../../core/embedder.ts";
import { AppError, messageOf } from "../../errors.ts";
import type { AnswerLine, QuestionLine } from "./question-process.ts";
import { linesOf } from "./stream-lines.ts";

/**
 * @param questions Lines of JSON, in parts as they come.
 * @param write Gets one whole line at a time, with its line feed.
 */
export async function answerQuestions(
  embedder: Pick<Embedder, "embedQuery" | "runtime">,
  questions: AsyncIterable<Uint8Array>,
  write: (line: string) => void,
): Promise<void> {
  for await (const line of linesOf(questions)) write(`${JSON.stringify(await answerOf(embedder, line))}\n`);
}

async function answerOf(
  embedder: Pick<Embedder, "embedQuery" | "runtime">,
  line: string,
): Promise<AnswerLine> {
  try {
    const { text } = JSON.parse(line) as QuestionLine;
    const vector = await embedder.embedQuery(text);
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    return { vector: bytes.toBase64(), runtime: embedder.runtime };
  } catch (thrown) {
    if (thrown instanceof AppError)
      return { failure: { code: thrown.code, message: thrown.message, hint: thrown.hint } };
    return { failure: { code: "model", message: `a question could not be embedded: ${messageOf(thrown)}` } };
  }
}
