/**
 * Mutated JSON-RPC messages for a real `kb serve`, and what must hold whatever is sent.
 *
 * In go a number of messages, a seed and a folder; out comes what was wrong. A short round is a test,
 * long ones are run by `scripts/fuzz-mcp.ts`.
 */
import { readFileSync } from "node:fs";
import { startKb } from "./run-binary.ts";

export interface FuzzReport {
  readonly sent: number;
  readonly answered: number;
  readonly problems: readonly string[];
  /** Largest resident memory of the server that was seen, in bytes; 0 where it is not told. */
  readonly peakBytes: number;
  /** The same over the first and the last third of the messages. */
  readonly earlyPeakBytes: number;
  readonly latePeakBytes: number;
}

type Random = () => number;

/** @param root Of an index; the server runs without bringing it up to date. */
export async function fuzzServer(root: string, count: number, seed: number): Promise<FuzzReport> {
  const child = startKb(["serve", "--kb", root, "--no-index"], { timeoutMs: 3_600_000 });
  const input = child.stdin as Bun.FileSink;
  const waiting = new Set<string>();
  const problems: string[] = [];
  let answered = 0;
  let wake = () => {};
  const take = (line: string) => {
    let message: { id?: unknown; method?: unknown };
    try {
      message = JSON.parse(line) as typeof message;
    } catch {
      problems.push(`no JSON: ${line.slice(0, 200)}`);
      return;
    }
    const leak = findLeak(line, root);
    if (leak !== undefined) problems.push(`leak ${leak} in ${line.slice(0, 400)}`);
    if (message.method === undefined && waiting.delete(JSON.stringify(message.id))) answered += 1;
    wake();
  };
  const reading = readLines(child.stdout, take);
  const said = new Response(child.stderr).text();
  const random = mulberry(seed);
  const peaks = [0, 0, 0];
  const send = (line: string) => {
    input.write(`${line}\n`);
  };
  send(JSON.stringify(INITIALIZE));
  waiting.add(JSON.stringify(INITIALIZE.id));
  for (let at = 0; at < count && child.exitCode === null; at += 1) {
    const id = `f${at}`;
    const { line, isAnswered } = mutatedMessage(random, id);
    if (isAnswered) waiting.add(JSON.stringify(id));
    // A request that is called off may stay without an answer.
    for (const [, cancelled] of line.matchAll(/"requestId":"(f\d+)"/g))
      waiting.delete(JSON.stringify(cancelled));
    send(line);
    if (at % 50 !== 49) continue;
    await input.flush();
    const third = Math.min(2, Math.floor((at * 3) / count));
    peaks[third] = Math.max(peaks[third]!, residentBytes(child.pid));
    while (waiting.size > 200 && child.exitCode === null)
      await Promise.race([
        child.exited,
        Bun.sleep(20_000),
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
      ]);
  }
  await input.flush();
  for (let waited = 0; waiting.size > 0 && waited < 300 && child.exitCode === null; waited += 1)
    await Bun.sleep(100);
  if (child.exitCode !== null) problems.push(`the server ended with ${child.exitCode}`);
  if (waiting.size > 0)
    problems.push(`${waiting.size} without an answer: ${[...waiting].slice(0, 5).join()}`);
  input.end();
  const code = await child.exited;
  await reading;
  if (code !== 0) problems.push(`ended with ${code}: ${(await said).slice(-500)}`);
  if (/\n\s+at .*\d+:\d+/.test(await said))
    problems.push(`a bug was reported: ${(await said).slice(0, 1500)}`);
  const [earlyPeakBytes = 0, , latePeakBytes = 0] = peaks;
  return { sent: count, answered, problems, peakBytes: Math.max(...peaks), earlyPeakBytes, latePeakBytes };
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: "first",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } },
};

