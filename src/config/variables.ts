/**
 * The environment variables of `kb`, defined once: name, values, effect.
 *
 * The README's table is checked against this list. `KB_RUNTIME` becomes typed here; the
 * paths do in `paths.ts` and `native/cache-folder.ts`.
 */
import type { RuntimeKind } from "../core/embedder.ts";
import { AppError } from "../errors.ts";

export interface VariableDefinition {
  readonly name: string;
  /** Legal values, in words. */
  readonly values: string;
  /** What it does and when to set it; one sentence. */
  readonly sentence: string;
}

/** All of them, in the order of the README's table; unset and empty are the same. */
export const VARIABLES: readonly VariableDefinition[] = [
  {
    name: "KB_PATH",
    values: "a folder",
    sentence: "The folder of documents, where `--kb` does not name one.",
  },
  {
    name: "KB_CACHE_DIR",
    values: "a folder that can be written and may hold programs",
    sentence: "Where libraries and model are unpacked to.",
  },
  {
    name: "KB_RUNTIME",
    values: "native, wasm",
    sentence:
      "What runs the model; unset, the native library where it loads, else WebAssembly, which needs no unpacked files, is several times slower and makes the same vectors.",
  },
];

/**
 * What `KB_RUNTIME` asks for; undefined when it leaves the choice to the program.
 *
 * @throws {AppError} `config` for a value that is neither.
 */
export function parseRuntime(
  variables: Readonly<Record<string, string | undefined>>,
): RuntimeKind | undefined {
  const value = variables["KB_RUNTIME"];
  if (value === undefined || value === "") return undefined;
  if (value === "native" || value === "wasm") return value;
  throw new AppError("config", `KB_RUNTIME is ${JSON.stringify(value)}, which is no runtime`, {
    hint: "Set it to native or wasm, or unset it.",
  });
}
