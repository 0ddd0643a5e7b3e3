/**
 * How well a score tells two kinds of cases apart, whatever threshold is chosen.
 *
 * In go the scores of both kinds; out come the area under the ROC curve and how far it may be
 * off with so few cases. What the cases are is known to the caller.
 */

import { seededRandom } from "./seeded-random.ts";

/** An interval that holds the true value with the asked probability, as far as the cases are typical. */
export interface AreaInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * The probability that a positive case scores above a negative one, ties counted half: 1 is perfect,
 * 0.5 is chance (Mann and Whitney 1947). Not a number if either list is empty.
 */
export function rocArea(positives: readonly number[], negatives: readonly number[]): number {
  let wins = 0;
  for (const positive of positives)
    for (const negative of negatives) {
      if (positive > negative) wins += 1;
      else if (positive === negative) wins += 0.5;
    }
  return wins / (positives.length * negatives.length);
}

/**
 * The middle 95 % of the areas of 1,000 samples drawn with replacement from each list (percentile
 * bootstrap); the same for the same lists. Both lists are not empty.
 */
export function rocInterval(positives: readonly number[], negatives: readonly number[]): AreaInterval {
  const next = seededRandom(SEED);
  const draw = (scores: readonly number[]) => scores.map(() => scores[Math.floor(next() * scores.length)]!);
  const areas = Array.from({ length: SAMPLES }, () => rocArea(draw(positives), draw(negatives)));
  areas.sort((a, b) => a - b);
  const at = (share: number) => areas[Math.round(share * (SAMPLES - 1))]!;
  return { low: at(TAIL), high: at(1 - TAIL) };
}

const SAMPLES = 1000;
const TAIL = 0.025;
const SEED = 1;
