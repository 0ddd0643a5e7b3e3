import { describe, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { FolderFollower } from "../../../src/engine/upkeep/folder-follower.ts";
import type { FolderWatchOptions } from "../../../src/source/folder-watch.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { TestFolder } from "../../support/test-folder.ts";

/** A follower of a real folder, whose watch says what the test wants it to. */
class Following implements Disposable {
  readonly folder = new TestFolder();
  readonly root = this.folder.mkdir("notes");
  readonly clock = new ManualClock();
  /** What reached the runs, in order. */
  readonly asked: string[] = [];
  readonly said: string[] = [];
  readonly watches: { readonly options: FolderWatchOptions; isOpen: boolean }[] = [];
  readonly follower = new FolderFollower({
    root: this.root,
    walk: { extensions: ["md"], excludeDirs: [], hidden: false, gitignore: false },
    updates: {
      hasBegun: false,
      plan: () => this.asked.push("plan"),
      noteChange: () => this.asked.push("change"),
      reconcile: () => this.asked.push("reconcile"),
    },
    report: (text) => this.said.push(text),
    clock: this.clock,
    openWatch: (_root, options) => {
      const watch = { options, isOpen: true };
      this.watches.push(watch);
      return { close: () => Object.assign(watch, { isOpen: false }) };
    },
  });

  /** Watched, with nothing said or asked so far. */
  static async armed(): Promise<Following> {
    const following = new Following();
    following.follower.start(50);
    await following.clock.pass(50);
    following.last.options.onArmed();
    following.asked.length = 0;
    return following;
  }

  get last() {
    return this.watches.at(-1)!;
  }

  [Symbol.dispose](): void {
    this.follower.close();
    this.folder[Symbol.dispose]();
  }
}

describe("FolderFollower", () => {
  test("watches after the delay, and has a run planned once everything is watched", async () => {
    using following = new Following();
    following.follower.start(50);
    expect(following.watches).toHaveLength(0);
    await following.clock.pass(50);
    expect(following.asked).toEqual([]);
    following.last.options.onArmed();
    expect(following.asked).toEqual(["plan"]);
    expect(following.said).toEqual([]);
  });

  test("passes hints on, and asks for nothing else while the watch works", async () => {
    using following = await Following.armed();
    following.last.options.onChange();
    await following.clock.pass(500_000);
    expect(following.asked).toEqual(["change"]);
    expect(following.watches).toHaveLength(1);
  });

  test("sets a watch that works up again every ten minutes, with a run after it", async () => {
    using following = await Following.armed();
    await following.clock.pass(602_000);
    expect(following.watches.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    following.last.options.onArmed();
    expect(following.asked).toEqual(["plan"]);
    expect(following.said).toEqual([]);
  });

  test("says once that watching failed, has the folder looked through, and watches again when it can", async () => {
    using following = await Following.armed();
    for (let times = 0; times < 3; times++) {
      following.last.options.onFailure("there are too many");
      expect(following.last.isOpen).toBe(false);
      expect(following.follower.everyMs).toBe(30_000);
      await following.clock.pass(31_000);
    }
    expect(following.watches).toHaveLength(4);
    expect(following.asked).toContain("reconcile");
    expect(following.said).toEqual([
      `changes in ${following.root} are not noticed at once, because there are too many; it is looked through every 30 seconds instead`,
    ]);
    following.asked.length = 0;
    following.last.options.onArmed();
    expect(following.asked).toEqual(["plan"]);
    expect(following.follower.everyMs).toBe(600_000);
    expect(following.said.slice(1)).toEqual([`changes in ${following.root} are noticed at once again`]);
  });

  test("asks for no run while the root is gone, and watches it again when it is back", async () => {
    using following = await Following.armed();
    renameSync(following.root, following.folder.at("away"));
    await following.clock.pass(60_000);
    expect(following.follower.isGone).toBe(true);
    expect(following.last.isOpen).toBe(false);
    expect(following.asked).toEqual([]);
    expect(following.said).toHaveLength(1);
    renameSync(following.folder.at("away"), following.root);
    await following.clock.pass(2000);
    expect(following.follower.isGone).toBe(false);
    following.last.options.onArmed();
    expect(following.asked).toContain("plan");
    expect(following.said).toHaveLength(2);
  });

  test("watches another folder that took the root's name", async () => {
    using following = await Following.armed();
    renameSync(following.root, following.folder.at("away"));
    following.folder.mkdir("notes");
    await following.clock.pass(2000);
    expect(following.watches.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(following.said).toEqual([]);
  });

  test("looks no more once it is closed", async () => {
    using following = await Following.armed();
    following.follower.close();
    expect(following.last.isOpen).toBe(false);
    await following.clock.pass(1_000_000);
    expect(following.watches).toHaveLength(1);
  });
});
