/**
 * Damages an index file as a dying disk would, and judges what the program makes of it.
 *
 * In go random damages; out comes what is wrong: a command that ends as a bug, a refusal that does
 * not name the remedy, a remedy that does not help, a document that was touched. How many are
 * tried is decided in `test/binary/damage.test.ts` and `scripts/damage-rounds.ts`.
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { findInconsistencies } from "../../src/store/consistency.ts";
import { openIndex } from "../../src/store/open.ts";
import { generateDocument } from "./documents.ts";
import { readRows, withoutVectors } from "./kill-rounds.ts";
import { type RunResult, runKb, startKb } from "./run-binary.ts";
import { TestFolder } from "./test-folder.ts";

/** Bytes of one of the files of an index, changed in place or cut. */
export type Damage =
  | { readonly kind: "flip bits"; readonly bits: readonly number[] }
  | { readonly kind: "zeros" | "copy of the start"; readonly at: number; readonly bytes: number }
  | { readonly kind: "cut"; readonly at: number };

export interface DamageResult {
  readonly problems: readonly string[];
  /** What noticed it first: a command, the check, or nothing. */
  readonly noticedBy: string;
}

/** A folder with a small index, at rest or left by a killed run; each round works on a copy. */
export class DamageStage implements Disposable {
  readonly #template: TestFolder;
  readonly #suffix: string;
  readonly #expected: Rows;

  private constructor(template: TestFolder, suffix: string, expected: Rows) {
    this.#template = template;
    this.#suffix = suffix;
    this.#expected = expected;
  }

  /** @param suffix Which file is damaged: "" is the index itself, "-wal" and "-shm" those of a killed run. */
  static async make(suffix: "" | "-wal" | "-shm"): Promise<DamageStage> {
    const template = new TestFolder();
    for (let number = 0; number < 12; number++)
      template.write(`logs/${number}.md`, generateDocument(number, 2).slice(0, 900));
    await runKb(["index", template.path]);
    if (suffix !== "") await leaveSideFiles(template);
    using fresh = TestFolder.copyOf(template.path);
    fresh.remove(".kb");
    await runKb(["index", fresh.path]);
    return new DamageStage(template, suffix, withoutVectors(readRows(fresh.path)));
  }

  /** Size of the file that is damaged, in bytes. */
  get bytes(): number {
    return readFileSync(this.#fileIn(this.#template)).length;
  }

  async round(damage: Damage): Promise<DamageResult> {
    using folder = TestFolder.copyOf(this.#template.path);
    const file = this.#fileIn(folder);
    writeFileSync(file, damaged(readFileSync(file), damage));
    const problems: string[] = [];
    let noticedBy = "";
    const notice = (by: string) => {
      if (noticedBy === "") noticedBy = by;
    };
    const commands = [
      ["search", "boiler number", "--kb", folder.path],
      ["status", "--kb", folder.path],
      ["get", "logs/3.md", "--kb", folder.path],
      ["index", folder.path],
    ];
    for (const command of commands) {
      const result = await runKb([...command, "--json"]);
      problems.push(...judge(command[0]!, result));
      if (result.code !== 0 || result.stdout.includes("rebuilt_because")) notice(`kb ${command[0]}`);
    }
    if (isInconsistent(folder.at(".kb", folder.read(".kb/current").trim()))) notice("the check");
    const forced = await runKb(["index", folder.path, "--force", "--json"]);
    if (forced.code !== 0) problems.push(`kb index --force: ${describe(forced)}`);
    else if (!Bun.deepEquals(withoutVectors(readRows(folder.path)), this.#expected))
      problems.push("kb index --force left another index than a fresh run");
    for (const name of folder.list("logs"))
      if (folder.read(`logs/${name}`) !== this.#template.read(`logs/${name}`))
        problems.push(`${name} changed`);
    return { problems, noticedBy: noticedBy === "" ? "nothing" : noticedBy };
  }

  [Symbol.dispose](): void {
    this.#template[Symbol.dispose]();
  }

  #fileIn(folder: TestFolder): string {
    return folder.at(".kb", folder.read(".kb/current").trim() + this.#suffix);
  }
}

type Rows = ReturnType<typeof withoutVectors>;

/** Changes a document, and kills the run that has just stored it. */
async function leaveSideFiles(folder: TestFolder): Promise<void> {
  for (let number = 20; number < 45; number++)
    folder.write(`logs/${number}.md`, generateDocument(number, 2).slice(0, 900));
  const child = startKb(["index", folder.path]);
  const wal = folder.at(".kb", `${folder.read(".kb/current").trim()}-wal`);
  while (!existsSync(wal) || readFileSync(wal).length < 100_000) await Bun.sleep(2);
  child.kill("SIGKILL");
  await child.exited;
}

function damaged(bytes: Buffer, damage: Damage): Buffer {
  if (damage.kind === "cut") return bytes.subarray(0, damage.at);
  if (damage.kind === "zeros")
    return bytes.fill(0, damage.at, Math.min(damage.at + damage.bytes, bytes.length));
  if (damage.kind === "copy of the start") bytes.copy(bytes, damage.at, 0, damage.bytes);
  if (damage.kind === "flip bits") for (const bit of damage.bits) bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes;
}

/** Answers, or refuses with a sentence and the command to type. */
function judge(command: string, result: RunResult): string[] {
  if (result.code === 0) return [];
  if (result.code !== 3) return [`kb ${command}: ${describe(result)}`];
  const { error } = JSON.parse(result.stdout);
  // A path that changed is missing, and the near one is named.
  const isHelpful = error.code === "missing" || String(error.hint).includes("kb index");
  return isHelpful ? [] : [`kb ${command} names no remedy: ${describe(result)}`];
}

function isInconsistent(file: string): boolean {
  using copy = new TestFolder();
  for (const suffix of ["", "-wal"])
    if (existsSync(file + suffix)) cpSync(file + suffix, copy.at(`index.db${suffix}`));
  try {
    using db = openIndex(copy.at("index.db"), { mode: "read" });
    return findInconsistencies(db).length > 0;
  } catch {
    return true; // refused, which is what was asked
  }
}

function describe({ code, stdout, stderr }: RunResult): string {
  return `exit ${code}, ${stdout.slice(0, 600)} ${stderr.slice(0, 1500)}`;
}
