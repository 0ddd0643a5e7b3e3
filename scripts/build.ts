/**
 * Builds `dist/kb`, one executable for the platform this runs on.
 *
 * In go `src/main.ts`, the workers' entry points and the files they import; the
 * shared libraries and the model are checked against their checksums first.
 * Prints what was made, its size and the time it took.
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { MODEL_ASSET, TOKENIZER_ASSET } from "../src/embed/builtin-model.ts";
import type { Asset } from "../src/native/asset-file.ts";
import { getNativeAssets } from "../src/native/platform.ts";
import { WASM_RUNTIME } from "../src/native/wasm-runtime.ts";

const ROOT = resolve(import.meta.dir, "..");
const OUTFILE = join(ROOT, "dist", process.platform === "win32" ? "kb.exe" : "kb");

/** Embeds Node-API binaries as plain files; Bun alone would try to load them where they are imported. */
const nodeBinariesAsFiles: BunPlugin = {
  name: "node-binaries-as-files",
  setup(build) {
    build.onResolve({ filter: /\.node\?file$/ }, ({ path, importer }) => ({
      path: Bun.resolveSync(path.replace(/\?file$/, ""), importer),
      namespace: "node-binary",
    }));
    build.onLoad({ filter: /\.node$/, namespace: "node-binary" }, async ({ path }) => ({
      contents: await Bun.file(path).bytes(),
      loader: "file",
    }));
  },
};

const startedAt = performance.now();
for (const asset of [MODEL_ASSET, TOKENIZER_ASSET, WASM_RUNTIME, ...Object.values(getNativeAssets())]) {
  await checkAsset(asset);
}
await mkdir(join(ROOT, "dist"), { recursive: true });
const commit = findCommit();
await Bun.build({
  // The first entry's folder is where those who start workers look for the others.
  entrypoints: ["main.ts", "embed/passage-worker.ts", "engine/prepare-worker.ts"].map((entry) =>
    join(ROOT, "src", entry),
  ),
  root: join(ROOT, "src"),
  format: "esm",
  // Names stay readable in a stack trace; the code is a hundredth of the file anyway.
  minify: false,
  // 4 MB more; `kb --version` starts in 11 ms instead of 46, the server answers in 65 instead of 120.
  bytecode: true,
  define: { KB_COMMIT: JSON.stringify(commit) },
  plugins: [nodeBinariesAsFiles],
  compile: { outfile: OUTFILE },
});
const megabytes = (Bun.file(OUTFILE).size / 1e6).toFixed(1);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(`${OUTFILE} (${commit}), ${megabytes} MB, ${seconds} s`);

async function checkAsset({ name, embeddedPath, sha256, size }: Asset): Promise<void> {
  const bytes = await Bun.file(embeddedPath).bytes();
  const actual = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  if (actual !== sha256 || bytes.length !== size) {
    throw new Error(
      `${name} has ${bytes.length} bytes and SHA-256 ${actual}; expected ${size} and ${sha256}`,
    );
  }
}

/** Short hash, marked when the tree has changes; `unknown` outside a clone. */
function findCommit(): string {
  const git = Bun.which("git");
  if (!git) return "unknown";
  const { success, stdout } = Bun.spawnSync([git, "describe", "--always", "--dirty", "--exclude=*"], {
    cwd: ROOT,
  });
  return success ? stdout.toString().trim() : "unknown";
}
