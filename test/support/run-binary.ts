/**
 * Runs the compiled program as a user would, but shut off from this user's home.
 *
 * In go arguments, working directory and the odd extra; out come exit code, stdout
 * and stderr. One unpacking folder is shared by all runs, because filling it is slow
 * and is tested on its own. Talking to `kb serve` is done in `mcp-client.ts`.
 */
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const DIST = join(import.meta.dir, "..", "..", "dist");

/** The compiled program; the tests that use it need `bun scripts/build.ts` first. */
export const BINARY: string = join(DIST, process.platform === "win32" ? "kb.exe" : "kb");

/** Parsed JSON of an answer; its shape is what the tests are about. */
// biome-ignore lint/suspicious/noExplicitAny: a narrower type would assert the shape before the test does.
export type WireValue = any;

export interface RunOptions {
  readonly cwd?: string;
  /** Added to the isolated environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Uint8Array;
  /** Runs without privileges, under this user and group id. */
  readonly uid?: number;
  /** Another executable than the compiled one, such as a copy or a wrapper around it. */
  readonly command?: readonly string[];
  /** It is killed after this, in milliseconds; after five minutes if not given. */
  readonly timeoutMs?: number;
}

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment of every run: an empty home, a shared unpacking folder, no colour, nothing inherited. */
export function isolatedEnvironment(
  extra: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const home = join(DIST, "test-home");
  mkdirSync(home, { recursive: true });
  const all = { PATH: "/usr/bin:/bin", HOME: home, KB_CACHE_DIR: join(DIST, "test-cache"), ...extra };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Starts the program and leaves it running; stdin, stdout and stderr are pipes. */
export function startKb(args: readonly string[], options: RunOptions = {}) {
  checkBuilt();
  return Bun.spawn([...(options.command ?? [BINARY]), ...args], {
    cwd: options.cwd ?? "/",
    env: isolatedEnvironment(options.env),
    stdin: options.stdin === undefined ? "pipe" : Buffer.from(options.stdin),
    stdout: "pipe",
    stderr: "pipe",
    timeout: options.timeoutMs ?? RUN_TIMEOUT_MS,
    killSignal: "SIGKILL",
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
}

/** Runs the program to its end, with nothing on stdin unless given. */
export async function runKb(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = startKb(args, { stdin: "", ...options });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/**
 * Runs the program and reads stdout as one JSON document.
 *
 * @throws {Error} If the exit code is another than expected, with what the program said.
 */
export async function runJson(
  args: readonly string[],
  options: RunOptions = {},
  expectedCode = 0,
): Promise<WireValue> {
  const result = await runKb([...args, "--json"], options);
  if (result.code !== expectedCode)
    throw new Error(
      `kb ${args.join(" ")} ended with ${result.code}, expected ${expectedCode}\n${result.stdout}\n${result.stderr}`,
    );
  return JSON.parse(result.stdout);
}

/**
 * Options for a run by somebody to whom permissions apply: `nobody` when the tests run as
 * root, else this user.
 *
 * @param folder Writable by everybody; gets a copy of the program, a home and an unpacking folder.
 */
export function asPlainUser(folder: string): RunOptions {
  if (process.getuid?.() !== 0) return {};
  const command = join(folder, "kb-copy");
  copyFileSync(BINARY, command);
  chmodSync(command, 0o755);
  const home = join(folder, "home-of-nobody");
  mkdirSync(home, { recursive: true });
  chownSync(home, NOBODY, NOBODY);
  return { uid: NOBODY, command: [command], env: { HOME: home, KB_CACHE_DIR: join(home, "cache") } };
}

const NOBODY = 65534;

/** Only so that no run outlives the tests; nothing is asserted about time. */
const RUN_TIMEOUT_MS = 300_000;

function checkBuilt(): void {
  if (!existsSync(BINARY)) throw new Error(`${BINARY} is not there; make it with: bun scripts/build.ts`);
}
