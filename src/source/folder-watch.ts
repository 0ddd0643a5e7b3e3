/**
 * The watch: a hint that something about the documents of a folder may have changed.
 *
 * In go the root and the rules of the walk, out come hints and, if watching ends by
 * itself, the reason. Each folder that the walk would enter is watched on its own, so that
 * neither the index nor what is left out wakes anybody or counts against the system's limit.
 * An event is never taken for more than a hint; what really changed is found by `walk.ts`.
 */
import { type FSWatcher, lstatSync, readdirSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { messageOf } from "../errors.ts";
import { folderExclusion, isLockFile } from "./exclusions.ts";
import { IgnoreRules, isIgnoreFile } from "./ignore-rules.ts";
import { extensionTest, type WalkOptions } from "./walk.ts";

export interface FolderWatchOptions extends WalkOptions {
  /** Something changed that a walk may see; comes often, and also without need. */
  readonly onChange: () => void;
  /** All folders of the start are watched: what changes from now on gives a hint. */
  readonly onArmed: () => void;
  /** Nothing is watched any more; gets the reason, half a sentence. */
  readonly onFailure: (reason: string) => void;
}

/** Begins watching; folders are added little by little, so that others have their turn meanwhile. */
export class FolderWatch {
  readonly #root: string;
  readonly #options: FolderWatchOptions;
  readonly #isDocumentName: (name: string) => boolean;
  readonly #isExcludedFolder: (name: string) => boolean;
  readonly #queue: Arrival[] = [];
  #top: WatchedFolder | undefined;
  readonly #unsettled = new Map<string, Unsettled>();
  #settling: NodeJS.Timeout | undefined;
  #burst: { readonly timer: NodeJS.Timeout; events: number } | undefined;
  #isArmed = false;
  #isAdding = false;
  #isClosed = false;

  constructor(root: string, options: FolderWatchOptions) {
    this.#root = root;
    this.#options = options;
    this.#isDocumentName = extensionTest(options.extensions);
    this.#isExcludedFolder = folderExclusion(options.excludeDirs);
    this.#add({ parent: undefined, rawPath: "" });
  }

  /** Ends every watch; nobody is told anything after it. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#burst?.timer);
    clearTimeout(this.#settling);
    this.#drop(this.#top);
  }

  #add(arrival: Arrival): void {
    this.#queue.push(arrival);
    if (this.#isAdding) return;
    this.#isAdding = true;
    void this.#addQueued();
  }

  /** A folder is listed only after it is watched: what comes later gives an event, what was there is listed. */
  async #addQueued(): Promise<void> {
    await nextTurn(); // Nobody is told anything before the constructor has returned.
    let turnBegan = performance.now();
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      if (this.#isClosed) return;
      if (!next.parent?.isDropped) this.#watch(next);
      if (performance.now() - turnBegan < TURN_MS) continue;
      await nextTurn();
      turnBegan = performance.now();
    }
    this.#isAdding = false;
    if (this.#isClosed) return;
    if (this.#isArmed) this.#options.onChange();
    else this.#options.onArmed();
    this.#isArmed = true;
  }

  #watch({ parent, rawPath }: Arrival): void {
    const path = join(this.#root, rawPath);
    const name = basename(rawPath);
    // Its name may have come several times before its turn: a second watch would tell everything twice, and so on below it.
    this.#drop(parent === undefined ? this.#top : parent.children.get(name));
    let watcher: FSWatcher | undefined;
    try {
      const inode = inodeOf(path);
      watcher = watch(path, { persistent: false });
      const entries = readdirSync(path, { withFileTypes: true });
      const outer = parent?.rules ?? IgnoreRules.none(this.#root, this.#options.gitignore);
      const names = new Set(entries.map((entry) => entry.name));
      const { rules } = outer.within({ key: keyOf(rawPath), rawPath, names });
      const folder: WatchedFolder = { watcher, inode, rules, children: new Map(), isDropped: false };
      watcher.on("change", (type, name) => this.#take(folder, rawPath, type, name?.toString()));
      watcher.on("error", (thrown) => this.#fail(rawPath, thrown));
      if (parent === undefined) this.#top = folder;
      else parent.children.set(name, folder);
      for (const entry of entries) {
        const isKnown = entry.isDirectory() || entry.isFile() || entry.isSymbolicLink();
        const below = joinRaw(rawPath, entry.name);
        if (isKnown ? entry.isDirectory() : inodeOf(join(path, entry.name)) !== undefined)
          this.#enter(folder, below, entry.name);
      }
    } catch (thrown) {
      watcher?.close();
      this.#fail(rawPath, thrown);
    }
  }

  /** @returns Whether the walk would enter it as well. */
  #enter(parent: WatchedFolder, rawPath: string, name: string): boolean {
    if (this.#isHidden(name) || this.#isExcludedFolder(name)) return false;
    if (parent.rules.excludes(keyOf(rawPath), true)) return false;
    this.#add({ parent, rawPath });
    return true;
  }

  #take(folder: WatchedFolder, folderPath: string, type: string, name: string | undefined): void {
    this.#count();
    // An event of the folder itself has no name; the folder above has one as well.
    if (this.#isClosed || folder.isDropped || name === undefined) return;
    if (type === "rename") this.#settleLater(folder, folderPath, name);
    if (isIgnoreFile(name, this.#options.gitignore)) this.#beginAgain();
    else if (type === "rename" && this.#takeFolder(folder, folderPath, name)) this.#options.onChange();
    else if (this.#isDocument(folder, joinRaw(folderPath, name), name)) this.#options.onChange();
  }

  /** The system drops events when too many wait, and says nothing; new folders among them would never be watched. */
  #count(): void {
    if (this.#isClosed) return;
    if (this.#burst !== undefined) {
      this.#burst.events++;
      return;
    }
    const timer = setTimeout(() => {
      const isSuspect = (this.#burst?.events ?? 0) > MANY_EVENTS;
      this.#burst = undefined;
      if (isSuspect) this.#beginAgain();
    }, BURST_MS);
    this.#burst = { timer: timer.unref(), events: 1 };
  }

  /**
   * A name came, went, or stands for something else now.
   *
   * @returns Whether a folder of documents came or went with it.
   */
  #takeFolder(parent: WatchedFolder, parentPath: string, name: string): boolean {
    const old = parent.children.get(name);
    parent.children.delete(name);
    this.#drop(old);
    const rawPath = joinRaw(parentPath, name);
    const isThere = inodeOf(join(this.#root, rawPath)) !== undefined;
    const hasCome = isThere && this.#enter(parent, rawPath, name);
    return hasCome || old !== undefined;
  }

  /** Of two like events within a millisecond Bun tells only the first, and the name may stand for another folder by now. */
  #settleLater(parent: WatchedFolder, parentPath: string, name: string): void {
    const rawPath = joinRaw(parentPath, name);
    this.#unsettled.set(rawPath, { parent, parentPath, name });
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      const looked = [...this.#unsettled];
      this.#unsettled.clear();
      for (const [path, { parent: folder, parentPath: folderPath, name: own }] of looked) {
        if (folder.isDropped || folder.children.get(own)?.inode === inodeOf(join(this.#root, path))) continue;
        if (this.#takeFolder(folder, folderPath, own)) this.#options.onChange();
      }
    }, SETTLE_MS).unref();
  }

  #isDocument(folder: WatchedFolder, rawPath: string, name: string): boolean {
    if (!this.#isDocumentName(name) || isLockFile(name) || this.#isHidden(name)) return false;
    return !folder.rules.excludes(keyOf(rawPath), false);
  }

  #isHidden(name: string): boolean {
    return !this.#options.hidden && name.startsWith(".");
  }

  /** Such as with other rules, by which other folders are watched. A hint follows. */
  #beginAgain(): void {
    this.#drop(this.#top);
    this.#add({ parent: undefined, rawPath: "" });
  }

  #drop(folder: WatchedFolder | undefined): void {
    if (folder === undefined) return;
    folder.isDropped = true;
    folder.watcher.close();
    for (const child of folder.children.values()) this.#drop(child);
  }

  /** A folder that is gone or closed to us is no failure: the walk does not see into it either. */
  #fail(rawPath: string, thrown: unknown): void {
    const { code } = thrown as NodeJS.ErrnoException;
    if (this.#isClosed || (rawPath !== "" && PASSING.has(code ?? ""))) return;
    this.close();
    this.#options.onFailure(LIMITS[code ?? ""] ?? messageOf(thrown));
  }
}

/** Whoever waits for an answer waits no longer than this for folders to be added. */
const TURN_MS = 5;

const SETTLE_MS = 50;

const BURST_MS = 1000;

/** In one burst; half of what Linux lets wait by default. */
const MANY_EVENTS = 8192;

/** Reasons why one folder cannot be watched, and need not be. */
const PASSING = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"]);

const LIMITS: Readonly<Record<string, string>> = {
  ENOSPC: "the system watches no more folders for this user (fs.inotify.max_user_watches)",
  EMFILE: "the system gives this user no more watches (fs.inotify.max_user_instances, or open files)",
};

interface WatchedFolder {
  readonly watcher: FSWatcher;
  /** Of the folder as it was just before it was watched. */
  readonly inode: number | undefined;
  /** In force for what is in it. */
  readonly rules: IgnoreRules;
  /** By name. */
  readonly children: Map<string, WatchedFolder>;
  isDropped: boolean;
}

/** A name about which something was told. */
interface Unsettled {
  readonly parent: WatchedFolder;
  readonly parentPath: string;
  readonly name: string;
}

/** A folder to be watched; without a parent it is the root. */
interface Arrival {
  readonly parent: WatchedFolder | undefined;
  readonly rawPath: string;
}

/** As the walk calls it, but for names that are equal in another Unicode form. */
function keyOf(rawPath: string): string {
  return rawPath.normalize("NFC");
}

function joinRaw(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Undefined for what is no folder, or cannot be seen: nothing to watch. */
function inodeOf(path: string): number | undefined {
  try {
    const found = lstatSync(path);
    return found.isDirectory() ? found.ino : undefined;
  } catch {
    return undefined;
  }
}
