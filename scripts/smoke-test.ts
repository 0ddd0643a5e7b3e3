/**
 * Tries the executable where nothing else is: an empty folder, an empty home, no
 * node_modules above, a working directory that cannot be written.
 *
 * What matters most cannot be seen from source: that the model and the libraries inside
 * really load. So vectors must have been used, not merely results found. Ends with 1
 * and every failed check on stderr.
 *
 * `[--wasm] [command…]` tries another executable than `dist/kb`: the last word, behind what it
 * takes to run it; the flag is for a platform without a native library for the model.
 */
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

interface Answer {
  readonly results: readonly { readonly path: string; readonly scores: { readonly dense?: unknown } }[];
  readonly index: { readonly state: string; readonly vectors: number };
  readonly degraded?: string;
  readonly engine: { readonly runtime: string };
}

type Variables = Readonly<Record<string, string>>;

const PROJECT = join(import.meta.dir, "..");
const BUILT = join(PROJECT, "dist", process.platform === "win32" ? "kb.exe" : "kb");
const hasNativeRuntime = process.argv[2] !== "--wasm";
const command = process.argv.slice(hasNativeRuntime ? 2 : 3);
const runner = command.slice(0, -1);
/** Enough to answer the questions below; an emulated processor needs seconds for each passage. */
const A_FEW_DOCUMENTS = ["handbook/security.md", "runbooks/deploy.md", "runbooks/バックアップ.md"];
const place = mkdtempSync(join(tmpdir(), "kb-smoke-"));
const problems: string[] = [];

try {
  await main();
} catch (thrown) {
  problems.push(String(thrown));
} finally {
  rmSync(place, { recursive: true, force: true });
}
for (const problem of problems) console.error(`smoke test: ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);

async function main(): Promise<void> {
  const binary = join(place, "kb");
  const docs = join(place, "docs");
  copyFileSync(command.at(-1) ?? BUILT, binary);
  for (const part of runner.length === 0 ? ["."] : A_FEW_DOCUMENTS)
    cpSync(join(PROJECT, "test", "fixtures", "sample", part), join(docs, part), { recursive: true });
  for (const name of ["home", "cwd"]) mkdirSync(join(place, name));
  chmodSync(join(place, "cwd"), 0o555);
  for (let folder = place; folder !== dirname(folder); folder = dirname(folder))
    check(
      !existsSync(join(folder, "node_modules")),
      `${folder} has node_modules; the test would prove nothing`,
    );

  const version = await run([binary, "--version"]);
  check(version.code === 0 && version.stdout.startsWith("kb "), `kb --version: ${show(version)}`);

  const index = await run([binary, "index", docs, "--json"]);
  check(index.code === 0, `kb index: ${show(index)}`);

  await checkSearch(binary, docs, "間違って消したデータを元に戻したい", "バックアップ");
  await checkSearch(binary, docs, "what do I do if a thief takes my laptop?", "security.md");
  if (hasNativeRuntime && runner.length === 0) await checkOtherRuntime(binary, docs);

  const answers = await serve(binary, docs);
  check(
    answers.length === 2,
    `kb serve answered ${answers.length} of 2 requests: ${JSON.stringify(answers)}`,
  );
  const tools = JSON.stringify(answers[1]);
  check(tools?.includes('"search"') ?? false, `tools/list does not name search: ${tools}`);
}

/** The same folder, and one of its own, with WebAssembly although the native library works here. */
async function checkOtherRuntime(binary: string, docs: string): Promise<void> {
  const other = join(place, "docs-of-wasm");
  cpSync(join(docs, "runbooks", "バックアップ.md"), join(other, "バックアップ.md"));
  const wasm = { KB_RUNTIME: "wasm" };
  const index = await run([binary, "index", other, "--json"], wasm);
  check(index.code === 0, `kb index with WebAssembly: ${show(index)}`);
  for (const folder of [docs, other])
    await checkSearch(binary, folder, "間違って消したデータを元に戻したい", "バックアップ", wasm);
}

async function checkSearch(
  binary: string,
  docs: string,
  query: string,
  expectedPath: string,
  variables: Variables = {},
): Promise<void> {
  const result = await run([binary, "search", query, "--kb", docs, "--json"], variables);
  if (result.code !== 0) return check(false, `kb search ${query}: ${show(result)}`);
  const answer = JSON.parse(result.stdout) as Answer;
  check(
    answer.results[0]?.path.includes(expectedPath) ?? false,
    `"${query}" did not find ${expectedPath}: ${result.stdout}`,
  );
  check(
    answer.results.some((hit) => hit.scores.dense !== undefined) && answer.degraded === undefined,
    `"${query}" was answered without vectors: ${result.stdout}`,
  );
  const { runtime } = answer.engine;
  check(
    runtime.includes("WebAssembly") === (!hasNativeRuntime || variables["KB_RUNTIME"] === "wasm"),
    `"${query}" was answered by ${runtime} under ${JSON.stringify(variables)}`,
  );
  check(answer.index.vectors === 1, `vectors cover ${answer.index.vectors} of the index`);
}

/** Opens a session, lists the tools, closes stdin; answers with the parsed lines of stdout that carry an id. */
async function serve(binary: string, docs: string): Promise<object[]> {
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "smoke-test", version: "1.0.0" },
  };
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
  ];
  const child = spawn([binary, "serve", "--kb", docs], "pipe");
  const input = child.stdin as Bun.FileSink;
  for (const message of messages) input.write(`${JSON.stringify(message)}\n`);
  input.flush();
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of child.stdout) {
    text += decoder.decode(part, { stream: true });
    if (text.split("\n").length > 2) input.end();
  }
  check((await child.exited) === 0, `kb serve ended with ${child.exitCode} after its stdin was closed`);
  const lines = text.split("\n").filter((line) => line !== "");
  return lines
    .map((line) => JSON.parse(line) as { id?: number })
    .filter((message) => message.id !== undefined);
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: readonly string[], variables: Variables = {}): Promise<Result> {
  const child = spawn(command, "ignore", variables);
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

function spawn(own: readonly string[], stdin: "pipe" | "ignore", variables: Variables = {}) {
  return Bun.spawn([...runner, ...own], {
    cwd: join(place, "cwd"),
    env: { PATH: "/nonexistent", HOME: join(place, "home"), ...variables },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
    timeout: 120_000,
    killSignal: "SIGKILL",
  });
}

function check(isTrue: boolean, problem: string): void {
  if (!isTrue) problems.push(problem);
}

function show({ code, stdout, stderr }: Result): string {
  return `exit ${code}\n${stdout}\n${stderr}`;
}
