/**
 * The history of measurements: the form of its file, and what one run leaves in it.
 *
 * In go the values of a JSON text, out comes a history or that it is none. snake_case, because
 * these are the names in the file and in `kb eval --json`. Reading and writing the file is done
 * in `engine/evaluation/history-file.ts`.
 */
import { z } from "zod";

const byDepth = z.record(z.string(), z.number());

const measures = z.object({
  recall_at_k: byDepth,
  success_at_k: byDepth,
  mrr: z.number(),
  ndcg_at_k: byDepth,
});

const storedRun = z.object({
  /** When the run began, ISO 8601 UTC. */
  timestamp: z.string(),
  /** Runs compare if this is equal in every part. */
  fingerprint: z.record(z.string(), z.unknown()),
  /** What was measured on; it may grow without making runs incomparable. */
  corpus: z.object({ documents: z.number(), chunks: z.number(), digest: z.string() }),
  aggregate: measures.extend({ query_count: z.number() }),
  /** Of the queries that have expectations, in the order of the golden file. */
  per_query: z.array(
    z.object({
      id: z.string(),
      /** Of the first hit that is right, counted from 1. */
      rank: z.number().nullable(),
      metrics: z.object({ recall_at_k: byDepth, reciprocal_rank: z.number(), ndcg_at_k: byDepth }),
    }),
  ),
});

const history = z.object({
  /** Newest first. */
  runs: z.array(storedRun),
  /** Runs kept by name, whatever happens to the others. */
  baselines: z.record(z.string(), storedRun).default({}),
});

export type StoredRun = z.output<typeof storedRun>;
export type EvalHistory = z.output<typeof history>;

export const EMPTY_HISTORY: EvalHistory = { runs: [], baselines: {} };

/** Undefined if the text is no JSON or not of this form. Keys that are not known are left out. */
export function parseHistory(text: string): EvalHistory | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // the answer to the question
  }
  return history.safeParse(value).data;
}
