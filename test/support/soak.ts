/**
 * A folder that never rests, and everything that answers from it at the same time.
 *
 * In go how long and how large; out comes what went wrong: an answer that is none, a crash, an
 * exit code or a word on stderr that nobody expects, and, when all has come to rest, rows that
 * differ from those of a fresh index. Memory of the servers is sampled on the way. Started by
 * `scripts/soak.ts` and, shortly, by `test/binary/soak.test.ts`.
 */
import { readFileSync, renameSync } from "node:fs";
import fc from "fast-check";
import { generateDocument } from "./documents.ts";
import { anyChange, applyChange, listBelow, openAll } from "./folder-changes.ts";
import { readRows } from "./kill-rounds.ts";
import { RawClient } from "./mcp-client.ts";
import { type RunResult, runKb } from "./run-binary.ts";
import { TestFolder } from "./test-folder.ts";

export interface SoakOptions {
  readonly durationMs: number;
  /** Documents that are there from the start. */
  readonly files: number;
  /** Of the changes. */
  readonly seed: number;
  readonly servers: number;
  /** Loops of `kb search --json`. */
  readonly searchers: number;
  /** Gets a problem as soon as it is found, and now and then a line on how things stand. */
  readonly tell: (line: string) => void;
}

export interface SoakResult {
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  /** Resident memory in megabytes, a list for each server in order of time; empty lists where the system does not tell. */
  readonly memory: readonly (readonly number[])[];
}

/** Ends when the time is over, everything was stopped and the index was compared. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  using folder = new TestFolder();
  return await new SoakRun(folder, options).toItsEnd();
}

class SoakRun {
  readonly #folder: TestFolder;
  readonly #options: SoakOptions;
  readonly #problems: string[] = [];
  readonly #counts: Record<string, number> = {};
  readonly #memory: number[][];
  readonly #endsAt: number;
  #isOver = false;

  constructor(folder: TestFolder, options: SoakOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#memory = Array.from({ length: options.servers }, () => []);
    this.#endsAt = performance.now() + options.durationMs;
  }

  async toItsEnd(): Promise<SoakResult> {
    const { servers, searchers, files } = this.#options;
    this.#folder.mkdir("live");
    for (let number = 0; number < files; number++) this.#write(number, number);
    this.#judge("the first kb index", await index(this.#folder.path), isRun);
    await Promise.all([
      this.#edit(),
      this.#keepIndexing(),
      this.#sample(),
      ...Array.from({ length: servers }, (_, number) => this.#serve(number)),
      ...Array.from({ length: searchers }, (_, number) => this.#keepSearching(number)),
    ]);
    await this.#compare();
    return { problems: this.#problems, counts: this.#counts, memory: this.#memory };
  }

  get #goesOn(): boolean {
    this.#isOver ||= performance.now() > this.#endsAt;
    return !this.#isOver;
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }

  #report(problem: string): void {
    this.#problems.push(problem);
    this.#options.tell(`PROBLEM ${problem}`);
  }

  /** Bursts and pauses; most changes are in `live`, where every kind happens, the others in many small documents. */
  async #edit(): Promise<void> {
    const { seed, files } = this.#options;
    const random = mulberry32(seed);
    const live = this.#folder.at("live");
    for (let batch = 0; this.#goesOn; batch++) {
      // Changes of changes grow without end otherwise.
      if (listBelow(live).length > MAX_LIVE) this.#folder.remove("live");
      this.#folder.mkdir("live");
      for (const change of fc.sample(anyChange, { numRuns: 100, seed: seed + batch })) {
        if (!this.#goesOn) break;
        applyChange(live, change);
        this.#count("changes");
        if (random() < 0.3) this.#editLog(Math.floor(random() * files), random);
        await Bun.sleep(random() < 0.1 ? 3000 : random() * 400);
      }
    }
    openAll(live);
  }

  #editLog(number: number, random: () => number): void {
    const path = logPath(number);
    const chance = random();
    this.#count("changes");
    if (!this.#folder.has(path) || chance < 0.5) this.#write(number, Math.floor(random() * 1e6));
    else if (chance < 0.7) this.#folder.remove(path);
    else if (chance < 0.9) this.#folder.rename(path, `logs/moved/${number}.md`);
    else swapFolders(this.#folder, `logs/${number % 10}`, `logs/${(number + 1) % 10}`);
  }

  #write(number: number, text: number): void {
    this.#folder.write(logPath(number), generateDocument(text, 1).slice(0, 1200));
  }

  async #keepIndexing(): Promise<void> {
    while (this.#goesOn) {
      this.#judge("kb index", await index(this.#folder.path), isRun);
      await Bun.sleep(1500);
    }
  }

  async #keepSearching(number: number): Promise<void> {
    for (let round = 0; this.#goesOn; round++) {
      const query = QUERIES[(number + round) % QUERIES.length]!;
      const result = await runKb(["search", query, "--kb", this.#folder.path, "--json"]);
      this.#judge(`kb search ${query}`, result, isAnswer);
      await Bun.sleep(2000 + 200 * number);
    }
  }

  /** Another run or search that has to wait too long is told so, which is in order. */
  #judge(what: string, { code, stdout, stderr }: RunResult, isRight: (answer: Answer) => boolean): void {
    const answer = parse(stdout);
    if (code === 3 && answer?.error?.code === "busy" && /process \d+ on /.test(stdout)) {
      this.#count(`${what.split(" ").slice(0, 2).join(" ")}: busy`);
      return;
    }
    this.#count(what.split(" ").slice(0, 2).join(" "));
    if (code === 0 && stderr === "" && answer !== undefined && isRight(answer)) return;
    this.#report(`${what}: exit ${code}, ${stdout.slice(0, 500)} ${stderr.slice(0, 2000)}`);
  }

  async #serve(number: number): Promise<void> {
    const timeoutMs = this.#options.durationMs + 600_000;
    await using client = new RawClient(["--kb", this.#folder.path], { timeoutMs });
    const said = new Response(client.process.stderr).text();
    this.#pids[number] = client.process.pid;
    try {
      await client.initialize();
      for (let round = number; this.#goesOn; round++) {
        const query = QUERIES[round % QUERIES.length]!;
        const result = await client.callTool("search", { query, limit: 20 });
        this.#count("searches over MCP");
        if (result.isError || !isAnswer(result.structuredContent ?? {}))
          this.#report(`server ${number}, ${query}: ${JSON.stringify(result).slice(0, 500)}`);
        client.lines.length = 0;
        await Bun.sleep(300 + 100 * number);
      }
      client.checkStdout();
      const code = await client.closeInput();
      if (code !== 0) this.#report(`server ${number} ended with ${code}`);
    } catch (thrown) {
      this.#isOver = true;
      this.#report(`server ${number}: ${thrown}`);
    }
    delete this.#pids[number];
    client.process.kill("SIGKILL");
    for (const line of (await said).split("\n").filter((line) => line.trim() !== "" && !isExpected(line)))
      this.#report(`server ${number} said: ${line.slice(0, 2000)}`);
  }

  readonly #pids: number[] = [];

  async #sample(): Promise<void> {
    const everyMs = Math.max(500, Math.min(10_000, this.#options.durationMs / 20));
    for (let round = 0; this.#goesOn; round++) {
      this.#pids.forEach((pid, number) => {
        const megabytes = residentMegabytes(pid);
        if (megabytes !== undefined) this.#memory[number]!.push(megabytes);
      });
      if (round % 6 === 5) this.#options.tell(this.#standing());
      await Bun.sleep(everyMs);
    }
  }

  #standing(): string {
    const memory = this.#memory.map((samples) => samples.at(-1) ?? "?").join(", ");
    return `${JSON.stringify(this.#counts)}; servers have ${memory} MB`;
  }

  async #compare(): Promise<void> {
    const { path } = this.#folder;
    const indexed = async () => this.#judge("the last kb index", await index(path), isRun);
    await indexed();
    const rows = readRows(path);
    using aside = new TestFolder();
    renameSync(this.#folder.at(".kb"), aside.at("old"));
    await indexed();
    const fresh = readRows(path);
    if (Bun.deepEquals(rows, fresh)) return;
    this.#report(`the index differs from a fresh one: ${describeDifference(rows, fresh)}`);
  }
}

