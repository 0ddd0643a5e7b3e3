/**
 * What the figures depend on: processor, memory, kernel, and which program was measured.
 *
 * In go the project's folder and the executable; out come plain facts for the report.
 */
import { cpus, loadavg, release, totalmem, type } from "node:os";

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  /** Kernel and its release. */
  readonly system: string;
  /** Mean number of runnable processes in the minute before the start; above 0.5 the figures are doubtful. */
  readonly load: number;
  /** Short hash, marked when the tree has changes; `unknown` outside a clone. */
  readonly sourceCommit: string;
  /** What `kb --version` says: the commit it was built from may be an older one. */
  readonly executable: string;
}

export function describeMachine(project: string, binary: string): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model ?? "unknown",
    cores: processors.length,
    memoryBytes: totalmem(),
    system: `${type()} ${release()}`,
    load: loadavg()[0]!,
    sourceCommit: outputOf(["git", "describe", "--always", "--dirty", "--exclude=*"], project),
    executable: outputOf([binary, "--version"], project),
  };
}

function outputOf(command: readonly string[], cwd: string): string {
  const program = Bun.which(command[0]!);
  if (program === null) return "unknown";
  const { success, stdout } = Bun.spawnSync([program, ...command.slice(1)], { cwd });
  return success ? stdout.toString().trim() : "unknown";
}
