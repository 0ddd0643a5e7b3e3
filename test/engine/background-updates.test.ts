import { describe, expect, test } from "bun:test";
import type { BackgroundIndex } from "../../src/engine/background-index.ts";
import { BackgroundUpdates } from "../../src/engine/background-updates.ts";

/** Runs that end when they are told to. */
class Runs {
  readonly started: { isRunning: boolean; hasFailed: boolean; stop(): Promise<void> }[] = [];
  readonly updates = new BackgroundUpdates((): BackgroundIndex => {
    const run = {
      isRunning: true,
      hasFailed: false,
      async stop() {
        run.isRunning = false;
      },
    };
    this.started.push(run);
    return run;
  });

  endLast(hasFailed = false): void {
    Object.assign(this.started.at(-1)!, { isRunning: false, hasFailed });
  }

  async untilStarted(count: number): Promise<void> {
    while (this.started.length < count) await Bun.sleep(5);
  }
}

describe("BackgroundUpdates", () => {
  test("is under way from the moment a run is planned until it has ended", async () => {
    const runs = new Runs();
    expect(runs.updates.isUnderWay).toBe(false);
    runs.updates.plan(10);
    expect(runs.updates.isUnderWay).toBe(true);
    expect(runs.started).toHaveLength(0);
    await runs.untilStarted(1);
    expect(runs.updates.isUnderWay).toBe(true);
    runs.endLast();
    expect(runs.updates.isUnderWay).toBe(false);
  });

  test("has one run at a time, however many searches ask", async () => {
    const runs = new Runs();
    for (let times = 0; times < 5; times++) runs.updates.noteSearch(true);
    await runs.untilStarted(1);
    for (let times = 0; times < 5; times++) runs.updates.noteSearch(true);
    await Bun.sleep(30);
    expect(runs.started).toHaveLength(1);
  });

  test("begins a run at the first search if none was planned, and none at the next while all is in order", async () => {
    const runs = new Runs();
    runs.updates.noteSearch(false);
    await runs.untilStarted(1);
    runs.endLast();
    runs.updates.noteSearch(false);
    expect(runs.updates.isUnderWay).toBe(false);
  });

  test("repeats a run that failed, and is not under way until then", async () => {
    const runs = new Runs();
    runs.updates.plan(0);
    await runs.untilStarted(1);
    runs.endLast(true);
    runs.updates.noteSearch(true);
    expect(runs.updates.isUnderWay).toBe(false);
    await runs.untilStarted(2);
    expect(runs.updates.isUnderWay).toBe(true);
  });

  test("stops the run and begins no other", async () => {
    const runs = new Runs();
    runs.updates.plan(0);
    await runs.untilStarted(1);
    await runs.updates.stop();
    expect(runs.started[0]!.isRunning).toBe(false);
    const planned = new Runs();
    planned.updates.plan(10);
    await planned.updates.stop();
    await Bun.sleep(30);
    expect(planned.started).toHaveLength(0);
  });
});
