/**
 * Which runtime runs the built-in model: the native library where it loads, else WebAssembly.
 *
 * In go the cache folder and what the user asks for; out come the files of a session, what
 * to call the runtime, and why it is not the native one. Decided once per process and handed
 * to its workers as plain data. Both run the same model file, so an index does not ask which.
 */
import type { EmbedderRuntime, RuntimeKind } from "../core/embedder.ts";
import { AppError, sentencesOf } from "../errors.ts";
import { locateAssets } from "../native/extract.ts";
import { locateOnnxBinding } from "../native/onnx-binding.ts";
import { findOnnxAssets } from "../native/platform.ts";
import { WASM_RUNTIME } from "../native/wasm-runtime.ts";
import { MODEL_ASSET } from "./builtin-model.ts";
import { loadLibrary } from "./native-session.ts";
import type { SessionFiles } from "./session.ts";

export interface RuntimeChoice {
  readonly files: SessionFiles;
  readonly runtime: EmbedderRuntime;
}

/** Versions are those of the embedded libraries. */
const NAMES: Readonly<Record<RuntimeKind, string>> = {
  native: "onnxruntime-node 1.27.0",
  wasm: "onnxruntime-web 1.27.0 (WebAssembly)",
};

/**
 * Tries the native library unless WebAssembly is wanted: unpacks it on the first run ever, and loads it.
 *
 * @param wanted The only one to use; undefined prefers the native one.
 * @throws {AppError} `config` if the native one is wanted and does not load.
 */
export function chooseRuntime(cacheFolder: string, wanted: RuntimeKind | undefined): RuntimeChoice {
  if (wanted === "wasm") return wasmChoice({ reason: "KB_RUNTIME is wasm" });
  try {
    return { files: loadNative(cacheFolder), runtime: { name: NAMES.native } };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (wanted === "native") throw wantedInVain(thrown);
    return wasmChoice(hasNativeLibrary() ? repairableFailure(thrown) : { reason: thrown.message });
  }
}

/** WebAssembly in place of a native library that loads, but does not run the model. */
export function fallBack(error: AppError): RuntimeChoice {
  return wasmChoice(repairableFailure(error));
}

/** What `chooseRuntime` is likely to choose, without unpacking or loading anything. */
export function expectedRuntime(wanted: RuntimeKind | undefined): EmbedderRuntime {
  return { name: NAMES[wanted ?? (hasNativeLibrary() ? "native" : "wasm")] };
}

function hasNativeLibrary(): boolean {
  return findOnnxAssets() !== undefined;
}

function loadNative(cacheFolder: string): SessionFiles {
  const bindingPath = locateOnnxBinding(cacheFolder);
  loadLibrary(bindingPath);
  const [modelPath] = locateAssets([MODEL_ASSET], cacheFolder);
  return { runtime: "native", bindingPath, modelPath: modelPath! };
}

function wasmChoice(why: { readonly reason: string; readonly problem?: string }): RuntimeChoice {
  return {
    // Read from where they are embedded: no folder has to be writable, or allowed to run programs.
    files: { runtime: "wasm", wasmPath: WASM_RUNTIME.embeddedPath, modelPath: MODEL_ASSET.embeddedPath },
    runtime: { name: NAMES.wasm, ...why },
  };
}

function repairableFailure(error: AppError): { reason: string; problem: string } {
  return {
    reason: error.message,
    problem: `the model runs as WebAssembly, several times slower: ${sentencesOf(error)}`,
  };
}

function wantedInVain(error: AppError): AppError {
  const hint = hasNativeLibrary() ? (error.hint ?? "") : "";
  return new AppError("config", `KB_RUNTIME is native, which does not load here: ${error.message}`, {
    hint: `Unset KB_RUNTIME to run the model as WebAssembly. ${hint}`.trim(),
    cause: error,
  });
}
