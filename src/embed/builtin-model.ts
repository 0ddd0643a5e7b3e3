/**
 * The built-in model: its files, and what an index made with it must remember.
 *
 * Constants only. They describe exactly the two files in `builtin/` (see its README),
 * which a test checks by their checksums. What runs the model is `runtime-choice.ts`.
 */
import type { EmbedderIdentity } from "../core/embedder.ts";
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