const SEEDS: readonly Record<string, unknown>[] = [
  { method: "ping" },
  { method: "tools/list" },
  { method: "tools/call", params: { name: "search", arguments: { query: "backup", limit: 3 } } },
  {
    method: "tools/call",
    params: { name: "search", arguments: { query: "休暇 -残業", path_globs: ["**"], exclude: ["x"] } },
  },
  {
    method: "tools/call",
    params: { name: "get_document", arguments: { path: "runbooks/deploy.md", start_line: 2 } },
  },
  {
    method: "tools/call",
    params: { name: "get_document", arguments: { path: "runbooks/deploy.md", heading: "a" } },
  },
  {
    method: "tools/call",
    params: { name: "get_document", arguments: { path: "runbooks/deploy.md", next: "1.0.1.000000000000" } },
  },
  { method: "tools/call", params: { name: "list_topics", arguments: { titles: 2, next: "1" } } },
  { method: "tools/call", params: { name: "get_best_practice", arguments: { target: "x", category: "y" } } },
  { method: "prompts/list" },
  {
    method: "prompts/get",
    params: { name: "whats_new", arguments: { since: "2026-01-01", language: "ja" } },
  },
  { method: "resources/list", params: { cursor: "0" } },
  { method: "resources/templates/list" },
  { method: "resources/read", params: { uri: "kb://doc/runbooks/deploy.md" } },
  { method: "resources/read", params: { uri: "kb://topic/runbooks" } },
  {
    method: "completion/complete",
    params: { ref: { type: "ref/resource", uri: "kb://doc/{path}" }, argument: { name: "path", value: "r" } },
  },
  { method: "logging/setLevel", params: { level: "error" } },
  { method: "nonsense/call", params: {} },
];

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "\0",
  "\ud800",
  "../../../etc/passwd",
  "/etc/passwd",
  "%2e%2e/%2e%2e",
  "file:///etc/passwd",
  "kb://doc/../x",
  "C:\\x",
  '"',
  '""',
  '"unclosed',
  "-",
  "-x",
  "*",
  "{".repeat(500),
  "[".repeat(200),
  "(((((a+)+)+)+)+)$",
  "!(a|!(b|!(c)))",
  "{1..100000}",
  "あ".repeat(3000),
  "a ".repeat(5000),
  "𠮷",
  "\u202e\u0007",
  "__proto__",
  "constructor",
  "toString",
  [],
  {},
  [[]],
  [null],
  { __proto__: 1 },
  { length: 5 },
];

function mutatedMessage(random: Random, id: string): { line: string; isAnswered: boolean } {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const message = structuredClone({ jsonrpc: "2.0", id, ...pick(SEEDS) }) as Record<string, unknown>;
  const rounds = Math.floor(random() * 4);
  for (let round = 0; round < rounds; round += 1) mutate(message, random, pick);
  const text = JSON.stringify(message);
  const kind = random();
  if (kind < 0.03) return { line: text.slice(0, Math.floor(random() * text.length)), isAnswered: false };
  if (kind < 0.05) return { line: scrambled(text, random), isAnswered: false };
  if (kind < 0.06) return { line: `[${text}]`, isAnswered: false };
  if (kind < 0.07)
    return {
      line: JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: `f${Math.floor(random() * 9999)}` },
      }),
      isAnswered: false,
    };
  if (kind < 0.075)
    return {
      line: `{"jsonrpc":"2.0","id":"${id}","method":"ping","params":${'{"a":'.repeat(3000)}1${"}".repeat(3000)}}`,
      isAnswered: true,
    };
  return { line: text, isAnswered: message["id"] === id && !("result" in message) && !("error" in message) };
}

/** Puts an odd value somewhere, takes something away or adds it; never the id. */
function mutate(
  message: Record<string, unknown>,
  random: Random,
  pick: <Item>(items: readonly Item[]) => Item,
): void {
  let place: Record<string, unknown> = message;
  for (;;) {
    const names = Object.keys(place).filter((name) => place !== message || name !== "id");
    if (names.length === 0 || random() < 0.08) {
      place[pick(["limit", "extra", "params", "path", "_meta", "lmit"])] = structuredClone(pick(ODD_VALUES));
      return;
    }
    const name = pick(names);
    const inner = place[name];
    if (typeof inner === "object" && inner !== null && random() < 0.85) {
      place = inner as Record<string, unknown>;
      continue;
    }
    if (random() < 0.15) delete place[name];
    else place[name] = structuredClone(pick(ODD_VALUES));
    return;
  }
}

function scrambled(text: string, random: Random): string {
  const units = [...text];
  for (let at = 0; at < 3; at += 1)
    units[Math.floor(random() * units.length)] = String.fromCharCode(32 + Math.floor(random() * 90));
  return units.join("");
}

/** What names places of this machine or code; the odd values that were sent may come back. */
function findLeak(line: string, root: string): string | undefined {
  if (line.includes(root)) return root;
  return /\bat \S+ \(|\.ts:\d+:\d+|\/\$bunfs|node_modules/.exec(line)?.[0];
}

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) take(line);
  }
}

function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // not Linux, or it has ended
  }
}

function mulberry(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
