/**
 * The upkeep of an index while a server answers from it: its runs and its watch, put together.
 *
 * In come the folder, its configuration and searches; what goes wrong goes to the owner of
 * the server. When a run begins is decided in `background-updates.ts`, how the folder is followed
 * in `folder-follower.ts`.
 */
import type { Config } from "../../config/schema.ts";
import { AppError } from "../../errors.ts";
import type { IndexReader } from "../index-reader.ts";
import { walkOptionsOf } from "../indexing/stage-settings.ts";
import { startBackgroundIndex } from "./background-index.ts";
import { BackgroundUpdates, SYSTEM_CLOCK } from "./background-updates.ts";
import { FolderFollower } from "./folder-follower.ts";
import type { Rebuilds } from "./rebuilds.ts";
import { verifySchedule } from "./verify-schedule.ts";

export interface UpkeepOptions {
  readonly root: string;
  readonly config: Config;
  readonly configFile: string | undefined;
  /** The first run begins after this, or a little later, when the folder is watched. */
  readonly delayMs: number;
  /** Gets what went wrong, a sentence each time. */
  readonly report: (text: string) => void;
  /** Knows what runs, those of other processes too, have left. */
  readonly reader: Pick<IndexReader, "finishedAt" | "forgetWork" | "writer">;
  /** Runs that a client asks for; none begins here meanwhile. */
  readonly rebuilds: Rebuilds;
  /** Called every other second. */
  readonly look: () => void;
}

/** Goes on until it is closed. */
export class Upkeep {
  readonly #updates: BackgroundUpdates;
  readonly #root: string;
  readonly #report: (text: string) => void;
  #follower: FolderFollower | undefined;
  #cancelLook = () => {};
  /** Whether the next run is to check the index, which makes it anew where it is damaged. */
  #isDamaged = false;
  #mendedAt = Number.NEGATIVE_INFINITY;

  constructor({ root, config, configFile, delayMs, report, look, reader, rebuilds }: UpkeepOptions) {
    const { enabled, debounce_ms: debounceMs } = config.watch;
    const tell = withoutRepeats(report);
    const hasStoredText = (beganAt: number) => Date.parse(reader.finishedAt() ?? "") >= beganAt;
    const forgetWork = (pid: number) => reader.forgetWork(pid);
    const isVerifyDue = verifySchedule(SYSTEM_CLOCK);
    const mustVerify = () => {
      const isDamaged = this.#isDamaged;
      this.#isDamaged = false;
      return isVerifyDue() || isDamaged;
    };
    const start = () => {
      const run = startBackgroundIndex({
        ...{ root, configFile, report: tell, hasStoredText, forgetWork },
        verify: mustVerify(),
      });
      void run.finished.then(() => rebuilds.noteRunEnded());
      return run;
    };
    const isBlocked = () => rebuilds.isRunning || isBusy(reader);
    const updates = new BackgroundUpdates({ start, isBlocked, debounceMs });
    this.#updates = updates;
    this.#root = root;
    this.#report = report;
    // One that was stopped may have left something to do.
    rebuilds.observe({ before: () => updates.interrupt(), after: () => updates.plan(AFTER_REBUILD_MS) });
    updates.plan(enabled ? delayMs + WATCHED_WITHIN_MS : delayMs);
    this.#follow(config, delayMs);
    const lookAgain = () => {
      look();
      this.#cancelLook = SYSTEM_CLOCK.after(LOOK_EVERY_MS, lookAgain);
    };
    this.#cancelLook = SYSTEM_CLOCK.after(LOOK_EVERY_MS, lookAgain);
  }

  /** The next run, which follows, uses the same settings, since it reads them itself. */
  useConfig(config: Config): void {
    this.#updates.debounceMs = config.watch.debounce_ms;
    this.#follower?.close();
    this.#follower = undefined;
    this.#follow(config, 0);
    this.#updates.noteChange();
  }

  /** Whether a run is going on, or about to begin after one that went well. */
  get isUnderWay(): boolean {
    return this.#updates.isUnderWay;
  }

  /** Whether the last run failed; why was told to the owner of the server. */
  get hasFailed(): boolean {
    return this.#updates.hasFailed;
  }

  /** @param isBehind Whether the search found the index stale or missing. */
  noteSearch(isBehind: boolean): void {
    if (this.#follower?.isGone) return; // said once; a run could only say it again
    this.#updates.noteSearch(isBehind, this.#follower?.everyMs ?? UNFOLLOWED_EVERY_MS);
  }

  /** A search met damage; a run that checks and mends follows, but not for every search while one is at work. */
  noteDamage(): void {
    const now = SYSTEM_CLOCK.now();
    if (now - this.#mendedAt < MEND_EVERY_MS) return;
    this.#mendedAt = now;
    this.#isDamaged = true;
    this.#updates.noteDamage();
  }

  /** Waits until the present run has ended. */
  async close(): Promise<void> {
    this.#cancelLook();
    this.#follower?.close();
    await this.#updates.stop();
  }

  #follow(config: Config, delayMs: number): void {
    if (!config.watch.enabled) return;
    const [root, report] = [this.#root, this.#report];
    this.#follower = new FolderFollower({
      root,
      walk: walkOptionsOf(config),
      updates: this.#updates,
      report,
    });
    this.#follower.start(delayMs);
  }
}

/** How soon a changed configuration is noticed that no search asks for. */
const LOOK_EVERY_MS = 2000;

/** The first run waits so long for the watch at most; one that begins before it is followed by another. */
const WATCHED_WITHIN_MS = 1000;

/** A client may want another run at once; ours comes after it. */
const AFTER_REBUILD_MS = 1000;

/** Damage that a run did not find is not looked for again before this. */
const MEND_EVERY_MS = 60_000;

/** Of a folder nobody watches: a search later than this after the last run began starts another. */
const UNFOLLOWED_EVERY_MS = 30_000;

/** What is wrong with the index is told by the run that finds it. */
function isBusy(reader: Pick<IndexReader, "writer">): boolean {
  try {
    return reader.writer() !== undefined;
  } catch (thrown) {
    if (thrown instanceof AppError) return false;
    throw thrown;
  }
}

/** A run that fails again as it did before has nothing new to say. */
function withoutRepeats(report: (text: string) => void): (text: string) => void {
  let last = "";
  return (text) => {
    if (text !== last) report(text);
    last = text;
  };
}
