/**
 * Indexing beside a server: `kb index` in a child process of the same executable.
 *
 * A crash of a native library or the memory of a parser then cannot take the server down,
 * and searches go on meanwhile. The child ends when its stdin closes, so it never outlives
 * the server, however that ends. What the child does is `index-folder.ts`; when it is
 * started is decided in `background-updates.ts`.
 */
import { messageOf } from "../../errors.ts";
import { ownCommand } from "../own-command.ts";

export interface BackgroundIndexOptions {
  readonly root: string;
  readonly configFile: string | undefined;
  /** Whether every file is read again. */
  readonly verify: boolean;
  /** Gets what the child said when it failed; for the owner of the server. */
  readonly report: (text: string) => void;
  /** Whether the text stage of a run that began then is done, in milliseconds since 1970. */
  readonly hasStoredText: (beganAt: number) => boolean;
  /** Told the process that had to be killed, so that nothing it had in hand is blamed for its end. */
  readonly forgetWork: (pid: number) => void;
}

export interface BackgroundIndex {
  readonly isRunning: boolean;
  /** Whether it has ended without being asked and without being done. */
  readonly hasFailed: boolean;
  /** Whether it has ended early for another to follow. */
  readonly hasMadeWay: boolean;
  /** Never rejects. */
  readonly finished: Promise<void>;
  /**
   * Asks the child to stop if only vectors are left to be made, which the next run goes on with.
   *
   * @returns Whether it stops.
   */
  makeWay(): boolean;
  /** Asks the child to stop, makes it after a second, and waits until it has; what it wrote stays valid. */
  stop(): Promise<void>;
}

/** Starts one run. Its failure is reported, never thrown: the server answers with what it has. */
export function startBackgroundIndex(options: BackgroundIndexOptions): BackgroundIndex {
  const { root, configFile, verify, report, hasStoredText, forgetWork } = options;
  const config = configFile === undefined ? [] : ["--config", configFile];
  const beganAt = Date.now();
  const child = spawnIndex(root, verify ? [...config, "--verify"] : config, report);
  if (child === undefined) return NOT_STARTED;
  let isRunning = true;
  let hasFailed = false;
  let isStopped = false;
  let hasMadeWay = false;
  const finished = (async () => {
    const said = await new Response(child.stderr).text();
    const code = await child.exited;
    isRunning = false;
    const wasAsked = isStopped || code === 130 || child.signalCode === "SIGTERM";
    hasFailed = code !== 0 && !wasAsked;
    if (said.trim() !== "" || hasFailed) report(`indexing ${root} ended with code ${code}: ${said.trim()}`);
  })();
  const stop = async () => {
    if (!isRunning) return;
    isStopped = true;
    await stopIndexProcess(child);
    await finished;
    if (child.signalCode === "SIGKILL") forgetWork(child.pid);
  };
  return {
    finished,
    stop,
    get isRunning() {
      return isRunning;
    },
    get hasFailed() {
      return hasFailed;
    },
    get hasMadeWay() {
      return hasMadeWay;
    },
    makeWay() {
      if (!isRunning || !hasStoredText(beganAt)) return false;
      hasMadeWay = true;
      void stop();
      return true;
    },
  };
}

/** Asks the child to stop, makes it after a second, and waits until it has. */
export async function stopIndexProcess(
  child: Bun.Subprocess<"pipe", "pipe" | "ignore", "pipe">,
): Promise<void> {
  child.stdin.end();
  child.kill("SIGTERM");
  const lastResort = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await child.exited;
  clearTimeout(lastResort);
}

/** Killing is harmless, and whoever waits for the server's end does not wait long. */
const STOP_WITHIN_MS = 1000;

const NOT_STARTED: BackgroundIndex = {
  isRunning: false,
  hasFailed: true,
  hasMadeWay: false,
  finished: Promise.resolve(),
  makeWay: () => false,
  stop: () => Promise.resolve(),
};

/** Undefined if the executable cannot be started, such as after it was removed. */
function spawnIndex(root: string, more: readonly string[], report: (text: string) => void) {
  try {
    return Bun.spawn([...ownCommand(), "index", root, "--quiet", "--while-stdin-open", ...more], {
      stdin: "pipe",
      stdout: "ignore",
      stderr: "pipe",
    });
  } catch (thrown) {
    report(`indexing ${root} could not be started: ${messageOf(thrown)}`);
    return undefined;
  }
}
