/**
 * A session of the native ONNX Runtime.
 *
 * The binding is loaded by path, without its npm wrapper, and the model is mapped into
 * memory: that halves the time to the first vector. Nothing is loaded until asked for;
 * where the files lie is `runtime-choice.ts`.
 */
import { Tensor } from "onnxruntime-common";
import { AppError, messageOf } from "../errors.ts";
import { CACHE_HINT } from "../native/extract.ts";
import type { NativeFiles, Session, SessionOptions } from "./session.ts";

/** The few names of the native binding that are used here. */
interface OnnxBinding {
  initOrtOnce(logLevel: number, tensor: typeof Tensor, isMainThread: boolean): void;
  readonly InferenceSession: new () => {
    loadModel(path: string, options: object): void;
    run(feeds: object, fetches: object, options: object): Readonly<Record<string, Tensor>>;
    dispose(): void;
  };
}

/** The runtime writes to stderr only what it cannot throw: errors reach us as exceptions anyway. */
const LOG_LEVEL_FATAL = 4;

/**
 * Loads the runtime and the model.
 *
 * @param options `isShortLived` opens 18 ms sooner and takes 1 ms longer a run.
 * @throws {AppError} `model` if the library cannot be loaded or refuses the model.
 */
export function openNativeSession(
  { bindingPath, modelPath }: NativeFiles,
  { threads, isShortLived = false }: SessionOptions,
): Session {
  const binding = loadBinding(bindingPath);
  const session = new binding.InferenceSession();
  try {
    session.loadModel(modelPath, {
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
    throw new AppError("model", `cannot load the model ${modelPath}: ${messageOf(error)}`, {
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

/**
 * Loads the library into the process, which costs some milliseconds and proves that it can be.
 *
 * @returns What it exports.
 * @throws {AppError} `model` with the loader's reason.
 */
export function loadLibrary(path: string): unknown {
  const module: { exports: unknown } = { exports: {} };
  try {
    process.dlopen(module, path);
    return module.exports;
  } catch (error) {
    throw new AppError("model", `cannot load the ONNX Runtime from ${path}: ${messageOf(error)}`, {
      hint: CACHE_HINT,
      cause: error,
    });
  }
}

function loadBinding(path: string): OnnxBinding {
  const binding = loadLibrary(path) as OnnxBinding;
  try {
    binding.initOrtOnce(LOG_LEVEL_FATAL, Tensor, Bun.isMainThread);
    return binding;
  } catch (error) {
    throw new AppError("model", `cannot start the ONNX Runtime from ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
