/**
 * Starts `store-program.ts` in a process of its own.
 */
import { join } from "node:path";

export interface RunningProgram {
  readonly pid: number;
  /** The next line it prints; empty at its end. */
  nextLine(): Promise<string>;
  /** Everything it prints until its end. */
  answer(): Promise<string>;
  kill(): Promise<void>;
}

export function startProgram(verb: string, path: string, argument = ""): RunningProgram {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "store-program.ts"), verb, path, argument],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  const lines = linesOf(child.stdout);
  return {
    pid: child.pid,
    async nextLine() {
      const { value } = await lines.next();
      return value ?? "";
    },
    async answer() {
      return (await Array.fromAsync(lines)).join("\n");
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
  if (rest !== "") yield rest;
}
