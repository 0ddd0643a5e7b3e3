/**
 * The question as a vector, or why it has none.
 *
 * What spoils it (no vectors yet, unknown characters, a model that does not work) costs the
 * dense leg only and is told in the answer. Asking the leg is done in `meaning-answer.ts`.
 */
import type { Embedder } from "../../core/embedder.ts";
import type { QueryPlan } from "../../core/query/plan.ts";
import { AppError, sentencesOf } from "../../errors.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { readStatusCounts } from "../../store/status-counts.ts";
import { hasWords } from "./query-info.ts";
import type { StageTimes } from "./stage-times.ts";

/** Above this a query's vector says little but that it is unknown, and all such queries are neighbours. */
const MAX_UNKNOWN_SHARE = 0.5;

/** A question as the dense leg wants it. */
export interface Question {
  /** Undefined where meaning is not searched. */
  readonly vector: Float32Array | undefined;
  /** Why not, in a sentence with a remedy; undefined where nothing is missing. */
  readonly problem: string | undefined;
}

/** Of a search that looks for nothing. */
export const NO_QUESTION: Promise<Question> = Promise.resolve({ vector: undefined, problem: undefined });

/**
 * The query's vector; none for a query without words, which would have arbitrary neighbours.
 *
 * @throws {AppError} `config` for a runtime that was asked for in vain.
 */
export async function embedQuestion(
  plan: QueryPlan,
  db: IndexDatabase,
  embedder: Embedder,
  times: StageTimes | undefined,
): Promise<Question> {
  if (!hasWords(plan.positiveText)) return { vector: undefined, problem: undefined };
  const { chunks, pending } = readStatusCounts(db);
  if (chunks === 0) return { vector: undefined, problem: undefined };
  if (chunks === pending)
    return {
      vector: undefined,
      problem: "passages are found by their words only until their vectors are made (kb index)",
    };
  if (embedder.unknownShare(plan.positiveText) > MAX_UNKNOWN_SHARE)
    return {
      vector: undefined,
      problem:
        "passages are found by their words only: the model does not know most of the query's characters",
    };
  const end = times?.beginBeside("embedding the question");
  try {
    const vector = await embedder.embedQuery(plan.positiveText);
    end?.();
    return { vector, problem: undefined };
  } catch (thrown) {
    // A runtime that was asked for and does not load is the user's to change.
    if (!(thrown instanceof AppError) || thrown.code === "config") throw thrown;
    return {
      vector: undefined,
      problem: `passages are found by their words only: ${sentencesOf(thrown)}`,
    };
  }
}
