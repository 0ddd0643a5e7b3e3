/**
 * One loaded model: token ids in, one vector out.
 *
 * The ONNX Runtime binding is loaded by path, without its npm wrapper, and the
 * model is mapped into memory: that halves the time to the first vector. This
 * module loads nothing until a session is opened. Making the ids is
 * `tokenizer.ts`; checking the vector is `text-encoder.ts`.
 */
import { Tensor } from "onnxruntime-common";
import { AppError, messageOf } from "../errors.ts";
import { CACHE_HINT } from "../native/extract.ts";
import type { SessionFiles } from "./builtin-model.ts";

/** The runtime on the thread that opened it; whoever opened it closes it. */
interface Session {
  /**
   * Blocks the thread until the vector is there.
   *
   * @returns A copy the caller owns.
   * @throws {AppError} `model` if the runtime refuses the run.
   */
  run(ids: readonly number[]): Float32Array;
  /** Frees the model's memory; further runs fail. */
  close(): void;
}

/** The few names of the native binding that are used here. */
interface OnnxBinding {
  initOrtOnce(logLevel: number, tensor: typeof Tensor, isMainThread: boolean): void;
  readonly InferenceSession: new () => {
    loadModel(path: string, options: object): void;
    run(feeds: object, fetches: object, options: object): Readonly<Record<string, Tensor>>;
    dispose(): void;
  };
}

/** The runtime's own needs on Windows, where not every machine has them. */
const REDISTRIBUTABLE_HINT =
  "The ONNX Runtime needs the Microsoft Visual C++ Redistributable (MSVCP140.dll, VCRUNTIME140_1.dll): install it.";

/** The runtime writes to stderr only what it cannot throw: errors reach us as exceptions anyway. */
const LOG_LEVEL_FATAL = 4;

/**
 * Loads the runtime and the model.
 *
 * @param threads How many threads one run may use, at least 1.
 * @param isShortLived Opens 18 ms sooner and takes 1 ms longer a run: for a process that asks once.
 * @throws {AppError} `model` if the library cannot be loaded or refuses the model.
 */
export function openSession(files: SessionFiles, threads: number, isShortLived = false): Session {
  const binding = loadBinding(files.bindingPath);
  const session = new binding.InferenceSession();
  try {
    session.loadModel(files.modelPath, {
      intraOpNumThreads: threads,
      // The file was optimised when it was made.
      graphOptimizationLevel: "disabled",
      extra: {
        session: {
          use_memory_mapped_ort_model: "1",
          use_ort_model_bytes_for_initializers: "1",
          ...(isShortLived ? { disable_prepacking: "1" } : {}),
        },
        // On ARM processors with SME (Apple M4) these kernels take over prepacked 8-bit layers; under
        // emulation their vectors were wrong (cosine .62 for .78), those of the ordinary ones right.
        mlas: { disable_kleidiai: "1" },
      },
    });
  } catch (error) {
    throw new AppError("model", `cannot load the model ${files.modelPath}: ${messageOf(error)}`, {
      hint: "Delete that file and try again: it is unpacked anew.",
      cause: error,
    });
  }

  return {
    run(ids) {
      try {
        const feeds = {
          input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
          attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), [1, ids.length]),
        };
        const { embedding } = session.run(feeds, { embedding: null }, {});
        // The runtime may reuse the memory behind its tensor.
        return Float32Array.from(embedding!.data as Float32Array);
      } catch (error) {
        throw new AppError("model", `the model could not be run: ${messageOf(error)}`, { cause: error });
      }
    },
    close: () => session.dispose(),
  };
}

function loadBinding(path: string): OnnxBinding {
  const module: { exports: unknown } = { exports: {} };
  try {
    process.dlopen(module, path);
    const binding = module.exports as OnnxBinding;
    binding.initOrtOnce(LOG_LEVEL_FATAL, Tensor, Bun.isMainThread);
    return binding;
  } catch (error) {
    throw new AppError("model", `cannot load the ONNX Runtime from ${path}: ${messageOf(error)}`, {
      hint: process.platform === "win32" ? `${REDISTRIBUTABLE_HINT} ${CACHE_HINT}` : CACHE_HINT,
      cause: error,
    });
  }
}
