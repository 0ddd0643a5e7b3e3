/**
 * The running server: its start, its memory, and how long warm answers take.
 *
 * Each session asks every question twice; only the second time counts. Questions are in
 * `questions.ts`, the protocol in `mcp-session.ts`.
 */
import { type Figure, type FigureGroup, latencyFigures } from "./figure.ts";
import { folderWithVectors, indexToTextRatio } from "./folders.ts";
import { McpSession, type Memory } from "./mcp-session.ts";
import { type Questions, questionsFor } from "./questions.ts";
import type { Language } from "./synthetic-text.ts";
import type { BenchFolder, Workbench } from "./workbench.ts";

/** One group per folder. */
export async function* measureServe(bench: Workbench): AsyncGenerator<FigureGroup> {
  for (const folder of bench.folders) yield await measureFolder(bench, folder);
}

const LANGUAGES: readonly Language[] = ["japanese", "english"];
const MEMORY_POINTS = ["idle", "after 1 query", "after 100 queries"] as const;
type MemoryPoint = (typeof MEMORY_POINTS)[number];

/** What one session that answered questions gave. */
interface SessionFigures {
  readonly memory: ReadonlyMap<MemoryPoint, Memory>;
  /** Milliseconds of every counted answer. */
  readonly answers: Readonly<Record<Language, readonly number[]>>;
}

async function measureFolder(bench: Workbench, folder: BenchFolder): Promise<FigureGroup> {
  const root = await folderWithVectors(bench, folder);
  const questions = questionsFor(folder.name);
  bench.say(`serve, ${folder.name}: starts`);
  const starts = await measureStarts(bench, root);
  const sessions: SessionFigures[] = [];
  const rounds = bench.runs(3);
  for (let round = 1; round <= rounds; round += 1) {
    bench.say(`serve, ${folder.name}: session ${round} of ${rounds}`);
    sessions.push(await measureSession(bench, root, questions));
  }
  return {
    measurement: "serve",
    folder: folder.name,
    facts: [
      `${questions.japanese.length} Japanese and ${questions.english.length} English questions, limit 5, one run is one session`,
    ],
    figures: [
      ...starts,
      ...memoryFigures(sessions),
      ...LANGUAGES.flatMap((language) =>
        latencyFigures(
          language === "japanese" ? "Japanese question" : "English question",
          sessions.map(({ answers }) => answers[language]),
        ),
      ),
      { name: "index size with vectors / text size", unit: "times", values: [indexToTextRatio(root)] },
    ],
  };
}

async function measureStarts(bench: Workbench, root: string): Promise<Figure[]> {
  const initialize: number[] = [];
  const tools: number[] = [];
  const rounds = bench.runs(10);
  for (let round = 0; round <= rounds; round += 1) {
    const session = await McpSession.open(bench, root);
    const { ms } = await session.request("tools/list");
    await session.close();
    if (round === 0) continue;
    initialize.push(session.initializeMs);
    tools.push(ms);
  }
  return [
    { name: "initialize answered after the start", unit: "milliseconds", values: initialize },
    { name: "tools/list, first of a session", unit: "milliseconds", values: tools },
  ];
}

async function measureSession(bench: Workbench, root: string, questions: Questions): Promise<SessionFigures> {
  const session = await McpSession.open(bench, root);
  const memory = new Map<MemoryPoint, Memory>();
  const answers: Record<Language, number[]> = { japanese: [], english: [] };
  const note = (point: MemoryPoint) => {
    const found = session.findMemory();
    if (found !== undefined) memory.set(point, found);
  };
  try {
    await session.request("tools/list");
    note("idle");
    let asked = 0;
    for (const isCounted of [false, true])
      for (const language of LANGUAGES)
        for (const question of questions[language]) {
          const ms = await session.search(question);
          if (isCounted) answers[language].push(ms);
          asked += 1;
          if (asked === 1) note("after 1 query");
          if (asked === 100) note("after 100 queries");
        }
  } finally {
    await session.close();
  }
  return { memory, answers };
}

function memoryFigures(sessions: readonly SessionFigures[]): Figure[] {
  return MEMORY_POINTS.flatMap((point) => {
    const found = sessions.flatMap(({ memory }) => memory.get(point) ?? []);
    if (found.length === 0) return [];
    const megabytes = (read: (memory: Memory) => number) => found.map((memory) => read(memory) / 1e6);
    return [
      { name: `memory ${point}`, unit: "megabytes", values: megabytes(({ resident }) => resident) },
      { name: `memory ${point}: without files`, unit: "megabytes", values: megabytes(({ own }) => own) },
    ] satisfies Figure[];
  });
}
