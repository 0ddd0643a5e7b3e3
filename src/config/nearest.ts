/**
 * The nearest known name to a misspelt one, for every "did you mean".
 *
 * One rule for flags, commands, configuration keys and tool arguments.
 */
import { distance } from "fastest-levenshtein";

/**
 * @returns The closest of `known`, or undefined when nothing is within a third of the
 *   name's length (at least 2 edits); the first listed wins a tie.
 */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < bestDistance) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}

/** ` Did you mean X?` with a leading space, or the empty string. */
export function didYouMean(name: string, known: readonly string[], prefix = ""): string {
  const nearest = findNearest(name, known);
  return nearest === undefined ? "" : ` Did you mean ${prefix}${nearest}?`;
}
