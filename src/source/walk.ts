/**
 * The walk: which documents are in the folder.
 *
 * In goes the root, out come its files in a fixed order with their stat, and all
 * that was in the way. Nothing is opened; links are not followed. Reading a file is
 * done in `source/read.ts`, comparing with the index in `core/changes.ts`.
 */
import { type BigIntStats, type Dirent, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError, messageOf } from "../errors.ts";
import { folderExclusion, isLockFile } from "./exclusions.ts";
import { type FolderEntries, listFolder } from "./folder-entries.ts";
import { IgnoreRules } from "./ignore-rules.ts";

export interface WalkOptions {
  /** Without dots; compared without regard to case. */
  readonly extensions: readonly string[];
  /** Base names of folders to leave out besides the built-in ones, compared without regard to case. */
  readonly excludeDirs: readonly string[];
  /** Whether names that begin with a dot are walked. */
  readonly hidden: boolean;
  /** Whether `.gitignore` files count as well. */
  readonly gitignore: boolean;
  /** Asked before each folder; false ends the walk early. Without it nothing does. */
  readonly mayGoOn?: () => boolean;
}

export interface FoundFile {
  /** The document's key: relative, NFC, `/`-separated; unique within a walk. */
  readonly path: string;
  /** Relative to the root, with every name exactly as on disk: for opening. */
  readonly rawPath: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
}

export interface WalkProblem {
  readonly path: string;
  readonly reason: string;
}

export interface WalkResult {
  /** Ordered by path: component by component, by code points. */
  readonly files: readonly FoundFile[];
  /** What was left out although it looked like a document or a folder of them. */
  readonly problems: readonly WalkProblem[];
  /** Keys of folders and files nothing could be learned about: do not take them for removed. */
  readonly unreadable: readonly string[];
  /** False if `mayGoOn` ended the walk: then there is more in the folder. */
  readonly isComplete: boolean;
}

/**
 * Lists the documents below `root`, synchronously.
 *
 * Left out silently: hidden names, excluded folders, other extensions, office lock
 * files, what ignore files say. Left out with a problem: symbolic links, names that are not
 * UTF-8, and what may not be read.
 *
 * @throws {AppError} `io` if the root itself cannot be listed.
 */
export function walkFolder(root: string, options: WalkOptions): WalkResult {
  const walk: Walk = {
    root,
    hidden: options.hidden,
    isDocumentName: extensionTest(options.extensions),
    isExcludedFolder: folderExclusion(options.excludeDirs),
    files: [],
    problems: [],
    unreadable: [],
    mayGoOn: options.mayGoOn ?? (() => true),
    isComplete: true,
  };
  walkInto(walk, "", "", IgnoreRules.none(root, options.gitignore));
  const { files, problems, unreadable, isComplete } = walk;
  return { files, problems, unreadable, isComplete };
}

interface Walk {
  readonly root: string;
  readonly hidden: boolean;
  readonly isDocumentName: (name: string) => boolean;
  readonly isExcludedFolder: (name: string) => boolean;
  readonly files: FoundFile[];
  readonly problems: WalkProblem[];
  readonly unreadable: string[];
  readonly mayGoOn: () => boolean;
  isComplete: boolean;
}

function walkInto(walk: Walk, folderKey: string, folderRawPath: string, outerRules: IgnoreRules): void {
  walk.isComplete &&= walk.mayGoOn();
  if (!walk.isComplete) return;
  let entries: FolderEntries;
  try {
    entries = listFolder(join(walk.root, folderRawPath));
  } catch (thrown) {
    if (folderRawPath === "") {
      throw new AppError("io", `cannot list the folder ${walk.root}: ${messageOf(thrown)}`, {
        hint: "Check that it exists, is a folder, and that you may read it.",
        cause: thrown,
      });
    }
    reportUnreadable(walk, folderKey, thrown);
    return;
  }
  const names = new Set(entries.keyed.map(({ entry }) => entry.name));
  const { rules, problems } = outerRules.within({ key: folderKey, rawPath: folderRawPath, names });
  walk.problems.push(...problems);
  for (const { entry, shownName } of entries.unnamed) {
    if (!walk.hidden && shownName.startsWith(".")) continue;
    if (entry.isDirectory() ? walk.isExcludedFolder(entry.name) : !walk.isDocumentName(entry.name)) continue;
    walk.problems.push({ path: keyBelow(folderKey, shownName), reason: "its name is not UTF-8" });
  }
  for (const { entry, key, twinOf } of entries.keyed) {
    if (!walk.hidden && entry.name.startsWith(".")) continue;
    visit(walk, entry, rules, keyBelow(folderKey, key), keyBelow(folderRawPath, entry.name), twinOf);
  }
}

