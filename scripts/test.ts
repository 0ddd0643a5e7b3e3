/**
 * `npm test`: everything that is checked, on a machine with only Node and npm.
 *
 * Installs, checks types and style, builds dist/kb, runs all tests, then tries the
 * executable alone (`smoke-test.ts`). A failing step does not hide the next ones. The
 * last line is `N passed, N failed`: each test of `bun test` and each other step is one.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";

const PROJECT = join(import.meta.dir, "..");
const BINARY = join(PROJECT, "dist", process.platform === "win32" ? "kb.exe" : "kb");
const bun = process.execPath;

let passed = 0;
let failed = 0;

if (await step("install", [bun, "install", "--frozen-lockfile"])) {
  await step("types", [bun, "node_modules/typescript/bin/tsc", "--noEmit", "-p", "."]);
  await step("style", [
    bun,
    "node_modules/@biomejs/biome/bin/biome",
    "ci",
    "--colors=off",
    "--diagnostic-level=warn",
  ]);
  rmSync(BINARY, { force: true }); // so that nothing below tries an older one
  await step("build", [bun, "scripts/build.ts"]);
  await bunTest();
  await step("executable alone", [bun, "scripts/smoke-test.ts"]);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs one step; it counts as one. */
async function step(name: string, command: readonly string[]): Promise<boolean> {
  console.log(`\n==> ${name}: ${command.slice(1).join(" ")}`);
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: PROJECT,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const isPassed = (await child.exited) === 0;
  if (isPassed) passed += 1;
  else failed += 1;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`==> ${name}: ${isPassed ? "passed" : "FAILED"} (${seconds} s)`);
  return isPassed;
}

/** Runs all tests and adds bun's own counts; a runner that crashed or found nothing is one failure. */
async function bunTest(): Promise<void> {
  console.log("\n==> tests: bun test");
  const child = Bun.spawn([bun, "test"], {
    cwd: PROJECT,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "pipe",
  });
  let report = "";
  const decoder = new TextDecoder();
  for await (const part of child.stderr) {
    process.stderr.write(part);
    report += decoder.decode(part, { stream: true });
  }
  const code = await child.exited;
  const passes = lastCount(report, "pass");
  const failures = lastCount(report, "fail");
  passed += passes;
  failed += failures;
  if (failures === 0 && (code !== 0 || passes === 0)) {
    console.log(`==> tests: bun test ended with ${code} without a failing test`);
    failed += 1;
  }
}

/** Bun's summary is its last lines, such as ` 12 pass`; it counts files that do not load as failures. */
function lastCount(report: string, word: "pass" | "fail"): number {
  return Number([...report.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
}
