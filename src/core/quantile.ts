/**
 * The value below which a share of some measurements lies.
 */

/**
 * By nearest rank, so that it is one of the values; 0 of nothing.
 *
 * @param share Above 0, to 1: 0.5 is the median.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
