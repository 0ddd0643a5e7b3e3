/**
 * The built-in model behind the `Embedder` port.
 *
 * In go the cache folder and how many threads to use; out come vectors. Nothing
 * is unpacked or loaded before the first text. Queries run on the calling
 * thread or, if asked, on a worker; passages always on workers, in
 * `passage-pool.ts`. Files and constants are `builtin-model.ts`.
 */
import { availableParallelism } from "node:os";
import type { Embedder } from "../core/embedder.ts";
import { BUILTIN_IDENTITY, locateSessionFiles, RUNTIME_NAME } from "./builtin-model.ts";
import { openPassagePool, type PassagePool } from "./passage-pool.ts";
import { countPassageTokens, type Encoder, openTextEncoder, openTokenizer } from "./text-encoder.ts";
import type { Tokenizer } from "./tokenizer.ts";

interface BuiltinEmbedderOptions {
  /** Where runtime and model are unpacked to. */
  readonly cacheFolder: string;
  /** Threads of the calling thread's session, at least 1; default: one per core, at most 4. */
  readonly queryThreads?: number;
  /** Workers for passages, at least 1; each costs about 60 MB while it lives. Default as above. */
  readonly workers?: number;
  /** For a process that asks once and ends; see `openSession`. */
  readonly isShortLived?: boolean;
  /** Answers queries on a worker too, so that the calling thread stays free. */
  readonly areQueriesOnWorkers?: boolean;
}

/** More threads than this give little: a run is short, and other programs want cores too. */
const MAX_DEFAULT_THREADS = 4;

/** Opens the built-in model; costs nothing until it is used. */
export function openBuiltinEmbedder(options: BuiltinEmbedderOptions): Embedder {
  const defaultThreads = Math.min(availableParallelism(), MAX_DEFAULT_THREADS);
  const { cacheFolder, queryThreads = defaultThreads, workers = defaultThreads } = options;
  let tokenizer: Tokenizer | undefined;
  let encoder: Encoder | undefined;
  let pool: PassagePool | undefined;

  const useTokenizer = () => {
    tokenizer ??= openTokenizer();
    return tokenizer;
  };
  const useEncoder = () => {
    encoder ??= openTextEncoder(locateSessionFiles(cacheFolder), {
      threads: queryThreads,
      isShortLived: options.isShortLived ?? false,
      tokenizer: useTokenizer(),
    });
    return encoder;
  };
  const usePool = () => {
    pool ??= openPassagePool(locateSessionFiles(cacheFolder), workers);
    return pool;
  };

  return {
    identity: BUILTIN_IDENTITY,
    runtime: RUNTIME_NAME,
    countPassageTokens: (text) => countPassageTokens(useTokenizer(), text),
    embedQuery: async (text) =>
      options.areQueriesOnWorkers ? usePool().embedQuery(text) : useEncoder().encode(text, "query"),
    embedPassages: async (texts) => (texts.length === 0 ? [] : usePool().embedPassages(texts)),
    async close() {
      encoder?.close();
      await pool?.close();
      encoder = undefined;
      pool = undefined;
    },
  };
}
