/**
 * Makes one executable out of the sources and a runtime.
 *
 * In go `src/main.ts`, the workers' entry points and the files they import; out comes a
 * file. Whether it holds what it should is found out in `contents.ts`.
 */
import { join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import type { Target } from "./targets.ts";

const PROJECT = resolve(import.meta.dir, "..", "..");

/** Below src. The first one's folder is where those who start workers look for the others. */
export const ENTRY_POINTS: readonly string[] = [
  "main.ts",
  "embed/passage-worker.ts",
  "engine/indexing/prepare-worker.ts",
];

export interface CompileOptions {
  readonly target: Target;
  /** The runtime to put in; undefined takes the one this runs on. */
  readonly runtimePath: string | undefined;
  /** Whether that runtime is, byte for byte, the one this runs on. */
  readonly isOwnRuntime: boolean;
  /** Short hash to be told by `kb --version`. */
  readonly commit: string;
  readonly outfile: string;
}

/** @throws {AggregateError} With what the bundler has to say. */
export async function compileExecutable(options: CompileOptions): Promise<void> {
  const { target, runtimePath, isOwnRuntime, commit, outfile } = options;
  await Bun.build({
    entrypoints: ENTRY_POINTS.map((entry) => join(PROJECT, "src", entry)),
    root: join(PROJECT, "src"),
    format: "esm",
    // Names stay readable in a stack trace; the code is a hundredth of the file anyway.
    minify: false,
    // 4 MB more; `kb --version` starts in 11 ms instead of 46, the server answers in 65 instead of 120.
    // Only for the very runtime that makes it: others have been seen to crash on it at the start.
    bytecode: isOwnRuntime,
    define: { KB_COMMIT: JSON.stringify(commit), KB_LIBC: JSON.stringify(target.libc) },
    plugins: [nodeBinariesAsFiles],
    compile: {
      target: target.bunTarget,
      outfile,
      // Whoever stands in a folder must not run what lies in it: a bunfig.toml there could name code to load first.
      autoloadBunfig: false,
      autoloadDotenv: false,
      ...(runtimePath === undefined ? {} : { executablePath: runtimePath }),
    },
  });
}

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
