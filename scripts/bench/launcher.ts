/**
 * A program of its own between the bench and the process it measures.
 *
 * Linux counts the memory of the process that starts another into the peak of the one it
 * starts. This one is smaller than any run of `kb`, while the bench may hold a model. In go
 * a command's arguments, out comes its `Launched` as JSON. Who starts it is `kb-process.ts`.
 */

/** How a command ended and what it took. */
export interface Launched {
  readonly code: number;
  readonly wallMs: number;
  /** User and system time of all threads. */
  readonly cpuMs: number;
  readonly peakBytes: number;
  readonly stdout: string;
  readonly stderr: string;
}

if (import.meta.main) {
  const startedAt = performance.now();
  const child = Bun.spawn(process.argv.slice(2), { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const outputs = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  const wallMs = performance.now() - startedAt;
  const [stdout, stderr] = await outputs;
  const { cpuTime, maxRSS: peakBytes } = child.resourceUsage()!;
  // The accounts are in microseconds.
  const cpuMs = Number(cpuTime.user + cpuTime.system) / 1000;
  console.log(JSON.stringify({ code, wallMs, cpuMs, peakBytes, stdout, stderr } satisfies Launched));
}
