/**
 * `npm run quickstart`: from a fresh clone to two answered questions.
 *
 * Needs Node and npm only: this file runs on the Bun that npx fetched, before anything
 * is installed, so it imports no package and nothing of src. Installs, builds dist/kb,
 * indexes a copy of the sample documents, asks, and says what to type next.
 */
import { cpSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

const PROJECT = join(import.meta.dir, "..");
const BINARY = join(PROJECT, "dist", process.platform === "win32" ? "kb.exe" : "kb");
const SAMPLE = join(PROJECT, "test", "fixtures", "sample");
const COPY = join(PROJECT, "dist", "quickstart");

const QUESTIONS = [
  { language: "Japanese", query: "間違って消したデータを元に戻したい" },
  { language: "English, answered by meaning", query: "what do I do if a thief takes my laptop?" },
] as const;

try {
  await main();
} catch (thrown) {
  console.error(`\nquickstart: ${thrown instanceof Error ? thrown.message : thrown}`);
  process.exit(1);
}

async function main(): Promise<void> {
  announce("Installing the packages that bun.lock names");
  await run(
    [process.execPath, "install", "--frozen-lockfile"],
    "Is the package registry reachable from here? Try: npm ping",
  );

  announce(`Building ${fromHere(BINARY)}, one executable with everything inside`);
  await run(
    [process.execPath, join(PROJECT, "scripts", "build.ts")],
    "The lines above say what the build stumbled over.",
  );

  announce(`Indexing a copy of the sample documents in ${fromHere(COPY)}`);
  rmSync(COPY, { recursive: true, force: true });
  cpSync(SAMPLE, COPY, { recursive: true });
  await run([BINARY, "index", COPY], "To look closer: dist/kb status --kb dist/quickstart");

  for (const { language, query } of QUESTIONS) {
    announce(`Asking (${language}): kb search "${query}"`);
    await run(
      [BINARY, "search", query, "--limit", "2", "--kb", COPY],
      "The index did not answer; the lines above say why.",
    );
  }
  console.log(nextSteps());
}

/** Runs a command whose words go straight to the terminal. */
async function run(command: readonly string[], hint: string): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: PROJECT,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const code = await child.exited;
  if (code !== 0) throw new Error(`"${command.map(fromHere).join(" ")}" ended with ${code}. ${hint}`);
}

function announce(text: string): void {
  console.log(`\n==> ${text}`);
}

function fromHere(path: string): string {
  return path.startsWith(`${PROJECT}/`) ? relative(PROJECT, path) : path;
}

function nextSteps(): string {
  const configuration = {
    mcpServers: { kb: { command: BINARY, args: ["serve", "--kb", "/path/to/your/notes"] } },
  };
  return `
==> Done. With your own documents:

  ${fromHere(BINARY)} index ~/notes
  ${fromHere(BINARY)} search "your question" --kb ~/notes
  ${fromHere(BINARY)} search "your question" --kb ~/notes --json

To let an agent ask, put this into the configuration of its MCP client:

${JSON.stringify(configuration, null, 2)}
`;
}
