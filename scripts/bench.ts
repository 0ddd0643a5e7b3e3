/**
 * `npm run bench -- [what…] [--folder name=path …] [--runs n] [--json]`: measures dist/kb.
 *
 * What: text, vectors, model, cold, serve, busy, expansion; all of them if none is named. Folders are
 * copied and never written to; without any, made-up notes take their place. Figures go to
 * stdout, what is going on to stderr. Run it on a machine that does nothing else.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type BenchArguments, parseBenchArguments } from "./bench/arguments.ts";
import { measureBusy } from "./bench/busy-figures.ts";
import { measureCold } from "./bench/cold-figures.ts";
import { measureExpansion } from "./bench/expansion-figures.ts";
import type { FigureGroup } from "./bench/figure.ts";
import { describeMachine } from "./bench/machine.ts";
import { measureModel } from "./bench/model-figures.ts";
import { formatGroup, formatHead, reportJson } from "./bench/report.ts";
import { measureServe } from "./bench/serve-figures.ts";
import { writeNotes } from "./bench/synthetic-folder.ts";
import { measureText } from "./bench/text-figures.ts";
import { measureVectors } from "./bench/vector-figures.ts";
import type { Measurement, Workbench } from "./bench/workbench.ts";

const PROJECT = resolve(import.meta.dir, "..");
const BINARY = join(PROJECT, "dist", process.platform === "win32" ? "kb.exe" : "kb");

const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  text: measureText,
  vectors: measureVectors,
  model: measureModel,
  cold: measureCold,
  serve: measureServe,
  busy: measureBusy,
  expansion: measureExpansion,
};

let parsed: BenchArguments;
try {
  parsed = parseBenchArguments(process.argv.slice(2), Object.keys(MEASUREMENTS));
} catch (thrown) {
  console.error(`bench: ${thrown instanceof Error ? thrown.message : thrown}`);
  process.exit(2);
}

const place = mkdtempSync(join(tmpdir(), "kb-bench-"));
const cleanUp = () => rmSync(place, { recursive: true, force: true });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    cleanUp();
    process.exit(130);
  });
try {
  if (!existsSync(BINARY)) await build();
  await main(parsed);
} finally {
  cleanUp();
}

async function main({ measurements, folders, runs, isJson }: BenchArguments): Promise<void> {
  const machine = describeMachine(PROJECT, BINARY);
  const date = new Date();
  if (!isJson) console.log(formatHead(machine, date));
  const bench: Workbench = {
    binary: BINARY,
    place,
    environment: { PATH: "/usr/bin:/bin", HOME: makeFolder("home"), KB_CACHE_DIR: makeFolder("cache") },
    folders: folders.length > 0 ? folders : [makeNotes()],
    runs: (usual) => runs ?? usual,
    say: (text) => console.error(`bench: ${text}`),
  };
  const groups: FigureGroup[] = [];
  for (const name of measurements)
    for await (const group of MEASUREMENTS[name]!(bench)) {
      groups.push(group);
      if (!isJson) console.log(`\n${formatGroup(group)}`);
    }
  if (isJson) console.log(reportJson(machine, date, groups));
}

function makeFolder(name: string): string {
  const folder = join(place, name);
  mkdirSync(folder);
  return folder;
}

function makeNotes() {
  const original = join(place, "made-notes");
  writeNotes(original);
  return { name: "made-notes", original };
}

async function build(): Promise<void> {
  console.error("bench: building dist/kb");
  const child = Bun.spawn([process.execPath, join(PROJECT, "scripts", "build.ts")], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("dist/kb could not be built");
}
