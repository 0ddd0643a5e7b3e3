/**
 * Warm answers of a server while the machine indexes, against those of the same session before.
 *
 * The run beside it is the one that `kb serve` starts itself (low priority, ends with its stdin),
 * on a copy of the folder, from nothing: its text stage, then its vectors, which keep every core
 * busy. Each counted run is one session that asks all questions idle and then busy.
 */
import { type FigureGroup, latencyFigures, percentile, ratios } from "./figure.ts";
import { copyDocuments, folderWithVectors, removeIndex } from "./folders.ts";
import { McpSession } from "./mcp-session.ts";
import { questionsFor } from "./questions.ts";
import type { BenchFolder, Workbench } from "./workbench.ts";

/** One group per folder. */
export async function* measureBusy(bench: Workbench): AsyncGenerator<FigureGroup> {
  for (const folder of bench.folders) yield await measureFolder(bench, folder);
}

/** Whether vectors are made too: without them a run is nearly all reading, parsing and SQL. */
const STAGES = { "text stage": ["--no-vectors"], "vector stage": [] } as const;
type StageName = keyof typeof STAGES;

interface Round {
  readonly idle: readonly number[];
  readonly busy: Readonly<Record<StageName, readonly number[]>>;
}

async function measureFolder(bench: Workbench, folder: BenchFolder): Promise<FigureGroup> {
  const served = await folderWithVectors(bench, folder);
  const indexed = copyDocuments(bench, folder);
  const { japanese, english } = questionsFor(folder.name);
  const questions = [...japanese, ...english];
  const rounds: Round[] = [];
  const count = bench.runs(3);
  for (let round = 1; round <= count; round += 1) {
    bench.say(`busy, ${folder.name}: session ${round} of ${count}`);
    rounds.push(await measureRound(bench, served, indexed, questions));
  }
  return {
    measurement: "busy",
    folder: folder.name,
    facts: [`${questions.length} questions, limit 5, one run is one session`],
    figures: [
      ...latencyFigures(
        "idle",
        rounds.map(({ idle }) => idle),
      ),
      ...(Object.keys(STAGES) as StageName[]).flatMap((stage) => {
        const busy = rounds.map((round) => round.busy[stage]);
        const p95 = (answers: readonly number[]) => percentile(answers, 0.95);
        return [
          ...latencyFigures(stage, busy),
          {
            name: `${stage}: p95 against idle`,
            unit: "times" as const,
            values: ratios(
              busy.map(p95),
              rounds.map(({ idle }) => p95(idle)),
            ),
          },
        ];
      }),
    ],
  };
}

async function measureRound(
  bench: Workbench,
  served: string,
  indexed: string,
  questions: readonly string[],
): Promise<Round> {
  const session = await McpSession.open(bench, served);
  try {
    const ask = async () => {
      const answers: number[] = [];
      for (const question of questions) answers.push(await session.search(question));
      return answers;
    };
    await ask(); // Until the model and the vectors are in memory.
    const idle = await ask();
    return {
      idle,
      busy: {
        "text stage": await besideRun(bench, indexed, "text stage", ask),
        "vector stage": await besideRun(bench, indexed, "vector stage", ask),
      },
    };
  } finally {
    await session.close();
  }
}

/** Begins where the last stage ended, and again from nothing as often as a run ends before all is asked. */
async function besideRun(
  bench: Workbench,
  indexed: string,
  stage: StageName,
  ask: () => Promise<number[]>,
): Promise<number[]> {
  if (stage === "text stage") removeIndex(indexed);
  let isOver = false;
  let running = startRun(bench, indexed, stage);
  const runs = (async () => {
    while ((await running.exited) === 0 && !isOver) {
      removeIndex(indexed);
      running = startRun(bench, indexed, stage);
    }
  })();
  const answers = await ask();
  isOver = true;
  running.stdin.end();
  await runs;
  return answers;
}

function startRun({ binary, environment, place }: Workbench, indexed: string, stage: StageName) {
  return Bun.spawn([binary, "index", indexed, "--while-stdin-open", ...STAGES[stage]], {
    cwd: place,
    env: { ...environment },
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
}
