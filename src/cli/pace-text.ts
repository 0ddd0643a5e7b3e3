/**
 * How fast something goes and how long it still takes, in words.
 *
 * In go numbers that were measured elsewhere (`progress.ts`, `engine/indexing/run-state.ts`).
 */

/** @param perSecond Above 0; small rates are told with a decimal. */
export function formatRate(perSecond: number): string {
  return `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} a second`;
}

/** @param seconds Whole; undefined while there is nothing to tell from. */
export function formatRemaining(seconds: number | undefined): string {
  if (seconds === undefined) return "estimating";
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s left`;
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s left`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
