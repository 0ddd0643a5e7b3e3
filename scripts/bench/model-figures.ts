/**
 * The model on either runtime: session, query, passages, memory.
 *
 * Each run is a process of its own, and the runtimes take turns, so that their ratio does
 * not depend on the hour. What is run is `model-program.ts`.
 */
import { join } from "node:path";
import type { RuntimeKind } from "../../src/core/embedder.ts";
import type { Figure, FigureGroup } from "./figure.ts";
import { launch } from "./kb-process.ts";
import { type ModelRun, PASSAGE_TOKENS, QUERY_TOKENS, WORKERS } from "./model-program.ts";
import type { Workbench } from "./workbench.ts";

const RUNTIMES: readonly RuntimeKind[] = ["native", "wasm"];

type MeasuredRun = ModelRun & { readonly peakBytes: number };

/** One group per runtime. */
export async function* measureModel(bench: Workbench): AsyncGenerator<FigureGroup> {
  const runs: Record<RuntimeKind, MeasuredRun[]> = { native: [], wasm: [] };
  const rounds = bench.runs(5);
  for (let round = 0; round <= rounds; round += 1) {
    bench.say(`model: round ${round} of ${rounds}${round === 0 ? ", not counted" : ""}`);
    for (const runtime of RUNTIMES) {
      const run = await runModel(bench, runtime);
      if (round > 0) runs[runtime].push(run);
    }
  }
  for (const runtime of RUNTIMES)
    yield {
      measurement: `model, ${runtime}`,
      folder: null,
      facts: [`from source; passages by ${WORKERS} workers, which are warm; memory is of the whole process`],
      figures: figuresOf(runs[runtime]),
    };
}

async function runModel(bench: Workbench, runtime: RuntimeKind): Promise<MeasuredRun> {
  const program = join(import.meta.dir, "model-program.ts");
  const { stdout, peakBytes } = await launch(bench, [
    process.execPath,
    program,
    runtime,
    join(bench.place, "cache"),
  ]);
  return { ...(JSON.parse(stdout) as ModelRun), peakBytes };
}

function figuresOf(runs: readonly MeasuredRun[]): Figure[] {
  return [
    { name: "cold session", unit: "milliseconds", values: runs.map(({ sessionMs }) => sessionMs) },
    {
      name: `query of ${QUERY_TOKENS} tokens`,
      unit: "milliseconds",
      values: runs.map(({ queryMs }) => queryMs),
    },
    ...PASSAGE_TOKENS.map((tokens): Figure => {
      return {
        name: `passages of ${tokens} tokens a second`,
        unit: "per-second",
        values: runs.map(({ rates }) => rates[tokens]!),
      };
    }),
    { name: "peak memory", unit: "megabytes", values: runs.map(({ peakBytes }) => peakBytes / 1e6) },
  ];
}
