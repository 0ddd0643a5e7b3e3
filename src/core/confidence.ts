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
  /** Share of the names, 0 to 1; left out if the question has none. */
  readonly names?: number | undefined;
}

export interface Evidence extends WordEvidence {
  /** The best cosine of the question and a passage, -1 to 1; left out if meaning was not searched. */
  readonly cosine?: number | undefined;
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
    ...(names.length === 0 ? {} : { names: names.filter(({ isFound }) => isFound).length / names.length }),
  };
}

/** What is weighed, each 0 to 1 and more being better; what is not known is left out. */
export interface Features {
  /** The coverage, squared: some shared words say nothing, all of them nearly everything. */
  readonly words: number;
  readonly names: number;
  /** How near the best passage is, between the cosines of what is surely unrelated and surely related. */
  readonly nearness?: number;
}

/** The scale of `nearness` is that of multilingual-e5-small, whose cosines are crowded. */
export function featuresOf({ coverage, names = 1, cosine }: Omit<Evidence, "vectorCoverage">): Features {
  const words = { words: coverage ** 2, names };
  if (cosine === undefined) return words;
  const nearness = (cosine - UNRELATED_COSINE) / (RELATED_COSINE - UNRELATED_COSINE);
  return { ...words, nearness: Math.min(1, Math.max(0, nearness)) };
}

/**
 * The confidence that evidence gives, above 0 and below 1; no piece of it lowers it when it grows.
 *
 * Two logistic models, one with and one without the nearness; in between while vectors are being
 * made. Their weights were fitted by `bun scripts/quality.ts --confidence` on the judged set, 138
 * questions that its documents answer and 60 that they do not, both kinds weighing the same: 0.5
 * is where one kind is as likely as the other if half of all questions are answered.
 */
export function confidenceOf({ vectorCoverage, ...evidence }: Evidence): number {
  const { nearness, ...words } = featuresOf(evidence);
  const byWords = logistic(words, BY_WORDS);
  if (nearness === undefined) return byWords;
  return byWords + vectorCoverage * (logistic({ ...words, nearness }, BY_ALL) - byWords);
}

/** A weight for each feature that is known, and what is added to their sum. */
export interface FeatureWeights extends Features {
  readonly intercept: number;
}

const BY_WORDS: FeatureWeights = { words: 4.5, names: 4.5, intercept: -5.5 };
const BY_ALL: FeatureWeights = { words: 3.9, names: 4.4, nearness: 2.3, intercept: -6.25 };

const UNRELATED_COSINE = 0.8;
const RELATED_COSINE = 0.95;

function logistic({ words, names, nearness = 0 }: Features, weights: FeatureWeights): number {
  const sum = weights.words * words + weights.names * names + (weights.nearness ?? 0) * nearness;
  return 1 / (1 + Math.exp(-sum - weights.intercept));
}
