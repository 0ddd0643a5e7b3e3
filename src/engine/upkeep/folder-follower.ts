/**
 * Follows a folder while a server runs: keeps the watch alive, and does without it where it must.
 *
 * In come hints of `source/folder-watch.ts`, its failures, and a look at the root every
 * other second; out go hints to `background-updates.ts`, which decides when a run begins.
 * Wherever hints may have been lost, a run follows, since only a run knows what changed.
 */
import { FolderWatch, type FolderWatchOptions } from "../../source/folder-watch.ts";
import { isOnRemoteFileSystem } from "../../source/remote-file-system.ts";
import type { WalkOptions } from "../../source/walk.ts";
import { findFileIdentity } from "../../store/index-location.ts";
import { type BackgroundUpdates, type Clock, SYSTEM_CLOCK } from "./background-updates.ts";

export interface FolderFollowerOptions {
  readonly root: string;
  readonly walk: WalkOptions;
  readonly updates: Pick<BackgroundUpdates, "hasBegun" | "plan" | "noteChange" | "reconcile">;
  /** Gets a sentence when hints cease, and when they come again. */
  readonly report: (text: string) => void;
  readonly clock?: Clock;
  /** Takes the place of a real watch, in tests. */
  readonly openWatch?: (root: string, options: FolderWatchOptions) => { close(): void };
}

export class FolderFollower {
  readonly #options: FolderFollowerOptions;
  readonly #clock: Clock;
  #watch: { close(): void } | undefined;
  /** Which folder is watched: another one may get its name. */
  #identity: string | undefined;
  #armAgainAt = 0;
  #isRemote = false;
  #isGone = false;
  /** From the sentence that says so until the watch is complete again. */
  #isLost = false;
  #cancelLook = () => {};

  constructor(options: FolderFollowerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  /** Begins after `delayMs`; a run is planned as soon as everything is watched. */
  start(delayMs: number): void {
    this.#cancelLook = this.#clock.after(delayMs, () => this.#look());
  }

  /** How often the folder is to be looked through although there was no hint. */
  get everyMs(): number {
    return this.#watch === undefined || this.#isRemote ? POLL_EVERY_MS : ARM_EVERY_MS;
  }

  /** Whether there is nothing to index, as far as the last look knows. */
  get isGone(): boolean {
    return this.#isGone;
  }

  close(): void {
    this.#cancelLook();
    this.#watch?.close();
    this.#watch = undefined;
  }

  #look(): void {
    const identity = identityOf(this.#options.root);
    this.#isGone = identity === undefined;
    if (identity === undefined) this.#lose("it is not there or cannot be looked at", 0);
    else if (this.#clock.now() >= this.#armAgainAt || (this.#watch && identity !== this.#identity))
      this.#arm(identity);
    if (identity !== undefined && this.everyMs === POLL_EVERY_MS)
      this.#options.updates.reconcile(POLL_EVERY_MS);
    this.#cancelLook = this.#clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** Anew in any case: whatever escaped the old watch, a full queue of events or a lost folder, is in the new one. */
  #arm(identity: string): void {
    const { root, walk, updates, openWatch = openFolderWatch } = this.#options;
    this.#watch?.close();
    this.#identity = identity;
    this.#armAgainAt = this.#clock.now() + ARM_EVERY_MS;
    this.#watch = openWatch(root, {
      ...walk,
      onChange: () => updates.noteChange(),
      onArmed: () => this.#noteArmed(),
      onFailure: (reason) => this.#lose(reason, POLL_EVERY_MS),
    });
  }

  #noteArmed(): void {
    const { root, updates, report } = this.#options;
    if (updates.hasBegun) updates.noteChange();
    else updates.plan(0);
    if (this.#isLost) report(`changes in ${root} are noticed at once again`);
    this.#isLost = false;
    const isRemote = isOnRemoteFileSystem(root);
    if (isRemote && !this.#isRemote)
      report(`${root} is on a network file system, where changes are not told; ${POLLING}`);
    this.#isRemote = isRemote;
  }

  #lose(reason: string, retryAfterMs: number): void {
    this.#watch?.close();
    this.#watch = undefined;
    this.#armAgainAt = this.#clock.now() + retryAfterMs;
    if (this.#isLost) return;
    this.#isLost = true;
    this.#options.report(
      `changes in ${this.#options.root} are not noticed at once, because ${reason}; ${POLLING}`,
    );
  }
}

function openFolderWatch(root: string, options: FolderWatchOptions): FolderWatch {
  return new FolderWatch(root, options);
}

/** A stat of the root: it may have been moved away, removed, or be another one now. */
const LOOK_EVERY_MS = 2000;

const POLL_EVERY_MS = 30_000;

/** A watch that works is set up again this often, followed by a run. */
const ARM_EVERY_MS = 600_000;

const POLLING = `it is looked through every ${POLL_EVERY_MS / 1000} seconds instead`;

function identityOf(root: string): string | undefined {
  try {
    return findFileIdentity(root);
  } catch {
    return undefined; // such as a folder above that was closed to us
  }
}
