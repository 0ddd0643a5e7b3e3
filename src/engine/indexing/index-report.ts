/**
 * What an indexing run tells: while it goes on, and at its end.
 *
 * snake_case, because the report is what `kb index --json` prints. Making it is the
 * work of `index-folder.ts`; showing progress on a terminal is `cli/progress.ts`.
 */

/** Sent often; the receiver decides how often to show it. */
export interface IndexProgress {
  readonly stage: "scan" | "text" | "vectors";
  /** Files in `scan` and `text`, chunks in `vectors`. */
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
}

export interface PathMessage {
  readonly path: string;
  readonly message: string;
}

/** What a run did to the documents. */
export interface TextChanges {
  readonly added: number;
  readonly updated: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Files that gave no document, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Documents that were indexed although something about them was odd. */
  readonly warnings: readonly PathMessage[];
}

export interface IndexRunReport extends TextChanges {
  readonly root: string;
  readonly index_file: string;
  /** In the index after the run. */
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: {
    /** Share of chunks that have a vector, 0 to 1. */
    readonly coverage: number;
    readonly embedded: number;
    readonly pending: number;
    /** How many of those are given up, since the model ended kb at them twice; `kb status` names them. */
    readonly crashing?: number;
    /** How many were taken over from the index that was rebuilt, instead of being made again. */
    readonly carried_over?: number;
    /** Name of the other model whose vectors were removed, since this run's cannot be compared with them. */
    readonly replaced_model?: string;
    /** Why they were made slower than they could be here, in a sentence with a remedy. */
    readonly runtime_problem?: string;
    /** Why vectors could not be made, in a sentence with a remedy. */
    readonly problem?: string;
  };
  /** What was wrong with the old index, if it was damaged and this run made a new one. */
  readonly rebuilt_because?: string;
  /** Whether the run was stopped before it was done; the next one goes on. */
  readonly interrupted: boolean;
  readonly duration_ms: number;
  /** Of that, what making vectors took. */
  readonly vectors_duration_ms: number;
}
