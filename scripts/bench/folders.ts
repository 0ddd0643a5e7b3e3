/**
 * The folders that are measured: copies of those named on the command line, or a made one.
 *
 * The originals are only read. A copy with vectors is made once and shared, since making
 * vectors takes longer than all measurements together. What a made folder holds is
 * `synthetic-folder.ts`.
 */
import { cpSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { configSchema } from "../../src/config/schema.ts";
import { type FoundFile, walkFolder } from "../../src/source/walk.ts";
import { runKb } from "./kb-process.ts";
import type { BenchFolder, Workbench } from "./workbench.ts";

/** Copies the documents without their index, and nothing else that `kb` never looks at. */
export function copyDocuments(bench: Workbench, folder: BenchFolder): string {
  return copyInto(join(bench.place, `${folder.name}-text`), folder, [".kb", ...UNREAD]);
}

/**
 * A copy whose index has a vector for every chunk, made at the first call and shared from
 * then on: the original's own index if it has one, else one that is made here.
 *
 * @throws {Error} If vectors cannot be made.
 */
export async function folderWithVectors(bench: Workbench, folder: BenchFolder): Promise<string> {
  const target = join(bench.place, `${folder.name}-vectors`);
  if (existsSync(target)) return target;
  copyInto(target, folder, UNREAD);
  if (!existsSync(join(target, ".kb", "current"))) await runKb(bench, ["index", target, "--no-vectors"]);
  const pending = await countPending(bench, target);
  if (pending === 0) return target;
  const seconds = pending / chunksPerSecond();
  const estimate = seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} minutes`;
  bench.say(`${folder.name}: making ${pending} vectors first, about ${estimate}`);
  await runKb(bench, ["index", target]);
  const left = await countPending(bench, target);
  if (left > 0) throw new Error(`${folder.name}: ${left} passages got no vector`);
  return target;
}

/** The files that are indexed without a configuration, in path order. */
export function listDocuments(folder: string): readonly FoundFile[] {
  const { index } = configSchema.parse({});
  return walkFolder(folder, {
    extensions: index.extensions,
    excludeDirs: index.exclude_dirs,
    hidden: index.hidden,
    gitignore: index.gitignore,
  }).files;
}

/** Bytes of all files of the index, by those of the documents. */
export function indexToTextRatio(folder: string): number {
  const directory = join(folder, ".kb");
  const indexBytes = readdirSync(directory).reduce(
    (sum, name) => sum + statSync(join(directory, name)).size,
    0,
  );
  return indexBytes / countTextBytes(folder);
}

export function countTextBytes(folder: string): number {
  return listDocuments(folder).reduce((sum, { size }) => sum + size, 0);
}

export function removeIndex(folder: string): void {
  rmSync(join(folder, ".kb"), { recursive: true, force: true });
}

const UNREAD = [".git", "node_modules"];

function copyInto(target: string, { original }: BenchFolder, leftOut: readonly string[]): string {
  rmSync(target, { recursive: true, force: true });
  cpSync(original, target, {
    recursive: true,
    preserveTimestamps: true,
    filter: (source) => source === original || !leftOut.includes(basename(source)),
  });
  return target;
}

async function countPending(bench: Workbench, folder: string): Promise<number> {
  const { stdout } = await runKb(bench, ["status", "--kb", folder, "--json"]);
  return (JSON.parse(stdout) as { readonly vectors: { readonly pending: number } }).vectors.pending;
}

/** For an estimate only: chunks of documentation are shorter than the longest that fit. */
function chunksPerSecond(): number {
  const workers = Math.min(4, navigator.hardwareConcurrency);
  return 20 * workers;
}
