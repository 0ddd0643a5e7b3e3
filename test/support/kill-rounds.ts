/**
 * Kills the compiled program while it indexes, and judges what it leaves.
 *
 * In go a scene (a folder, what is done to it, the run to kill) and the moment of the kill; out
 * comes what is wrong afterwards: with the index as it lies there, with a search in it, and with
 * the next `kb index`, which must reach what an undisturbed run reaches. Which moments are tried
 * is decided in `test/binary/kills.test.ts` and, for many more, in `scripts/kill-rounds.ts`.
 */
import { existsSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { findInconsistencies } from "../../src/store/consistency.ts";
import { findIndexFile } from "../../src/store/index-location.ts";
import { openIndex } from "../../src/store/open.ts";
import { generateDocument } from "./documents.ts";
import { rowsOf } from "./index-rows.ts";
import { BINARY, type RunResult, runKb, startKb } from "./run-binary.ts";
import { TestFolder } from "./test-folder.ts";

export interface Scene {
  readonly name: string;
  /** Fills the folder and brings its index to where the run starts. */
  readonly prepare: (folder: TestFolder) => Promise<void>;
  /** Behind `kb index <folder>`. */
  readonly args: readonly string[];
}

/** When the run is killed: after some time, after some changes in its index folder, or as it enters a system call. */
export type KillMoment =
  | { readonly afterMs: number }
  | { readonly afterChanges: number }
  | { readonly call: string; readonly nth: number; readonly error?: DiskError };

/** What that system call answers, instead of the run being killed: once, or from then on. */
export type DiskError = "EIO" | "ENOSPC" | "ENOSPC+";

export interface RoundResult {
  /** False if the run was over before, or went on. */
  readonly isStopped: boolean;
  readonly problems: readonly string[];
}

const DOCUMENTS = 12;

async function indexed(folder: TestFolder, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await runKb(["index", folder.path, "--quiet", ...args]);
  if (code !== 0) throw new Error(`the undisturbed run ended with ${code}: ${stderr}`);
}

function writeDocuments(folder: TestFolder): void {
  for (let number = 0; number < DOCUMENTS; number++)
    folder.write(`logs/${number}.md`, generateDocument(number, 1));
  folder.write("会議.md", "# 議事録\n\n八月の定例会議では、検索基盤の移行時期と担当者を決めた。\n");
}

/** Every kind of change at once. */
function changeDocuments(folder: TestFolder): void {
  folder.write("logs/0.md", generateDocument(100, 2));
  folder.write("new.md", generateDocument(101, 1));
  folder.write("binary.md", new Uint8Array([0, 1, 2, 3]));
  folder.rename("logs/1.md", "moved/1.md");
  folder.rename("logs/2.md", "aside");
  folder.rename("logs/3.md", "logs/2.md");
  folder.rename("aside", "logs/3.md");
  folder.remove("logs/4.md");
  folder.write("logs/5.md", "");
}

export const SCENES: readonly Scene[] = [
  {
    name: "first index",
    async prepare(folder) {
      writeDocuments(folder);
    },
    args: [],
  },
  {
    name: "incremental index",
    async prepare(folder) {
      writeDocuments(folder);
      await indexed(folder);
      changeDocuments(folder);
    },
    args: [],
  },
  {
    name: "rebuild",
    async prepare(folder) {
      writeDocuments(folder);
      await indexed(folder);
      changeDocuments(folder);
    },
    args: ["--force"],
  },
  {
    name: "vectors",
    async prepare(folder) {
      for (let number = 0; number < 35; number++)
        folder.write(`logs/${number}.md`, generateDocument(number, 2).slice(0, 1500));
      await indexed(folder, "--no-vectors");
    },
    args: [],
  },
  {
    name: "many documents",
    async prepare(folder) {
      for (let number = 0; number < 1000; number++)
        folder.write(
          `n/${number % 10}/${number}.md`,
          `# Note ${number}\n\nThe boiler of house ${number} is blue.\n`,
        );
    },
    args: ["--no-vectors"],
  },
];

/** A scene made once; each round works on a copy. */
export class KillStage implements Disposable {
  readonly scene: Scene;
  readonly #template: TestFolder;
  readonly #expected: unknown;

  private constructor(scene: Scene, template: TestFolder, expected: unknown) {
    this.scene = scene;
    this.#template = template;
    this.#expected = expected;
  }

  static async make(scene: Scene): Promise<KillStage> {
    const template = new TestFolder();
    await scene.prepare(template);
    using fresh = TestFolder.copyOf(template.path);
    if (fresh.has(".kb")) fresh.remove(".kb");
    await indexed(fresh, ...vectorsOf(scene));
    return new KillStage(scene, template, readRows(fresh.path));
  }

  /** How often the undisturbed run makes each of the system calls; needs `strace`. */
  async countCalls(calls: readonly string[]): Promise<ReadonlyMap<string, number>> {
    using folder = TestFolder.copyOf(this.#template.path);
    const log = join(folder.path, "..", `${crypto.randomUUID()}.strace`);
    const command = [...STRACE, "-o", log, "-e", `trace=${calls.join()}`, BINARY];
    await runKb(["index", folder.path, "--quiet", ...this.scene.args], { command });
    const lines = (await Bun.file(log).text()).split("\n");
    await Bun.file(log).delete();
    const count = (call: string) => lines.filter((line) => line.includes(` ${call}(`)).length;
    return new Map(calls.map((call) => [call, count(call)]));
  }

  async round(moment: KillMoment): Promise<RoundResult> {
    using folder = TestFolder.copyOf(this.#template.path);
    const { isStopped, problems } = await this.#runAndStop(folder, moment);
    problems.push(...examine(folder.path), ...(await examineSearch(folder.path)));
    const next = await runKb(["index", folder.path, "--quiet", ...vectorsOf(this.scene)]);
    if (next.code !== 0 || next.stderr !== "") problems.push(`the next run: ${describe(next)}`);
    const left = readdirSync(folder.at(".kb"))
      .filter((name) => !KEPT.test(name))
      .sort();
    if (left.length > 0) problems.push(`left over: ${left.join()}`);
    const generations = readdirSync(folder.at(".kb")).filter((name) => name.endsWith(".db"));
    if (generations.length !== 1) problems.push(`left over: one of ${generations.join()}`);
    problems.push(...examine(folder.path));
    if (!Bun.deepEquals(readRows(folder.path), this.#expected))
      problems.push("the next run left another index than a fresh run");
    return { isStopped, problems };
  }

  [Symbol.dispose](): void {
    this.#template[Symbol.dispose]();
  }

  async #runAndStop(
    folder: TestFolder,
    moment: KillMoment,
  ): Promise<{ isStopped: boolean; problems: string[] }> {
    const args = ["index", folder.path, "--quiet", ...this.scene.args];
    if ("call" in moment) {
      const { call, nth, error } = moment;
      const what = error === undefined ? "signal=SIGKILL" : `error=${error.replace("+", "")}`;
      const when = error?.endsWith("+") ? `${nth}+` : String(nth);
      const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:${what}:when=${when}`];
      const result = await runKb(args, { command: [...STRACE, "-o", "/dev/null", ...inject, BINARY] });
      const isStrange = error !== undefined && result.code !== 0 && result.code !== 3;
      return { isStopped: result.code !== 0, problems: isStrange ? [`the run: ${describe(result)}`] : [] };
    }
    folder.mkdir(".kb");
    const child = startKb(args);
    if ("afterMs" in moment) {
      await Promise.race([Bun.sleep(moment.afterMs), child.exited]);
    } else {
      let changes = 0;
      const { promise, resolve } = Promise.withResolvers<void>();
      const watcher = watch(folder.at(".kb"), () => ++changes === moment.afterChanges && resolve());
      await Promise.race([promise, child.exited]);
      watcher.close();
    }
    child.kill("SIGKILL");
    await child.exited;
    return { isStopped: child.signalCode === "SIGKILL", problems: [] };
  }
}

// Without --seccomp-bpf, with which strace injects no signals.
const STRACE = ["strace", "-f", "-qq"] as const;

/** What may be in an index folder at rest. */
const KEPT = /^(?:\.gitignore|current|writer\.lock|index-\d+\.db)$/;

const vectorsOf = ({ args }: Scene) => args.filter((argument) => argument === "--no-vectors");

/** All that is in the index of a folder but when and where its files were seen. */
export function readRows(root: string) {
  using db = openIndex(findIndexFile(join(root, ".kb"))!, { mode: "read" });
  const { documents, ...rows } = rowsOf(db);
  const bare = [...documents].map(
    ([path, { mtimeNs: _, ctimeNs: __, inode: ___, ...row }]) => [path, row] as const,
  );
  return { ...rows, documents: bare };
}

/** For where vectors may differ: in their last bits on another machine, or since one was damaged and taken over. */
export function withoutVectors(rows: ReturnType<typeof readRows>) {
  const documents = rows.documents.map(([path, document]) => [
    path,
    { ...document, chunks: document.chunks.map(({ vector: _, ...chunk }) => chunk) },
  ]);
  return { ...rows, documents };
}

/** What contradicts itself in the index of a folder, as it lies there. */
function examine(root: string): string[] {
  const directory = join(root, ".kb");
  const problems: string[] = [];
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    if (!/^index-\d+\.db$/.test(name)) continue;
    try {
      using db = openIndex(join(directory, name), { mode: "write" });
      problems.push(...findInconsistencies(db).map(({ what }) => `${name}: ${what}`));
      for (const table of ["chunk_phrases", "chunk_terms"])
        db.execute(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`);
    } catch (thrown) {
      problems.push(`${name}: ${thrown}`);
    }
  }
  return problems;
}

/** A search answers, and calls the index ready only if it can. */
async function examineSearch(root: string): Promise<string[]> {
  const result = await runKb(["search", "boiler", "--kb", root, "--json", "--limit", "1000"]);
  if (result.code !== 0) {
    const isMissing = result.code === 3 && JSON.parse(result.stdout).error.code === "missing";
    const file = findIndexFile(join(root, ".kb"));
    const isMade = file !== undefined && existsSync(file);
    return isMissing && !isMade ? [] : [`search: ${describe(result)}`];
  }
  const { index, results, degraded } = JSON.parse(result.stdout);
  const problems: string[] = [];
  if (index.state === "indexing") problems.push("search says that a dead process is indexing");
  if (index.state === "ready" && results.length === 0) problems.push("search finds nothing in a ready index");
  if (index.pending !== undefined && degraded !== "dense" && index.vectors === 0)
    problems.push("search does not say that there are no vectors");
  return problems;
}

function describe({ code, stdout, stderr }: RunResult): string {
  return `exit ${code}, ${stdout.slice(0, 500)} ${stderr.slice(0, 500)}`;
}
