/**
 * The one port: how the engine asks for the meaning of a text as numbers.
 *
 * The built-in model implements it in `embed/`, and so does the hash embedder of
 * the tests; both pass `test/contract/embedder-contract.ts`.
 */

/** What an index must have been made with for its vectors to be comparable. */
export interface EmbedderIdentity {
  readonly name: string;
  /** SHA-256 of the model file, hex, or another stable fingerprint. */
  readonly revision: string;
  readonly dims: number;
  readonly maxTokens: number;
  readonly pooling: "mean";
  readonly queryPrefix: string;
  readonly passagePrefix: string;
}

/** How the built-in model is run: by a shared library, or by WebAssembly anywhere. */
export type RuntimeKind = "native" | "wasm";

/** What runs a model, for reports. */
export interface EmbedderRuntime {
  /** Library and version, such as `onnxruntime-node 1.27.0`. */
  readonly name: string;
  /** Why it is not the fastest one there is; absent when it is. */
  readonly reason?: string;
  /** The same as a sentence with a remedy; absent when nothing can be done, or it was asked for. */
  readonly problem?: string;
}

export interface Embedder {
  readonly identity: EmbedderIdentity;
  /** What ran the model; before anything was embedded, what is expected to. */
  readonly runtime: EmbedderRuntime;
  /**
   * What runs the model or would: finds out, but loads no model.
   *
   * @throws {AppError} `config` if the one that was asked for cannot be had.
   */
  findRuntime(): EmbedderRuntime;
  /** Share of the characters of `text`, spaces aside, that the model does not know: 0 to 1. Pure and cheap. */
  unknownShare(text: string): number;
  /** Tokens of `text` as a passage, with prefix and specials, uncut. Pure and cheap: needs no session. */
  countPassageTokens(text: string): number;
  /**
   * @returns One unit-length, finite vector of `identity.dims` numbers.
   * @throws {AppError} `model` if the runtime refuses the files or the run.
   */
  embedQuery(text: string): Promise<Float32Array>;
  /**
   * @returns One vector per text, in order. A text's vector does not depend on its neighbours.
   * @throws {AppError} `model` as above.
   */
  embedPassages(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}
