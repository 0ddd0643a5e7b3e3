import { describe, expect, test } from "bun:test";
import type { BackgroundIndex } from "../../../src/engine/upkeep/background-index.ts";
import { BackgroundUpdates } from "../../../src/engine/upkeep/background-updates.ts";
import { ManualClock } from "../../support/manual-clock.ts";

/** A run that ends when it is told to. */
class Run implements BackgroundIndex {
  isRunning = true;
  hasFailed = false;
  hasMadeWay = false;
  /** Whether only vectors are left to be made. */
  hasStoredText = false;
  readonly #ended = Promise.withResolvers<void>();
  readonly finished = this.#ended.promise;

  end(hasFailed = false): void {
    this.isRunning = false;
    this.hasFailed = hasFailed;
    this.#ended.resolve();
  }

  makeWay(): boolean {
    if (!this.hasStoredText) return false;
    this.hasMadeWay = true;
    this.end();
    return true;
  }

  async stop(): Promise<void> {
    this.end();
  }
}

class Runs {
  readonly clock = new ManualClock();
  readonly started: Run[] = [];
  /** When each began. */
  readonly times: number[] = [];
  isBlocked = false;
  readonly updates = new BackgroundUpdates({
    isBlocked: () => this.isBlocked,
    start: () => {
      const run = new Run();
      this.started.push(run);
      this.times.push(this.clock.now());
      return run;
    },
    debounceMs: 200,
    clock: this.clock,
  });

  get last(): Run {
    return this.started.at(-1)!;
  }

  /** Time passes in steps, with a change at the end of each. */
  async changeEvery(stepMs: number, times: number): Promise<void> {
    for (let step = 0; step < times; step++) {
      await this.clock.pass(stepMs);
      this.updates.noteChange();
    }
  }

  /** One run that took `durationMs` lies behind. */
  static async after(durationMs: number): Promise<Runs> {
    const runs = new Runs();
    runs.updates.plan(0);
    await runs.clock.pass(durationMs);
    runs.last.end();
    await runs.clock.pass(0);
    return runs;
  }
}

const EVERY = 30_000;

describe("BackgroundUpdates", () => {
  test("is under way from the moment a run is planned until it has ended", async () => {
    const { updates, clock, started } = new Runs();
    expect(updates.isUnderWay).toBe(false);
    updates.plan(10);
    expect(updates.isUnderWay).toBe(true);
    await clock.pass(9);
    expect(started).toHaveLength(0);
    expect(updates.hasBegun).toBe(false);
    await clock.pass(1);
    expect(updates.hasBegun).toBe(true);
    expect(updates.isUnderWay).toBe(true);
    started[0]!.end();
    expect(updates.isUnderWay).toBe(false);
  });

  test("has one run at a time, however many searches ask", async () => {
    const { updates, clock, started } = new Runs();
    for (let times = 0; times < 5; times++) updates.noteSearch(true, EVERY);
    await clock.pass(0);
    for (let times = 0; times < 5; times++) updates.noteSearch(true, EVERY);
    await clock.pass(60_000);
    expect(started).toHaveLength(1);
  });

  test("takes the earlier of two plans", async () => {
    const { updates, clock, times } = new Runs();
    updates.plan(1000);
    updates.plan(2000);
    updates.plan(10);
    await clock.pass(5000);
    expect(times).toEqual([10]);
  });

  test("begins a run at the first search if none was planned, and none at the next while all is in order", async () => {
    const { updates, clock, started } = new Runs();
    updates.noteSearch(false, EVERY);
    await clock.pass(0);
    started[0]!.end();
    updates.noteSearch(false, EVERY);
    expect(updates.isUnderWay).toBe(false);
  });

  test("repeats a run that failed, no sooner than three seconds later, and is not under way until then", async () => {
    const { updates, clock, started, times } = new Runs();
    updates.plan(0);
    await clock.pass(0);
    expect(updates.hasFailed).toBe(false);
    started[0]!.end(true);
    updates.noteSearch(true, EVERY);
    expect(updates.isUnderWay).toBe(false);
    expect(updates.hasFailed).toBe(true);
    await clock.pass(10_000);
    expect(times).toEqual([0, 3000]);
    expect(updates.isUnderWay).toBe(true);
    expect(updates.hasFailed).toBe(false);
  });

  test("repeats a run that fails again and again ever more rarely, once a minute at the least", async () => {
    const { updates, clock, started, times } = new Runs();
    updates.plan(0);
    for (let second = 0; second < 240; second++) {
      await clock.pass(1000);
      if (started.at(-1)?.isRunning) started.at(-1)!.end(true);
    }
    const gaps = times.slice(1).map((time, at) => time - times[at]!);
    expect(gaps.map((gap) => Math.floor(gap / 1000))).toEqual([4, 6, 12, 24, 48, 60, 60]);
  });

  test("waits while another process writes, and says that it is under way", async () => {
    const runs = new Runs();
    runs.isBlocked = true;
    runs.updates.noteChange();
    await runs.clock.pass(60_000);
    expect(runs.started).toHaveLength(0);
    expect(runs.updates.isUnderWay).toBe(true);
    runs.isBlocked = false;
    await runs.clock.pass(500);
    expect(runs.started).toHaveLength(1);
  });

  test("looks again only after a time, and after a longer one where runs take long", async () => {
    const quick = await Runs.after(100);
    await quick.clock.pass(29_000);
    quick.updates.reconcile(EVERY);
    expect(quick.updates.isUnderWay).toBe(false);
    await quick.clock.pass(2000);
    quick.updates.reconcile(EVERY);
    expect(quick.updates.isUnderWay).toBe(true);

    const slow = await Runs.after(5000);
    await slow.clock.pass(90_000);
    slow.updates.reconcile(EVERY);
    expect(slow.updates.isUnderWay).toBe(false);
    await slow.clock.pass(10_000);
    slow.updates.reconcile(EVERY);
    expect(slow.updates.isUnderWay).toBe(true);
  });

  test("stops the run and begins no other", async () => {
    const runs = new Runs();
    runs.updates.plan(0);
    await runs.clock.pass(0);
    runs.updates.noteChange();
    await runs.updates.stop();
    expect(runs.last.isRunning).toBe(false);
    runs.updates.noteChange();
    runs.updates.plan(0);
    await runs.clock.pass(60_000);
    expect(runs.started).toHaveLength(1);
    const planned = new Runs();
    planned.updates.plan(10);
    await planned.updates.stop();
    await planned.clock.pass(1000);
    expect(planned.started).toHaveLength(0);
  });
});

