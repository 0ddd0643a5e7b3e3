/**
 * A stream of bytes as lines of text, for the processes of `kb` that talk to each other.
 *
 * What a line means is known to its reader (`question-process.ts`, `question-answers.ts`).
 */

/** Whole lines, without their line feed, as they come; what follows the last line feed is left out. */
export async function* linesOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
