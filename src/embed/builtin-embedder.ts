/**
 * The built-in model behind the `Embedder` port.
 *
 * In go the cache folder and how many threads to use; out come vectors. Nothing
 * is unpacked or loaded before the first text. Queries run on the calling
 * thread, passages on workers, in `passage-pool.ts`. Files and constants are
 * `builtin-model.ts`.
 */
import { availableParallelism } from "node:os";
import type { Embedder, RuntimeKind } from "../core/embedder.ts";
import { AppError } from "../errors.ts";
import { BUILTIN_IDENTITY } from "./builtin-model.ts";
import { shareSessionFiles } from "./open-session.ts";
import { openPassagePool } from "./passage-pool.ts";
import { chooseRuntime, expectedRuntime, fallBack, type RuntimeChoice } from "./runtime-choice.ts";
import { countPassageTokens, openTextEncoder, openTokenizer } from "./text-encoder.ts";
import type { Tokenizer } from "./tokenizer.ts";

interface BuiltinEmbedderOptions {
  /** Where runtime and model are unpacked to. */
  readonly cacheFolder: string;
  /** The only runtime to use; as `chooseRuntime` says. */
  readonly runtime?: RuntimeKind | undefined;
  /** Threads of the calling thread's session, at least 1; default: one per core, at most 4. */
  readonly queryThreads?: number;
  /** Workers for passages, at least 1; each costs about 60 MB while it lives, 200 with WebAssembly. Default as above. */
  readonly workers?: number;
  /** For a process that asks once and ends; see `openSession`. */
  readonly isShortLived?: boolean;
}

/** More threads than this give little: a run is short, and other programs want cores too. */
const MAX_DEFAULT_THREADS = 4;

/** Opens the built-in model; costs nothing until it is used. */
export function openBuiltinEmbedder(options: BuiltinEmbedderOptions): Embedder {
  const defaultThreads = Math.min(availableParallelism(), MAX_DEFAULT_THREADS);
  const { cacheFolder, queryThreads = defaultThreads, workers = defaultThreads } = options;
  let tokenizer: Tokenizer | undefined;
  let choice: RuntimeChoice | undefined;

  const useTokenizer = () => {
    tokenizer ??= openTokenizer();
    return tokenizer;
  };
  const choose = () => {
    choice ??= chooseRuntime(cacheFolder, options.runtime);
    return choice;
  };
  const files = openedOnce(async () => shareSessionFiles(choose().files));
  const encoder = openedOnce(async () =>
    openTextEncoder(await files.use(), {
      threads: queryThreads,
      isShortLived: options.isShortLived ?? false,
      tokenizer: useTokenizer(),
    }),
  );
  const pool = openedOnce(async () => openPassagePool(await files.use(), workers));

  const close = async () => {
    await encoder.close((opened) => opened.close());
    await pool.close((opened) => opened.close());
  };
  /** Again with WebAssembly, once, if the native library loads and then refuses the model or fails at it. */
  const withFallback = async <T>(work: () => Promise<T>): Promise<T> => {
    const used = choose();
    try {
      return await work();
    } catch (thrown) {
      const isOther = choice !== used; // another call has fallen back meanwhile, and closed what this one used
      const isFailure = thrown instanceof AppError && thrown.code === "model";
      if (options.runtime !== undefined || used.files.runtime !== "native" || !(isOther || isFailure))
        throw thrown;
      if (!isOther) {
        choice = fallBack(thrown as AppError);
        await close();
        await files.close(() => {});
      }
      return await work();
    }
  };

  return {
    identity: BUILTIN_IDENTITY,
    get runtime() {
      return choice?.runtime ?? expectedRuntime(options.runtime);
    },
    findRuntime: () => choose().runtime,
    unknownShare: (text) => useTokenizer().unknownShare(text),
    countPassageTokens: (text) => countPassageTokens(useTokenizer(), text),
    embedQuery: (text) => withFallback(async () => (await encoder.use()).encode(text, "query")),
    embedPassages: async (texts) =>
      texts.length === 0 ? [] : withFallback(async () => (await pool.use()).embedPassages(texts)),
    close,
  };
}

/** Something that is opened when it is first used; an opening that failed is tried again at the next use. */
function openedOnce<T>(open: () => Promise<T>) {
  let opened: Promise<T> | undefined;
  return {
    use(): Promise<T> {
      opened ??= open().catch((error) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    /** Closes it if it is open; used again, it is opened anew. */
    async close(close: (value: T) => void | Promise<void>): Promise<void> {
      const closing = opened;
      opened = undefined;
      // What went wrong was told to whoever used it.
      await closing?.then(close, () => {});
    },
  };
}
