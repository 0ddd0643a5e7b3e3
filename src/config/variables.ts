/**
 * Every environment variable that is `kb`'s own, defined once, and how those with a choice are read.
 *
 * The README's table of them is made from here (`scripts/settings-table.ts`). What a folder or a
 * cache is looked for with is read in `paths.ts` and `native/cache-folder.ts`.
 */
import type { RuntimeKind } from "../core/embedder.ts";
import { AppError } from "../errors.ts";

export interface VariableDefinition {
  readonly name: string;
  /** What holds where the variable is unset or empty. */
  readonly defaultText: string;
  /** Legal values, in words. */
  readonly range: string;
  /** What it does and when to set it; one sentence. */
  readonly sentence: string;
}

const RUNTIMES = ["native", "wasm"] as const satisfies readonly RuntimeKind[];
const VECTOR_ENGINES = ["sqlite-vec", "js"] as const;

/** In the order of the README. */
export const VARIABLES: readonly VariableDefinition[] = [
  {
    name: "KB_PATH",
    defaultText: "the nearest folder above with `kb.toml` or `.kb`",
    range: "a folder",
    sentence: "The folder of documents where no `--kb` names one.",
  },
  {
    name: "KB_CACHE_DIR",
    defaultText: "`$XDG_CACHE_HOME/kb`, else `~/.cache/kb`",
    range: "a folder on a disk that may run programs",
    sentence: "Where the shared libraries and the model are unpacked.",
  },
  {
    name: "KB_RUNTIME",
    defaultText: "native if it loads here, else wasm",
    range: RUNTIMES.join(", "),
    sentence:
      "What runs the model: the native library, or WebAssembly, which needs no unpacked files, is several times slower and makes the same vectors.",
  },
  {
    name: "KB_VECTOR_ENGINE",
    defaultText: "sqlite-vec if it works here, else js",
    range: VECTOR_ENGINES.join(", "),
    sentence:
      "What compares vectors: the SQLite extension sqlite-vec, or a scan of `kb`'s own that needs none; the answers are the same.",
  },
];

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What `KB_RUNTIME` asks for; undefined if it leaves the choice to `kb`.
 *
 * @throws {AppError} `config` for any other value.
 */
export function parseRuntime(variables: Variables): RuntimeKind | undefined {
  return parseChoice("KB_RUNTIME", variables["KB_RUNTIME"], RUNTIMES, "runtime");
}

/**
 * What `KB_VECTOR_ENGINE` asks for; undefined if it leaves the choice to `kb`.
 *
 * @throws {AppError} `config` for any other value.
 */
export function parseVectorEngine(variables: Variables): (typeof VECTOR_ENGINES)[number] | undefined {
  return parseChoice("KB_VECTOR_ENGINE", variables["KB_VECTOR_ENGINE"], VECTOR_ENGINES, "vector engine");
}

function parseChoice<Choice extends string>(
  name: string,
  value: string | undefined,
  choices: readonly Choice[],
  kind: string,
): Choice | undefined {
  if (value === undefined || value === "") return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new AppError("config", `there is no ${kind} ${JSON.stringify(value)} (${name})`, {
    hint: `Set ${name} to ${choices.join(" or ")}, or unset it.`,
  });
}
