/**
 * A text in the role of query or passage, turned into a checked vector.
 *
 * Puts prefix, tokenizer and session together on one thread; pooling and
 * normalising are inside the model. Choosing a thread, and opening anything
 * only when needed, is `builtin-embedder.ts` and `passage-pool.ts`.
 */
import { readFileSync } from "node:fs";
import { AppError } from "../errors.ts";
import { BUILTIN_IDENTITY, TOKENIZER_ASSET } from "./builtin-model.ts";
import { openSession } from "./open-session.ts";
import type { SessionFiles, SessionOptions } from "./session.ts";
import { Tokenizer } from "./tokenizer.ts";

/** The model was trained to see which of the two a text is. */
export type TextRole = "query" | "passage";

/** Longer questions gain nothing and would be paid for on every search. */
const MAX_QUERY_TOKENS = 128;
/** int8 arithmetic ends with a float32 division: what remains is rounding. */
const NORM_TOLERANCE = 1e-3;

/** Tokenizer and session of one thread; whoever opened it closes it. */
export interface Encoder {
  /**
   * Blocks the thread while the model runs.
   *
   * @returns A unit vector of the model's length; too long a text is cut at its end.
   * @throws {AppError} `model` if the run fails or yields no such vector.
   */
  encode(text: string, role: TextRole): Float32Array;
  close(): void;
}

/** @throws {AppError} `model` if the files are refused. */
export async function openTextEncoder(
  files: SessionFiles,
  options: SessionOptions & { readonly tokenizer?: Tokenizer },
): Promise<Encoder> {
  const tokenizer = options.tokenizer ?? openTokenizer();
  const session = await openSession(files, options);
  return {
    encode(text, role) {
      const maxTokens = role === "query" ? MAX_QUERY_TOKENS : BUILTIN_IDENTITY.maxTokens;
      return checkVector(session.run(tokenizer.encode(prefixOf(role) + text, maxTokens)));
    },
    close: () => session.close(),
  };
}

/**
 * Reads the built-in tokenizer, which takes a few milliseconds and needs no session.
 *
 * @throws {AppError} `model` if its file is damaged.
 */
export function openTokenizer(): Tokenizer {
  return new Tokenizer(readFileSync(TOKENIZER_ASSET.embeddedPath));
}

/** Tokens of a text as a passage, with prefix and marks, uncut. */
export function countPassageTokens(tokenizer: Tokenizer, text: string): number {
  return tokenizer.countTokens(prefixOf("passage") + text);
}

/** What the model wants to see before a text in this role. */
export function prefixOf(role: TextRole): string {
  return role === "query" ? BUILTIN_IDENTITY.queryPrefix : BUILTIN_IDENTITY.passagePrefix;
}

/** @throws {AppError} `model` unless the vector has the model's length, only finite numbers and norm 1. */
export function checkVector(vector: Float32Array): Float32Array {
  const { dims } = BUILTIN_IDENTITY;
  if (vector.length !== dims) {
    throw new AppError("model", `the model gave ${vector.length} numbers instead of ${dims}`);
  }
  const norm = Math.hypot(...vector);
  if (!(Math.abs(norm - 1) <= NORM_TOLERANCE)) {
    throw new AppError("model", `the model gave a vector of length ${norm} instead of 1`, {
      hint: "This processor may compute the model wrongly; searching by words works without it. Please report it.",
    });
  }
  return vector;
}
