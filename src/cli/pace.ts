/**
 * The pace of a stage that reports how far it is: how many a second, and how long the rest takes.
 *
 * In go counts with the time they were seen at; nothing here asks a clock. The last half minute
 * decides, since a run slows down when the machine gets busy.
 */

export interface Pace {
  readonly perSecond: number;
  /** Whole seconds, rounded up. */
  readonly remainingSeconds: number;
}

export class PaceMeter {
  readonly #seen: { readonly done: number; readonly atMs: number }[] = [];

  /**
   * Takes a count and answers how fast it has grown.
   *
   * @param done Never less than before.
   * @param atMs Of any clock that only goes on.
   * @returns Undefined until something was done since the first count.
   */
  measure(done: number, total: number, atMs: number): Pace | undefined {
    this.#seen.push({ done, atMs });
    while (this.#seen.length > 2 && atMs - this.#seen[1]!.atMs >= WINDOW_MS) this.#seen.shift();
    const first = this.#seen[0]!;
    const seconds = (atMs - first.atMs) / 1000;
    if (done <= first.done || seconds <= 0) return undefined;
    const perSecond = (done - first.done) / seconds;
    return { perSecond, remainingSeconds: Math.ceil((total - done) / perSecond) };
  }
}

const WINDOW_MS = 30_000;
