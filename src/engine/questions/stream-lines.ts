/**
 * A stream of bytes as lines of text, for the processes of `kb` that talk to each other.
 *
 * What a line means is known to its reader (`question-process.ts`, `question-answers.ts`).
 */

/** A child process that is told something, line by line. */
interface Listener {
  readonly stdin: { write(text: string): unknown; flush(): unknown };
  kill(signal: "SIGKILL"): void;
}

/**
 * Sends a line. One that has died without anybody having noticed cannot be told anything; it is killed
 * then, so that its end is noticed, where all that wait for it are told.
 */
export function sendLine(child: Listener, line: string): void {
  const giveUp = () => child.kill("SIGKILL");
  try {
    child.stdin.write(`${line}\n`);
    Promise.resolve(child.stdin.flush()).catch(giveUp);
  } catch {
    giveUp();
  }
}

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
