/**
 * A folder with two notes, the doctor's report on it, and somebody who does what it says.
 */
import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import {
  BINARY,
  isolatedEnvironment,
  type RunOptions,
  runJson,
  runKb,
  type WireValue,
} from "./run-binary.ts";
import { TestFolder } from "./test-folder.ts";

/** One in English, one in Japanese, indexed. */
export async function indexedNotes(options: RunOptions = {}): Promise<TestFolder> {
  const folder = new TestFolder();
  folder.write("a.md", "# Valve\n\nThe zirconium valve is behind the boiler.\n");
  folder.write("b.md", "# 鍵\n\n物置の鍵は玄関の引き出しに入れてある。\n");
  await runJson(["index", folder.path], options);
  return folder;
}

/** The report of `kb doctor`, whatever the exit code, which has to fit it. */
export async function examine(folder: TestFolder, options: RunOptions = {}): Promise<WireValue> {
  const { code, stdout, stderr } = await runKb(["doctor", "--kb", folder.path, "--json"], options);
  expect(stderr).toBe("");
  const report = JSON.parse(stdout);
  const isInformation = ({ severity }: WireValue) => severity === "info";
  expect(code).toBe(report.findings.every(isInformation) ? 0 : 1);
  return report;
}

export async function expectHealthy(folder: TestFolder, options: RunOptions = {}): Promise<void> {
  expect((await examine(folder, options)).findings).toEqual([]);
}

/** The only finding, or the one of that id among those that follow from the same fault. */
export async function findingOf(
  folder: TestFolder,
  id: string,
  options: RunOptions = {},
): Promise<WireValue> {
  const { findings } = await examine(folder, options);
  const found = findings.find((finding: WireValue) => finding.id === id);
  expect(findings.map((finding: WireValue) => finding.id)).toContain(id);
  return found;
}

/** Types a remedy that is a command, as a person would. */
export function typeRemedy(remedy: string): void {
  const command = remedy.replace(/^kb /, `'${BINARY}' `);
  const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", command], { env: isolatedEnvironment() });
  expect(stderr.toString()).not.toContain("kb: ");
  expect(exitCode).toBe(0);
}

export function indexFileOf(folder: TestFolder): string {
  return folder.at(".kb", folder.read(".kb/current").trim());
}

/** Changes the index file behind the program's back. */
export function changeIndex(folder: TestFolder, ...statements: readonly string[]): void {
  using db = new Database(indexFileOf(folder));
  for (const statement of statements) db.run(statement);
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
}
