/**
 * How sure an answer is: what speaks for its best passage in, one number from 0 to 1 out.
 *
 * Only absolute evidence counts, never how the hits of one answer compare with each other: one
 * hit may be a good answer and ten equal ones may be none. Which words a passage holds is
 * found out in `engine/search/evidence.ts`; the border of `low_confidence` is a setting.
 */

/** A word of the question, and whether the best passage has it. */
export interface SoughtWord {
  /** How much it says: its inverse document frequency; above 0. A word that no passage has weighs most. */
  readonly weight: number;
  /** Whether it is the exact name of something, or quoted: a passage without it is about something else. */
  readonly isName: boolean;
  readonly isFound: boolean;
}

/** What the best passage has of the words of the question. */
export interface WordEvidence {
  /** Share of the words by weight, 0 to 1. */
  readonly coverage: number;
  /** Share of the names, 0 to 1; undefined if the question has none. */
  readonly names: number | undefined;
}

export interface Evidence extends WordEvidence {
  /** The best cosine of the question and a passage, -1 to 1; undefined if meaning was not searched. */
  readonly cosine: number | undefined;
  /** Share of the passages that have a vector, 0 to 1. */
  readonly vectorCoverage: number;
}

/** @param words Of the question; without any, nothing is covered. */
export function wordEvidence(words: readonly SoughtWord[]): WordEvidence {
  const sum = (some: readonly SoughtWord[]) => some.reduce((total, { weight }) => total + weight, 0);
  const names = words.filter(({ isName }) => isName);
  const total = sum(words);
  return {
    coverage: total === 0 ? 0 : sum(words.filter(({ isFound }) => isFound)) / total,
    names: names.length === 0 ? undefined : names.filter(({ isFound }) => isFound).length / names.length,
  };
}

/**
 * The confidence that evidence gives, above 0 and below 1; no piece of it lowers it when it grows.
 *
 * Two logistic models, one with and one without the cosine; in between while vectors are being
 * made. Their weights were fitted by `bun scripts/quality.ts --confidence` on the judged set, 138
 * questions that its documents answer and 60 that they do not, both kinds weighing the same; so
 * 0.5 means that a question is as likely answered as not where half of all questions are. The
 * coverage is squared, because some shared words say nothing and all of them nearly everything.
 * The level of the cosine is that of multilingual-e5-small.
 */
export function confidenceOf({ coverage, names = 1, cosine, vectorCoverage }: Evidence): number {
  const words = (weights: WordWeights) => weights.coverage * coverage ** 2 + weights.names * names;
  const byWords = logistic(words(BY_WORDS) + BY_WORDS.intercept);
  if (cosine === undefined) return byWords;
  const nearness = Math.min(Math.max(cosine, COSINE_MIN), COSINE_MAX);
  const byAll = logistic(words(BY_ALL) + BY_ALL.cosine * nearness + BY_ALL.intercept);
  return byWords + vectorCoverage * (byAll - byWords);
}

interface WordWeights {
  readonly coverage: number;
  readonly names: number;
  readonly intercept: number;
}

const BY_WORDS: WordWeights = { coverage: 4.5, names: 4.3, intercept: -5.25 };
const BY_ALL = { coverage: 3.9, names: 4.4, cosine: 15.7, intercept: -18.8 };

/** Cosines beyond these say no more than they do: nothing in the judged set is there. */
const COSINE_MIN = 0.8;
const COSINE_MAX = 0.95;

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
