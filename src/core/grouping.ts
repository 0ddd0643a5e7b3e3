/**
 * Grouping: a ranked list of passages in, one entry for each document out.
 *
 * A long document must not crowd the others out of an answer. How deep the list has to be for
 * that is decided where the legs are asked.
 */

/** A document's best passage, and what else of it is in the list. */
export interface DocumentGroup<Ranked> {
  readonly best: Ranked;
  /** In the order of the list. */
  readonly others: readonly Ranked[];
}

/** @returns In the order in which documents first occur in the list; every entry of the list is in one group. */
export function groupByDocument<Ranked extends { readonly path: string }>(
  ranked: readonly Ranked[],
): DocumentGroup<Ranked>[] {
  const groups = Map.groupBy(ranked, ({ path }) => path);
  return [...groups.values()].map(([best, ...others]) => ({ best: best!, others }));
}

/** Every entry by itself, for an answer that is not grouped. */
export function eachAlone<Ranked>(ranked: readonly Ranked[]): DocumentGroup<Ranked>[] {
  return ranked.map((best) => ({ best, others: [] }));
}
