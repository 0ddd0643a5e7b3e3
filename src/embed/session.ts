/**
 * The port of a loaded model: token ids in, one vector out.
 *
 * `native-session.ts` and `wasm-session.ts` make sessions, `runtime-choice.ts` decides
 * which, from the same model file. Making the ids is `tokenizer.ts`; checking the vector
 * is `text-encoder.ts`.
 */

/** A model on the thread that opened it; whoever opened it closes it. */
export interface Session {
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

/** What a native session is made of: real files. */
export interface NativeFiles {
  readonly runtime: "native";
  readonly bindingPath: string;
  readonly modelPath: string;
}

/** What a WebAssembly session is made of; both files are read, so they may lie inside the executable. */
export interface WasmFiles {
  readonly runtime: "wasm";
  readonly wasmPath: string;
  readonly modelPath: string;
  /** The runtime's file, compiled; where several threads have one in common, it costs time and memory once. */
  readonly module?: WebAssembly.Module;
}

/** Can be sent to a worker. */
export type SessionFiles = NativeFiles | WasmFiles;

export interface SessionOptions {
  /** How many threads one run may use, at least 1; WebAssembly uses one whatever this says. */
  readonly threads: number;
  /** For a process that asks once: opens sooner where that can be had for slower runs. */
  readonly isShortLived?: boolean;
}