type Rows = ReturnType<typeof readRows>;

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON, whose shape is what is judged.
type Answer = any;

const QUERIES = [
  "boiler",
  "nightly backup",
  "検索基盤の移行時期",
  "which valve is tightened before frost?",
  '"rule 70"',
  "clean -pump",
  "決定",
] as const;

/** Files and folders in `live`. */
const MAX_LIVE = 300;

const STATES: ReadonlySet<unknown> = new Set(["ready", "indexing", "stale"]);

const index = (root: string) => runKb(["index", root, "--json", "--quiet"]);

const isRun = (report: Answer) => report.documents > 0 && report.vectors.problem === undefined;

/** Found by words only is in order as long as vectors are being made. */
function isAnswer({ results, index, degraded }: Answer): boolean {
  return Array.isArray(results) && STATES.has(index?.state) && (degraded === undefined || index.pending > 0);
}

/** A server's run that found another process writing, which the next one makes up for. */
function isExpected(line: string): boolean {
  return /process \d+ on |^ +Wait until it has finished/.test(line);
}

function logPath(number: number): string {
  return `logs/${number % 10}/${number}.md`;
}

function swapFolders(folder: TestFolder, one: string, other: string): void {
  if (!folder.has(one) || !folder.has(other)) return;
  folder.rename(one, "logs/aside");
  folder.rename(other, one);
  folder.rename("logs/aside", other);
}

function parse(text: string): Answer | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function residentMegabytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined; // it has ended, or this system has no such file
  }
}

function describeDifference(rows: Rows, fresh: Rows): string {
  const [old, made] = [new Map(rows.documents), new Map(fresh.documents)];
  const paths = new Set([...old.keys(), ...made.keys()]);
  const different = [...paths].filter((path) => !Bun.deepEquals(old.get(path), made.get(path)));
  const parts = ["skipped", "strays", "embedded"] as const;
  const others = parts.filter((part) => !Bun.deepEquals(rows[part], fresh[part]));
  return `${different.length} documents (${different.slice(0, 5).join(", ")}), ${others.join(", ") || "nothing else"}`;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
