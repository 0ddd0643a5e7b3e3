/**
 * One run of the executable, measured from outside: wall time, processor time, peak memory.
 *
 * Figures come from the clock around the process and from what the system accounts for it
 * (`launcher.ts`). Every run is shut off from this user's home; the unpacking folder is warm
 * unless a run brings its own. Sessions of `kb serve` are `mcp-session.ts`.
 */
import { join } from "node:path";
import type { Figure } from "./figure.ts";
import type { Launched } from "./launcher.ts";
import type { Workbench } from "./workbench.ts";

/**
 * Runs `kb` to its end, with nothing on stdin.
 *
 * @param environment Added to the isolated one.
 * @throws {Error} With what it said, if it ends with another code than 0.
 */
export function runKb(
  bench: Workbench,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Launched> {
  return launch(bench, [bench.binary, ...args], environment);
}

/** The same for any command. */
export async function launch(
  { environment: isolated, place }: Workbench,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Launched> {
  const launcher = Bun.spawn([process.execPath, join(import.meta.dir, "launcher.ts"), ...command], {
    cwd: place,
    env: { ...isolated, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const launched = JSON.parse(await new Response(launcher.stdout).text()) as Launched;
  const { code, stdout, stderr } = launched;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}\n${stdout}\n${stderr}`);
  return launched;
}

/**
 * Repeats a run, after one that is not counted.
 *
 * @param before Puts things back to where each run starts; not measured.
 */
export async function repeatRun(
  runs: number,
  run: () => Promise<Launched>,
  before: () => void = () => {},
): Promise<Launched[]> {
  const measured: Launched[] = [];
  for (let round = 0; round <= runs; round += 1) {
    before();
    const result = await run();
    if (round > 0) measured.push(result);
  }
  return measured;
}

/** Wall time, processor time and peak memory of the same runs. */
export function processFigures(
  name: string,
  runs: readonly Launched[],
  unit: "seconds" | "milliseconds",
): Figure[] {
  const divisor = unit === "seconds" ? 1000 : 1;
  return [
    { name, unit, values: runs.map(({ wallMs }) => wallMs / divisor) },
    { name: `${name}: user + system`, unit, values: runs.map(({ cpuMs }) => cpuMs / divisor) },
    { name: `${name}: peak memory`, unit: "megabytes", values: runs.map(({ peakBytes }) => peakBytes / 1e6) },
  ];
}
