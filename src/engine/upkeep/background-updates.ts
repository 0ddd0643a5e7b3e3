/**
 * When a server brings its index up to date: at its start, when something changed in the
 * folder, when searches show the need, and now and then in any case.
 *
 * In come hints and searches, out go runs of `background-index.ts`, one at a time and never close
 * upon another. A search never waits for one. Where hints come from is `folder-follower.ts`.
 */
import type { BackgroundIndex } from "./background-index.ts";

/** Time as it is told to this module, so that tests can let it pass. */
export interface Clock {
  /** Milliseconds from any fixed moment. */
  readonly now: () => number;
  /** @returns What calls it off. */
  readonly after: (delayMs: number, act: () => void) => () => void;
}

export interface BackgroundUpdatesOptions {
  /** Begins a run; called when none is going on. */
  readonly start: () => BackgroundIndex;
  /** Whether another process writes to the index, so that a run could only fail. */
  readonly isBlocked: () => boolean;
  /** How long nothing must have changed before a run begins. */
  readonly debounceMs: number;
  readonly clock?: Clock;
}

export class BackgroundUpdates {
  readonly #start: () => BackgroundIndex;
  readonly #isBlocked: () => boolean;
  #debounceMs: number;
  readonly #clock: Clock;
  #planned: { readonly at: number; readonly cancel: () => void } | undefined;
  #run: BackgroundIndex | undefined;
  #beganAt = Number.NEGATIVE_INFINITY;
  /** How long nothing begins after the last run, however much changes, and until when that is. */
  #restMs = 0;
  #restUntil = Number.NEGATIVE_INFINITY;
  /** Of the changes that no run has begun after. */
  #changes: { readonly firstAt: number; readonly lastAt: number } | undefined;
  #cancelMakingWay = () => {};
  #failures = 0;
  #isStopped = false;

  constructor({ start, isBlocked, debounceMs, clock = SYSTEM_CLOCK }: BackgroundUpdatesOptions) {
    this.#start = start;
    this.#isBlocked = isBlocked;
    this.#debounceMs = debounceMs;
    this.#clock = clock;
  }

  /** Whether a run is going on, or about to begin after one that went well. */
  get isUnderWay(): boolean {
    if (this.#run?.isRunning) return true;
    return this.#planned !== undefined && !this.#run?.hasFailed;
  }

  /** Whether the last run failed, so that the index may be behind although nobody writes to it. */
  get hasFailed(): boolean {
    return this.#run?.hasFailed ?? false;
  }

  /** Whether a run has begun, so that what changed since may have escaped it. */
  get hasBegun(): boolean {
    return this.#run !== undefined;
  }

  /** As the options say, from now on. */
  set debounceMs(ms: number) {
    this.#debounceMs = ms;
  }

  /** Plans a run, unless one is going on or planned for no later. */
  plan(delayMs: number): void {
    const at = this.#clock.now() + delayMs;
    if (this.#run?.isRunning || (this.#planned !== undefined && this.#planned.at <= at)) return;
    this.#planFor(at);
  }

  /**
   * Plans a run for when nothing has changed for a while; if changes never end, for a second
   * after the first of them. During a run it is planned for after it.
   */
  noteChange(): void {
    const now = this.#clock.now();
    this.#changes = { firstAt: this.#changes?.firstAt ?? now, lastAt: now };
    if (this.#run?.isRunning) this.#makeWaySoon(this.#run);
    else this.#planForChanges();
  }

  /**
   * Plans a run as soon as may be if the index is behind, else as `reconcile`.
   *
   * @param isBehind Whether a search found the index stale or missing.
   */
  noteSearch(isBehind: boolean, everyMs: number): void {
    if (isBehind) this.plan(Math.max(0, this.#beganAt + GAP_MS - this.#clock.now()));
    else this.reconcile(everyMs);
  }

  /** Plans a run as soon as may be; one that goes on has not been told of the damage, so another follows it. */
  noteDamage(): void {
    if (this.#run?.isRunning) this.noteChange();
    else this.plan(0);
  }

  /** Plans a run if the last one began more than `everyMs` ago, or longer where runs take long. */
  reconcile(everyMs: number): void {
    const sinceMs = this.#clock.now() - this.#beganAt;
    if (sinceMs > Math.max(everyMs, this.#restMs * RECONCILING_SHARE)) this.plan(0);
  }

  /** Stops the present run, and waits until it has ended; the next one is planned as ever. */
  async interrupt(): Promise<void> {
    await this.#run?.stop();
  }

  /** Begins no more runs, and waits until the present one has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#planned?.cancel();
    this.#cancelMakingWay();
    await this.#run?.stop();
  }

  #planForChanges(): void {
    const { firstAt, lastAt } = this.#changes!;
    const quietAt = Math.min(lastAt + this.#debounceMs, firstAt + Math.max(this.#debounceMs, MAX_WAIT_MS));
    this.#planFor(Math.max(quietAt, this.#restUntil));
  }

  #planFor(at: number): void {
    if (this.#isStopped) return;
    this.#planned?.cancel();
    const cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => this.#begin());
    this.#planned = { at, cancel };
  }

  #begin(): void {
    if (this.#isBlocked()) {
      this.#planFor(this.#clock.now() + BLOCKED_MS);
      return;
    }
    this.#planned = undefined;
    this.#changes = undefined;
    this.#beganAt = this.#clock.now();
    const run = this.#start();
    this.#run = run;
    void run.finished.then(() => {
      this.#cancelMakingWay();
      const now = this.#clock.now();
      // One that made way did so for what it would have to rest from.
      this.#restMs = run.hasMadeWay ? 0 : Math.min(now - this.#beganAt, MAX_REST_MS);
      this.#restUntil = now + this.#restMs;
      this.#failures = run.hasFailed ? this.#failures + 1 : 0;
      if (run.hasFailed) this.#planFor(now + Math.min(GAP_MS * 2 ** (this.#failures - 1), MAX_RETRY_MS));
      else if (this.#changes !== undefined) this.#planForChanges();
    });
  }

  /** Vectors can take many minutes; what has changed is searchable by its words before they are all made. */
  #makeWaySoon(run: BackgroundIndex): void {
    this.#cancelMakingWay();
    const waitMs = Math.max(this.#debounceMs, this.#beganAt + UNDISTURBED_MS - this.#clock.now());
    this.#cancelMakingWay = this.#clock.after(waitMs, () => {
      if (!run.makeWay() && run.isRunning) this.#makeWaySoon(run);
    });
  }
}

/** The real one. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after: (delayMs, act) => {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Between two runs for stale searches, and before a run that failed is repeated, each time twice as long. */
const GAP_MS = 3000;

const MAX_RETRY_MS = 60_000;

/** How often is looked whether the other process is done. */
const BLOCKED_MS = 500;

/** Changes that never pause are indexed after this. */
const MAX_WAIT_MS = 1000;

/** A run rests as long as it took, so that a file that is always written to costs half a core at most; but no longer. */
const MAX_REST_MS = 10_000;

/** Runs without any hint take at most this part of the time. */
const RECONCILING_SHARE = 20;

/** What a run may do at the least before it makes way for another. */
const UNDISTURBED_MS = 10_000;
