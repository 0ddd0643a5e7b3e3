/**
 * Indexing beside a server: `kb index` in a child process of the same executable.
 *
 * A crash of a native library or the memory of a parser then cannot take the server down,
 * and searches go on meanwhile. The child ends when its stdin closes, so it never outlives
 * the server, however that ends. What the child does is `index-folder.ts`.
 */
import { ownCommand } from "./own-command.ts";

export interface BackgroundIndexOptions {
  readonly root: string;
  readonly configFile: string | undefined;
  /** Gets what the child said when it failed; for the owner of the server. */
  readonly report: (text: string) => void;
}

export interface BackgroundIndex {
  readonly isRunning: boolean;
  /** Settled when the child has ended by itself, failed, or was stopped. */
  readonly finished: Promise<void>;
  /** Asks the child to stop, and waits until it has. */
  stop(): Promise<void>;
}

/** Starts one run. Its failure is reported, never thrown: the server answers with what it has. */
export function startBackgroundIndex({ root, configFile, report }: BackgroundIndexOptions): BackgroundIndex {
  const config = configFile === undefined ? [] : ["--config", configFile];
  const child = Bun.spawn([...ownCommand(), "index", root, "--quiet", "--while-stdin-open", ...config], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  let isRunning = true;
  const finished = (async () => {
    const said = await new Response(child.stderr).text();
    const code = await child.exited;
    isRunning = false;
    const wasAsked = code === 130 || child.signalCode === "SIGTERM";
    if (said.trim() !== "" || (code !== 0 && !wasAsked))
      report(`indexing ${root} ended with code ${code}: ${said.trim()}`);
  })();
  return {
    get isRunning() {
      return isRunning;
    },
    finished,
    async stop() {
      if (!isRunning) return;
      child.stdin.end();
      child.kill("SIGTERM");
      await finished;
    },
  };
}
