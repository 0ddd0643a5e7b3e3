/**
 * The inside of one embedding worker: an entry point of its own in the build.
 *
 * In come the session's files once, then one text at a time; out goes a vector
 * or a described failure for each. The order of texts, and what happens when
 * this thread dies, is the business of `passage-pool.ts`.
 */
import { AppError, type FailureCode, messageOf } from "../errors.ts";
import type { SessionFiles } from "./session.ts";
import { type Encoder, openTextEncoder } from "./text-encoder.ts";

/** What a worker is told. The first message is always `open`. */
export type WorkerRequest =
  | { readonly kind: "open"; readonly files: SessionFiles }
  | { readonly kind: "encode"; readonly text: string }
  | { readonly kind: "close" };

/** What a worker answers: one per `encode`, in order, and one per `close`. */
export type WorkerReply =
  | { readonly kind: "vector"; readonly vector: Float32Array }
  | { readonly kind: "failure"; readonly failure: WorkerFailure }
  | { readonly kind: "closed" };

/** An error in a form that survives the way between threads; no code means a bug. */
export interface WorkerFailure {
  readonly code: FailureCode | undefined;
  readonly message: string;
  readonly hint: string | undefined;
}

declare const self: {
  onmessage: (event: MessageEvent<WorkerRequest>) => void;
  postMessage(reply: WorkerReply, transfer?: readonly ArrayBufferLike[]): void;
};

let files: SessionFiles | undefined;
let encoder: Encoder | undefined;

self.onmessage = ({ data: request }) => {
  if (request.kind === "open") {
    files = request.files;
  } else if (request.kind === "close") {
    encoder?.close();
    encoder = undefined;
    self.postMessage({ kind: "closed" });
  } else {
    void answer(request.text);
  }
};

async function answer(text: string): Promise<void> {
  try {
    if (!files) throw new RangeError("a worker was given a text before its files");
    encoder ??= await openTextEncoder(files, { threads: 1 });
    const vector = encoder.encode(text, "passage");
    self.postMessage({ kind: "vector", vector }, [vector.buffer]);
  } catch (error) {
    const isExpected = error instanceof AppError;
    const failure = {
      code: isExpected ? error.code : undefined,
      message: messageOf(error),
      hint: isExpected ? error.hint : undefined,
    };
    self.postMessage({ kind: "failure", failure });
  }
}
