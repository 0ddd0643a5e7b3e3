/**
 * How well a score tells two kinds of cases apart, whatever threshold is chosen.
 *
 * In go the scores of both kinds; out comes the area under the ROC curve. What the cases are is
 * known to the caller.
 */

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