function keyBelow(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function visit(
  walk: Walk,
  entry: Dirent,
  rules: IgnoreRules,
  key: string,
  rawPath: string,
  twinOf: string | null,
): void {
  const fullPath = join(walk.root, rawPath);
  const isCandidate = walk.isDocumentName(entry.name) && !isLockFile(entry.name);
  let stat: BigIntStats | undefined;
  // Some file systems do not tell the kind of an entry; then only a stat does.
  const isKnown = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
  try {
    if (isCandidate || !isKnown) stat = lstatSync(fullPath, { bigint: true });
  } catch (thrown) {
    if (!rules.excludes(key, false)) reportUnreadable(walk, key, thrown);
    return;
  }
  const kind = stat ?? entry;
  if (kind.isSymbolicLink()) {
    reportLink(walk, rules, key, fullPath, isCandidate, entry.name);
  } else if (kind.isDirectory()) {
    if (walk.isExcludedFolder(entry.name) || rules.excludes(key, true)) return;
    reportTwin(walk, key, twinOf);
    walkInto(walk, key, rawPath, rules);
  } else if (stat !== undefined && isCandidate && !rules.excludes(key, false)) {
    if (!stat.isFile()) {
      walk.problems.push({ path: key, reason: "not a regular file" });
      return;
    }
    reportTwin(walk, key, twinOf);
    walk.files.push({
      path: key,
      rawPath,
      size: Number(stat.size),
      mtimeNs: stat.mtimeNs,
      ctimeNs: stat.ctimeNs,
      inode: stat.ino,
    });
  }
}

/** A link is worth a word if a document or a folder would stand in its place. */
function reportLink(
  walk: Walk,
  rules: IgnoreRules,
  key: string,
  fullPath: string,
  isCandidate: boolean,
  name: string,
): void {
  const isFolder = leadsToFolder(fullPath);
  if (!isFolder && !isCandidate) return;
  if (isFolder && walk.isExcludedFolder(name)) return;
  if (!rules.excludes(key, isFolder)) walk.problems.push({ path: key, reason: "symbolic link" });
}

function leadsToFolder(fullPath: string): boolean {
  try {
    return statSync(fullPath).isDirectory();
  } catch {
    // A link to nothing, to itself or to a forbidden place leads to no folder.
    return false;
  }
}

function reportTwin(walk: Walk, key: string, twinOf: string | null): void {
  if (twinOf === null) return;
  walk.problems.push({
    path: key,
    reason: `kept apart from ${twinOf}: the names are the same text in two Unicode forms`,
  });
}

function reportUnreadable(walk: Walk, key: string, thrown: unknown): void {
  const { code } = thrown as NodeJS.ErrnoException;
  const reason = code === "EACCES" || code === "EPERM" ? "no permission to read it" : messageOf(thrown);
  walk.problems.push({ path: key, reason });
  walk.unreadable.push(key);
}

/** Whether a name ends in one of the extensions, without regard to case. */
export function extensionTest(extensions: readonly string[]): (name: string) => boolean {
  const known = new Set(extensions.map((extension) => extension.toLowerCase()));
  return (name) => {
    const dot = name.lastIndexOf(".");
    return dot > 0 && known.has(name.slice(dot + 1).toLowerCase());
  };
}
