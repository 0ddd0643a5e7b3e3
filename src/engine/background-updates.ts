/**
 * When a server brings its index up to date: at its start, and when searches show the need.
 *
 * In come searches and what they found the index to be, out go runs of `background-index.ts`,
 * one at a time and never close upon another. A search never waits for one.
 */
import type { BackgroundIndex } from "./background-index.ts";

export class BackgroundUpdates {
  readonly #start: () => BackgroundIndex;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run: BackgroundIndex | undefined;
  #beganAt = Number.NEGATIVE_INFINITY;

  /** @param start Begins a run; called when none is going on. */
  constructor(start: () => BackgroundIndex) {
    this.#start = start;
  }

  /** Whether a run is going on, or about to begin after one that went well. */
  get isUnderWay(): boolean {
    if (this.#run?.isRunning) return true;
    return this.#timer !== undefined && !this.#run?.hasFailed;
  }

  /** Plans a run, unless one is going on or planned. */
  plan(delayMs: number): void {
    if (this.#timer !== undefined || this.#run?.isRunning) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#beganAt = performance.now();
      this.#run = this.#start();
    }, delayMs);
  }

  /**
   * Plans a run if the last one began long ago or, as soon as may be, if the index is behind.
   *
   * @param isBehind Whether a search found the index stale or missing.
   */
  noteSearch(isBehind: boolean): void {
    const sinceMs = performance.now() - this.#beganAt;
    if (isBehind) this.plan(Math.max(0, GAP_MS - sinceMs));
    else if (sinceMs > EVERY_MS) this.plan(0);
  }

  /** Begins no more runs, and waits until the present one has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#run?.stop();
  }
}

/** A search later than this after the last run began starts another, since files may have been added. */
const EVERY_MS = 30_000;

/** Between the beginnings of two runs, so that one that fails is not repeated without end. */
const GAP_MS = 3000;
