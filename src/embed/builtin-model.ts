/**
 * The built-in model: its files, and what an index made with it must remember.
 *
 * In goes the cache folder; out come real paths. The constants describe exactly
 * the two files in `builtin/` (see its README), which a test checks by their
 * checksums. Running the model is `session.ts`.
 */
import type { EmbedderIdentity } from "../core/embedder.ts";
import { locateAssets } from "../native/extract.ts";
import { locateOnnxBinding } from "../native/onnx-binding.ts";
import modelPath from "./builtin/model-q8.ort" with { type: "file" };
import tokenizerPath from "./builtin/tokenizer.bin" with { type: "file" };

export const MODEL_ASSET = {
  name: "model-q8.ort",
  embeddedPath: modelPath,
  sha256: "ab8b5594b713b6a39f57d1bd452bf040cb7de5568c51629ad1e55a48f37437bc",
  size: 33_308_144,
} as const;

export const TOKENIZER_ASSET = {
  name: "tokenizer.bin",
  embeddedPath: tokenizerPath,
  sha256: "bb7f06e6febf68843fda5cd61ed696270a05cf98ba7d78f0e2c7a1a4c5e17731",
  size: 761_562,
} as const;

export const BUILTIN_IDENTITY: EmbedderIdentity = {
  name: "multilingual-e5-small-kb-49k-q8",
  revision: MODEL_ASSET.sha256,
  dims: 384,
  maxTokens: 512,
  pooling: "mean",
  queryPrefix: "query: ",
  passagePrefix: "passage: ",
};

/** What runs the model; the version is that of the embedded library. */
export const RUNTIME_NAME = "onnxruntime-node 1.27.0";

/** Real paths of what a session needs; plain data, so it can be sent to a worker. */
export interface SessionFiles {
  readonly bindingPath: string;
  readonly modelPath: string;
}

/**
 * Makes the runtime and the model loadable, unpacking them on the first run ever.
 *
 * @throws {AppError} `model` on a platform without the runtime, `io` if nothing can be unpacked.
 */
export function locateSessionFiles(cacheFolder: string): SessionFiles {
  const bindingPath = locateOnnxBinding(cacheFolder);
  return { bindingPath, modelPath: locateAssets([MODEL_ASSET], cacheFolder)[0]! };
}
