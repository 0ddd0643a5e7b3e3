/**
 * Tries the executable where nothing else is: an empty folder, an empty home, no
 * node_modules above, a working directory that cannot be written.
 *
 * What matters most cannot be seen from source: that the model and the libraries inside
 * really load. So vectors must have been used, not merely results found. Ends with 1
 * and every failed check on stderr.
 *
 * `[--words-only] [command…]` tries another executable than `dist/kb`: the last word, behind
 * what it takes to run it; the flag is for a platform without the libraries for vectors.
 */
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

interface Answer {
  readonly results: readonly { readonly path: string; readonly scores: { readonly dense?: unknown } }[];
  readonly index: { readonly state: string; readonly vectors: number };
  readonly degraded?: string;
}

const PROJECT = join(import.meta.dir, "..");
const BUILT = join(PROJECT, "dist", process.platform === "win32" ? "kb.exe" : "kb");
const isWordsOnly = process.argv[2] === "--words-only";
const command = process.argv.slice(isWordsOnly ? 3 : 2);
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

  if (isWordsOnly) {
    await checkWordSearch(binary, docs, "shioctl rollback", "runbooks/deploy.md");
  } else {
    await checkSearch(binary, docs, "間違って消したデータを元に戻したい", "バックアップ");
    await checkSearch(binary, docs, "what do I do if a thief takes my laptop?", "security.md");
  }

  const answers = await serve(binary, docs);
  check(
    answers.length === 2,
    `kb serve answered ${answers.length} of 2 requests: ${JSON.stringify(answers)}`,
  );
  const tools = JSON.stringify(answers[1]);
  check(tools?.includes('"search"') ?? false, `tools/list does not name search: ${tools}`);
}

async function checkSearch(binary: string, docs: string, query: string, expectedPath: string): Promise<void> {
  const result = await run([binary, "search", query, "--kb", docs, "--json"]);
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
  check(answer.index.vectors === 1, `vectors cover ${answer.index.vectors} of the index`);
}

/** An answer without vectors has to say so. */
async function checkWordSearch(
  binary: string,
  docs: string,
  query: string,
  expectedPath: string,
): Promise<void> {
  const result = await run([binary, "search", query, "--kb", docs, "--json"]);
  if (result.code !== 0) return check(false, `kb search ${query}: ${show(result)}`);
  const answer = JSON.parse(result.stdout) as Answer;
  check(
    answer.results[0]?.path === expectedPath,
    `"${query}" did not find ${expectedPath}: ${result.stdout}`,
  );
  check(answer.degraded === "dense", `"${query}" does not say that vectors were not used: ${result.stdout}`);
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

async function run(command: readonly string[]): Promise<Result> {
  const child = spawn(command, "ignore");
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

function spawn(own: readonly string[], stdin: "pipe" | "ignore") {
  return Bun.spawn([...runner, ...own], {
    cwd: join(place, "cwd"),
    env: { PATH: "/nonexistent", HOME: join(place, "home") },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
    timeout: runner.length === 0 ? 120_000 : 1_200_000,
    killSignal: "SIGKILL",
  });
}

function check(isTrue: boolean, problem: string): void {
  if (!isTrue) problems.push(problem);
}

function show({ code, stdout, stderr }: Result): string {
  return `exit ${code}\n${stdout}\n${stderr}`;
}
