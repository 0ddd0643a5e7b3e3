/**
 * The leg that answers by meaning, or why it cannot: its troubles never cost the answer of the others.
 *
 * Vectors can be made anew from the documents, so a table of them that is gone or damaged is a
 * lesser answer and a sentence, not an error. Damage that the other legs meet is told as such.
 */
import type { Config } from "../../config/schema.ts";
import type { LegInput } from "../../core/fusion.ts";
import { sentencesOf } from "../../errors.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { isDamage, isSqliteError } from "../../store/sqlite-errors.ts";
import { findVectorDims } from "../../store/vectors.ts";
import { askDenseLeg } from "./legs.ts";
import type { LegRequest } from "./lexical-leg.ts";

export interface MeaningAnswer {
  /** One leg, or none if it is muted or cannot answer. */
  readonly legs: readonly LegInput[];
  /** Why it cannot, in a sentence with a remedy. */
  readonly problem?: string;
}

/** Asks the leg for the passages nearest to a vector; arguments as in `askDenseLeg`. */
export function askMeaning(
  db: IndexDatabase,
  vector: Float32Array,
  lexical: readonly LegInput[],
  request: LegRequest,
  settings: Config["search"]["fusion"],
): MeaningAnswer {
  if (settings.weight_dense === 0) return { legs: [] };
  try {
    if (findVectorDims(db) === undefined) return { legs: [], problem: problemWith("are gone") };
    return { legs: askDenseLeg(db, vector, lexical, request, settings) };
  } catch (thrown) {
    if (isDamage(thrown)) return { legs: [], problem: `${WORDS_ONLY}: ${sentencesOf(thrown)}` };
    // A vector of another length than the question's: SQLite's extension and our own scan each say it their way.
    if (!(isSqliteError(thrown) || thrown instanceof RangeError)) throw thrown;
    return { legs: [], problem: problemWith("cannot be compared with the question's") };
  }
}

const WORDS_ONLY = "passages are found by their words only";

function problemWith(what: string): string {
  return `${WORDS_ONLY}: the vectors of the index ${what}. Make the index anew with: kb index --force`;
}