describe("BackgroundUpdates, told of changes", () => {
  test("joins changes that follow each other into one run, once it is quiet", async () => {
    const runs = await Runs.after(0);
    await runs.changeEvery(50, 10);
    await runs.clock.pass(199);
    expect(runs.times).toEqual([0]);
    await runs.clock.pass(60_000);
    expect(runs.times).toEqual([0, 700]);
  });

  test("waits no longer than a second for quiet", async () => {
    const runs = await Runs.after(0);
    await runs.changeEvery(100, 12);
    expect(runs.times).toEqual([0, 1100]);
  });

  test("has another run after the one during which something changed", async () => {
    const runs = await Runs.after(0);
    runs.updates.noteChange();
    await runs.clock.pass(250);
    runs.updates.noteChange();
    runs.updates.noteChange();
    expect(runs.started).toHaveLength(2);
    await runs.clock.pass(50);
    runs.last.end();
    await runs.clock.pass(60_000);
    expect(runs.times).toEqual([0, 200, 450]);
    runs.last.end();
    await runs.clock.pass(60_000);
    expect(runs.started).toHaveLength(3);
  });

  test("rests as long as the last run took, but at most ten seconds", async () => {
    const short = await Runs.after(4000);
    short.updates.noteChange();
    await short.clock.pass(60_000);
    expect(short.times).toEqual([0, 8000]);
    const long = await Runs.after(600_000);
    long.updates.noteChange();
    await long.clock.pass(60_000);
    expect(long.times).toEqual([0, 610_000]);
  });

  test("spends about half the time at most on a file that never stops changing", async () => {
    const runs = new Runs();
    runs.updates.noteChange();
    let busyMs = 0;
    for (let step = 0; step < 1000; step++) {
      await runs.changeEvery(100, 1);
      const isRunning = runs.started.at(-1)?.isRunning ?? false;
      if (isRunning) busyMs += 100;
      if (isRunning && runs.clock.now() - runs.times.at(-1)! >= 3000) runs.last.end();
    }
    expect(runs.started.length).toBeGreaterThan(10);
    expect(busyMs).toBeLessThanOrEqual(55_000);
  });

  test("lets a run that only makes vectors make way after ten seconds, and goes on without rest", async () => {
    const runs = await Runs.after(0);
    runs.updates.plan(0);
    await runs.clock.pass(500);
    runs.updates.noteChange();
    runs.last.hasStoredText = true;
    await runs.clock.pass(60_000);
    expect(runs.times).toEqual([0, 0, 10_000]);
    await runs.clock.pass(60_000);
    runs.updates.noteChange();
    runs.last.hasStoredText = true;
    await runs.clock.pass(1000);
    expect(runs.times).toEqual([0, 0, 10_000, 120_700]);
  });

  test("never interrupts a run whose text is not stored yet", async () => {
    const runs = await Runs.after(0);
    runs.updates.plan(0);
    await runs.clock.pass(0);
    await runs.changeEvery(1000, 100);
    expect(runs.last.isRunning).toBe(true);
    runs.last.hasStoredText = true;
    await runs.clock.pass(1000);
    expect(runs.started).toHaveLength(3);
  });
});
