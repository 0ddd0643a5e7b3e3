/**
 * What a server and the processes that search for it write to each other: lines of JSON.
 *
 * The server sends a search, and the next only when that is answered. Meanwhile the reader may ask for the
 * vector of its question, since only one process of a server holds the model.
 */
import type { SearchRequest } from "../../config/request.ts";
import type { EmbedderRuntime } from "../../core/embedder.ts";
import { AppError, type FailureCode, messageOf } from "../../errors.ts";
import type { SearchAnswer } from "../search/search-answer.ts";
import type { StageTime } from "../search/stage-times.ts";

export interface FailureLine {
  readonly failure: {
    /** Absent for a bug. */
    readonly code?: FailureCode;
    readonly message: string;
    readonly hint?: string | undefined;
  };
}

/** What the server writes. */
export type ToReader =
  | { readonly search: SearchRequest }
  | {
      /** The numbers of the vector asked for. */
      readonly vector: readonly number[];
      readonly runtime: EmbedderRuntime;
    }
  | FailureLine;

/** What a search by a reader gives. */
export interface ReaderAnswer {
  readonly answer: SearchAnswer;
  /** As `EngineSearchOptions.onChangedDocument` tells it. */
  readonly changed?: string | undefined;
  readonly stages: readonly StageTime[];
}

/** What a reader writes. */
export type FromReader = { readonly embed: string } | ReaderAnswer | FailureLine;

export function failureLine(thrown: unknown): FailureLine {
  if (thrown instanceof AppError)
    return { failure: { code: thrown.code, message: thrown.message, hint: thrown.hint } };
  return {
    failure: { message: thrown instanceof Error ? (thrown.stack ?? thrown.message) : messageOf(thrown) },
  };
}

/** What was thrown on the other side. */
export function failureOf({ failure: { code, message, hint } }: FailureLine): Error {
  return code === undefined
    ? new Error(message)
    : new AppError(code, message, hint === undefined ? {} : { hint });
}
