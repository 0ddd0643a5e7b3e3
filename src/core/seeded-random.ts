/**
 * Numbers that look like chance and are the same each time: the core has no chance of its own.
 *
 * For resampling, where a report must not change when it is made again. Not for secrets.
 */

/**
 * Numbers from 0 to below 1 (Marsaglia's xorshift of 32 bits, 2003).
 *
 * @param seed Whole and not 0 in its lower 32 bits; equal seeds give equal numbers.
 */
export function seededRandom(seed: number): () => number {
  if ((seed | 0) === 0) throw new RangeError(`a seed must not be 0, got ${seed}`);
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A new list in an order drawn from `random`, each as likely as the others (Fisher and Yates). */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
