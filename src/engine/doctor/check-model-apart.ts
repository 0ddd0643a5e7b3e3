/**
 * The check of the model in a process of its own, since a native library may end the one it is in.
 *
 * In goes the command that makes the check (`kb doctor --model-only`); what it found is taken over.
 * If the process dies instead, or hangs, that is the finding, and WebAssembly is tried. The
 * check itself is `check-model.ts`.
 */
import type { RuntimeKind } from "../../core/embedder.ts";
import { findBrokenModel } from "./check-model.ts";
import type { Examination, Fact, Finding } from "./examination.ts";

export interface ModelCheckCommand {
  /** Prints a report of the doctor as JSON. */
  readonly command: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly wanted: RuntimeKind | undefined;
}

/** @throws If the command cannot be started or prints something else. */
export async function checkModelApart(
  examination: Examination,
  { command, variables, wanted }: ModelCheckCommand,
): Promise<void> {
  const first = await runCheck(command, variables);
  if (typeof first !== "string") {
    examination.include(first);
    return;
  }
  const second = wanted === "wasm" ? first : await runCheck(command, { ...variables, KB_RUNTIME: "wasm" });
  if (typeof second === "string") {
    findBrokenModel(examination, second);
    return;
  }
  examination.include(second);
  examination.find({
    id: "runtime",
    severity: "error",
    sentence: `the native library of the model does not work on this machine: ${first}`,
    remedy: "Set KB_RUNTIME=wasm, and please report this.",
  });
}

/** Loading and two short texts take a second at most, where nothing hangs. */
const TIMEOUT_MS = 60_000;

interface PartialReport {
  readonly facts: readonly Fact[];
  readonly findings: readonly Finding[];
}

/** @returns What was found, or how the process ended without a report. */
async function runCheck(
  command: readonly string[],
  env: ModelCheckCommand["variables"],
): Promise<PartialReport | string> {
  const child = Bun.spawn([...command], {
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const startedAt = performance.now();
  const text = await new Response(child.stdout).text();
  const code = await child.exited;
  if (performance.now() - startedAt >= TIMEOUT_MS) return `it hangs (for ${TIMEOUT_MS / 1000} s)`;
  if (child.signalCode !== null) return `it ends the process (${child.signalCode})`;
  if (code !== 0 && code !== 1) return `it ends the process (exit code ${code})`;
  return JSON.parse(text) as PartialReport;
}
