/**
 * What differences between two runs over the same queries are worth: how large, how sure.
 *
 * In goes one difference for each query; out come the mean and its uncertainty.
 * Everything drawn at random is seeded, so that equal differences give equal answers.
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

const SAMPLES = 2000;
const TAIL = 0.025;
const SEED = 20_261_201;
