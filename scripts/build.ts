/**
 * `npm run build`: makes `dist/kb`, one executable for the platform this runs on.
 *
 * `-- --all` makes `dist/kb-<platform>` for every platform, `-- --target <name>` for the
 * named ones, and `dist/SHA256SUMS`; `--check` then tries those that this machine can run.
 * What goes in is checked against its checksum before, and looked for in the executable
 * afterwards. Prints what was made, what is inside, sizes, and the time it took.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { MODEL_ASSET, TOKENIZER_ASSET } from "../src/embed/builtin-model.ts";
import type { Asset } from "../src/native/asset-file.ts";
import { WASM_RUNTIME } from "../src/native/wasm-runtime.ts";
import { tryExecutable } from "./build/check.ts";
import { compileExecutable } from "./build/compile.ts";
import { checkAsset, checkContents, sha256Of } from "./build/contents.ts";
import { fetchPackages, fileOfPackage, placeBesideOthers } from "./build/packages.ts";
import { executableName, hostTarget, TARGETS, type Target } from "./build/targets.ts";

const DIST = resolve(import.meta.dir, "..", "dist");

try {
  await main();
} catch (thrown) {
  console.error(`build: ${thrown instanceof AggregateError ? thrown.errors.join("\n") : thrown}`);
  process.exit(1);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: {
      all: { type: "boolean", default: false },
      target: { type: "string", multiple: true, default: [] },
      check: { type: "boolean", default: false },
    },
  });
  const commit = findCommit();
  mkdirSync(DIST, { recursive: true });
  if (!values.all && values.target.length === 0) {
    const outfile = join(DIST, process.platform === "win32" ? "kb.exe" : "kb");
    await build(hostTarget(), undefined, commit, outfile);
    return;
  }

  const targets = values.all ? TARGETS : values.target.map(getTarget);
  await fetchFor(targets);
  for (const target of targets) {
    const outfile = join(DIST, executableName(target));
    await build(target, runtimeOf(target), commit, outfile);
    if (values.check) console.log(`  ${await tryExecutable(target, outfile)}`);
  }
  writeChecksums();
}

async function build(
  target: Target,
  runtimePath: string | undefined,
  commit: string,
  outfile: string,
): Promise<void> {
  const startedAt = performance.now();
  const isOwnRuntime = runtimePath === undefined || isSameFile(runtimePath, process.execPath);
  const { onnx, vectorExtension } = await target.loadLibraries();
  const libraries = [onnx?.binding, onnx?.runtime, vectorExtension].filter((asset) => asset !== undefined);
  const assets: readonly Asset[] = [MODEL_ASSET, TOKENIZER_ASSET, WASM_RUNTIME, ...libraries];
  for (const asset of assets) checkAsset(asset);
  await compileExecutable({ target, runtimePath, isOwnRuntime, commit, outfile });
  checkContents(outfile, assets);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${outfile} (${commit}), ${megabytes(Bun.file(outfile).size)}, ${seconds} s`);
  for (const { name, size, sha256 } of assets)
    console.log(`  ${sha256}  ${megabytes(size).padStart(9)}  ${name}`);
}

/** What an ordinary install on this machine has left out. */
async function fetchFor(targets: readonly Target[]): Promise<void> {
  const bunVersion = manifest.devDependencies.bun;
  if (Bun.version !== bunVersion)
    throw new Error(`this is Bun ${Bun.version}; executables are made with Bun ${bunVersion}: npm run build`);
  const libraryVersion = manifest.dependencies["sqlite-vec"];
  const libraryPackages = targets.flatMap((target) => target.libraryPackages);
  await fetchPackages(
    Object.fromEntries([
      ...targets.map((target) => [target.runtimePackage, bunVersion]),
      ...libraryPackages.map((name) => [name, libraryVersion]),
    ]),
  );
  for (const name of libraryPackages) placeBesideOthers(name, libraryVersion);
}

function runtimeOf(target: Target): string {
  const path = fileOfPackage(
    target.runtimePackage,
    target.name.startsWith("windows") ? "bin/bun.exe" : "bin/bun",
  );
  const actual = sha256Of(readFileSync(path));
  if (actual !== target.runtimeSha256)
    throw new Error(`${path} has SHA-256 ${actual}; expected ${target.runtimeSha256}`);
  return path;
}

function isSameFile(one: string, other: string): boolean {
  return Bun.file(one).size === Bun.file(other).size && readFileSync(one).equals(readFileSync(other));
}

/** Of all platforms' executables that are there, also those of an earlier run. */
function writeChecksums(): void {
  const lines = TARGETS.map(executableName)
    .filter((name) => existsSync(join(DIST, name)))
    .map((name) => `${sha256Of(readFileSync(join(DIST, name)))}  ${name}\n`);
  writeFileSync(join(DIST, "SHA256SUMS"), lines.join(""));
}

function getTarget(name: string): Target {
  const target = TARGETS.find((candidate) => candidate.name === name);
  if (target !== undefined) return target;
  throw new Error(`no platform ${name}; there are ${TARGETS.map((known) => known.name).join(", ")}`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Short hash, marked when the tree has changes; `unknown` outside a clone. */
function findCommit(): string {
  const git = Bun.which("git");
  if (!git) return "unknown";
  const { success, stdout } = Bun.spawnSync([git, "describe", "--always", "--dirty", "--exclude=*"], {
    cwd: import.meta.dir,
  });
  return success ? stdout.toString().trim() : "unknown";
}
