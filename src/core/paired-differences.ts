/**
 * What differences between two runs over the same queries are worth: how large, how sure.
 *
 * In goes one difference for each query; out come the mean, its uncertainty, and the
 * probability that chance alone would look like it. Everything drawn at random is seeded, so
 * that equal differences give equal answers.
 */
import { seededRandom } from "./seeded-random.ts";

/** Holds the true mean difference in 95 of 100 cases, as far as the queries are typical. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The arithmetic mean; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The middle 95 % of the means of 2,000 samples drawn with replacement (percentile bootstrap).
 *
 * @returns Undefined for fewer than two differences, which say nothing about their spread.
 */
export function bootstrapInterval(differences: readonly number[]): Interval | undefined {
  const count = differences.length;
  if (count < 2) return undefined;
  const random = seededRandom(SEED);
  const means = new Float64Array(SAMPLES);
  for (let sample = 0; sample < SAMPLES; sample++) {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn++) sum += differences[Math.floor(random() * count)]!;
    means[sample] = sum / count;
  }
  means.sort();
  return {
    low: means[Math.round(TAIL * (SAMPLES - 1))]!,
    high: means[Math.round((1 - TAIL) * (SAMPLES - 1))]!,
  };
}

/** Standard error of the mean, from the sample's own spread; infinite for fewer than two differences. */
export function standardError(differences: readonly number[]): number {
  const count = differences.length;
  if (count < 2) return Number.POSITIVE_INFINITY;
  const mean = meanOf(differences);
  const squares = differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0);
  return Math.sqrt(squares / (count - 1) / count);
}

/** How many differences are above and below 0, rounding aside. */
export function countChanges(differences: readonly number[]): {
  readonly improved: number;
  readonly degraded: number;
} {
  return {
    improved: differences.filter((difference) => difference > TIE).length,
    degraded: differences.filter((difference) => difference < -TIE).length,
  };
}

/**
 * The exact two-sided sign test: how likely at least so uneven a split of gains and losses is when
 * both are equally likely. Ties are left out; 1 if there is nothing else.
 */
export function signTest(differences: readonly number[]): number {
  const { improved, degraded } = countChanges(differences);
  const total = improved + degraded;
  let tail = 0;
  for (let k = 0; k <= Math.min(improved, degraded); k++)
    tail += Math.exp(logChoose(total, k) - total * Math.LN2);
  return total === 0 ? 1 : Math.min(1, 2 * tail);
}

/**
 * The two-sided permutation test: the share of 10,000 random choices of signs whose mean is at
 * least as far from 0. Counts the observed one, so it is never 0.
 */
export function permutationTest(differences: readonly number[]): number {
  const random = seededRandom(SEED);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  const changed = differences.filter((difference) => difference !== 0);
  let extreme = 1;
  for (let round = 0; round < PERMUTATIONS; round++) {
    let sum = 0;
    for (const difference of changed) sum += random() < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= observed - TIE) extreme++;
  }
  return extreme / (PERMUTATIONS + 1);
}

const SAMPLES = 2000;
const PERMUTATIONS = 10_000;
const TAIL = 0.025;
const SEED = 20_261_201;
/** What rounding may leave between equal numbers. */
const TIE = 1e-12;

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log(n - k + i) - Math.log(i);
  return sum;
}
