/**
 * How `kb serve --transport http` holds up: one client, eight, and one beside slow searches.
 *
 * `bun scripts/bench/http-figures.ts <indexed folder> [calls per client]` starts the built `dist/kb` on a
 * port of this machine, asks it mixed Japanese and English questions outside of sessions, and prints times
 * to the end of an answer, throughput and memory. The folder has to be indexed, with vectors.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { HttpServer } from "../../test/support/http-server.ts";
import { percentile } from "./figure.ts";
import { questionsFor } from "./questions.ts";

const [folder, calls = "100"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: bun scripts/bench/http-figures.ts <indexed folder> [calls per client]");
  process.exit(2);
}
const { japanese: ja, english: en } = questionsFor(basename(folder));
const questions = ja.flatMap((question, at) => [question, en[at % en.length]!]);
const perClient = Math.min(500, Math.max(1, Number(calls)));

await using server = await HttpServer.start(["--kb", folder, "--no-index"]);
await run(8, 10); // starts the readers, warms what is to be warm
const one = await run(1, perClient);
print("1 client", one);
const eight = await run(8, perClient);
print("8 clients", eight);
console.log(
  `p95 of 8 against 1: ${(percentile(eight.times, 0.95) / percentile(one.times, 0.95)).toFixed(2)}x`,
);

// 32 phrases that stand in most of the index.
const slowest =
  "the ing and for you are can use con ent ion tion com pro que est ter per res con tra int our out all has with this that from page file"
    .split(" ")
    .map((text) => `"${text}"`)
    .join(" ");
let isOver = false;
const slowTimes: number[] = [];
const slow = (async () => {
  while (!isOver) slowTimes.push(await ask(slowest, 1000));
})();
const beside = await run(1, perClient);
isOver = true;
await slow;
print("1 client beside slow searches", beside);
console.log(`  slow ones: ${slowTimes.length}, median ${percentile(slowTimes, 0.5).toFixed(0)} ms`);
const stages = await (await server.get("/metrics")).text();
console.log("stages, in all, milliseconds a call:");
for (const [, stage, seconds] of stages.matchAll(/_sum\{stage="(.*?)"\} (\S+)/g)) {
  const count = Number(stages.match(new RegExp(`_count\\{stage="${stage}"\\} (\\d+)`))?.[1]);
  console.log(`  ${stage}: ${((Number(seconds) * 1000) / count).toFixed(2)}`);
}
console.log(`memory: server and its processes ${residentMegabytes(server.process.pid).toFixed(0)} MB`);

interface Load {
  /** Of each call, in milliseconds. */
  readonly times: number[];
  readonly seconds: number;
  /** Work of the processors for one call. */
  readonly processorMs: number;
}

async function run(clients: number, callsEach: number): Promise<Load> {
  const times: number[] = [];
  const startedAt = performance.now();
  const workedBefore = processorMs(server.process.pid);
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let call = 0; call < callsEach; call++)
        times.push(await ask(questions[(client * 7 + call) % questions.length]!, 5));
    }),
  );
  return {
    times,
    seconds: (performance.now() - startedAt) / 1000,
    processorMs: (processorMs(server.process.pid) - workedBefore) / times.length,
  };
}

/** @returns Milliseconds. @throws {Error} If the answer is an error. */
async function ask(query: string, limit: number): Promise<number> {
  const startedAt = performance.now();
  const params = { name: "search", arguments: { query, limit } };
  const response = await server.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('"structuredContent"')) throw new Error(text.slice(0, 500));
  return performance.now() - startedAt;
}

function print(name: string, { times, seconds, processorMs: worked }: Load): void {
  const at = (share: number) => percentile(times, share).toFixed(1);
  console.log(
    `${name}: ${times.length} calls, ${(times.length / seconds).toFixed(1)} a second, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, processors ${worked.toFixed(1)} ms a call`,
  );
}

/** Of a process and all below it; Linux only, 0 elsewhere. */
function residentMegabytes(pid: number): number {
  return sumOverTree(pid, (one) => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/status`, "utf8"))?.[1] ?? 0;
    return Number(kilobytes) / 1000;
  });
}

/** What the processors have worked for a process and all below it; Linux only, 0 elsewhere. */
function processorMs(pid: number): number {
  return sumOverTree(pid, (one) => {
    const fields = readFileSync(`/proc/${one}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10; // ticks of 10 ms
  });
}

function sumOverTree(pid: number, amountOf: (pid: number) => number): number {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
    );
    return amountOf(pid) + children.reduce((sum, child) => sum + sumOverTree(Number(child), amountOf), 0);
  } catch {
    return 0;
  }
}
