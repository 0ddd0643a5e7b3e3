/**
 * Where things are: the root of the documents, the index, the user's own directories.
 *
 * Environment and working directory are arguments, so that nothing here depends on
 * when it is asked. Opening what lies there is done in `store/` and `native/`.
 */
import { createHash } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, parse, resolve } from "node:path";
import { AppError, messageOf } from "../errors.ts";

export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

export interface RootRequest {
  /** The folder named on the command line, by flag or argument. */
  readonly named: string | undefined;
  /** Whether the working directory itself may be the root: true for `index` and `serve`. */
  readonly mayUseCwd: boolean;
}

/**
 * The folder of documents: the named one, else `KB_PATH`, else the nearest ancestor of the
 * working directory with `kb.toml` or `.kb`, else, where allowed, the working directory,
 * but never a filesystem root or home directory that nobody named.
 *
 * @returns The canonical path of an existing folder.
 * @throws {AppError} `usage` or `missing` with the value and the command to type.
 */
export function resolveRoot(request: RootRequest, environment: Environment): string {
  if (request.named === "")
    throw new AppError("usage", "the folder of documents is named by an empty text", {
      hint: "Name it: --kb <folder>, or leave --kb away.",
    });
  const named = request.named ?? nonEmpty(environment.variables["KB_PATH"]);
  if (named !== undefined) return checkFolder(resolve(environment.cwd, expandHome(named, environment)));
  const marked = findMarkedAncestor(environment.cwd, environment);
  if (marked !== undefined) return checkFolder(marked);
  if (!request.mayUseCwd)
    throw new AppError("missing", `no index here: neither ${environment.cwd} nor a folder above it has one`, {
      hint: "Make one with: kb index <folder>, or name the folder with --kb <folder>.",
    });
  if (isHomeOrFilesystemRoot(environment.cwd, environment))
    throw new AppError("usage", `${environment.cwd} is not indexed unless it is named`, {
      hint: "Name the folder of documents: --kb <folder>.",
    });
  return checkFolder(environment.cwd);
}

/** The user's own data directory; undefined where the environment names none. */
export function userDataDir(environment: Environment): string | undefined {
  const { variables, platform } = environment;
  const home = homeDir(environment);
  if (platform === "win32") return joined(nonEmpty(variables["LOCALAPPDATA"]), "kb", "data");
  if (platform === "darwin") return joined(home, "Library", "Application Support", "kb");
  return joined(nonEmpty(variables["XDG_DATA_HOME"]) ?? joined(home, ".local", "share"), "kb");
}

/** Where the index of `root` lies when the root cannot hold it; undefined without a user data directory. */
export function externalIndexDir(root: string, environment: Environment): string | undefined {
  return joined(userDataDir(environment), "indexes", nameOfRoot(root));
}

/** A name for the folder of one root's index among those of others. */
export function nameOfRoot(root: string): string {
  return createHash("sha256").update(root).digest("hex").slice(0, 16);
}

/** The user's own configuration directory; a file there is trusted. */
export function userConfigDir(environment: Environment): string | undefined {
  const { variables, platform } = environment;
  if (platform === "win32") return joined(nonEmpty(variables["APPDATA"]), "kb");
  return joined(nonEmpty(variables["XDG_CONFIG_HOME"]) ?? joined(homeDir(environment), ".config"), "kb");
}

/** The user's home folder; undefined where the environment names none. */
export function userHomeDir(environment: Environment): string | undefined {
  return homeDir(environment);
}

/** The language of the user's locale, such as `ja`; undefined where the environment names none. */
export function preferredLanguage({ variables }: Environment): string | undefined {
  const names = ["LC_ALL", "LC_MESSAGES", "LANG"] as const;
  const locale = names.map((name) => nonEmpty(variables[name])).find((value) => value !== undefined);
  return locale?.match(/^[a-z]{2,3}(?![a-z])/i)?.[0].toLowerCase();
}

function findMarkedAncestor(from: string, environment: Environment): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isMarked(folder, environment) && !(folder !== from && isHomeOrFilesystemRoot(folder, environment)))
      return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function isMarked(folder: string, environment: Environment): boolean {
  const external = externalIndexDir(folder, environment);
  return (
    existsSync(join(folder, "kb.toml")) ||
    existsSync(join(folder, ".kb", "current")) ||
    (external !== undefined && existsSync(join(external, "current")))
  );
}

function isHomeOrFilesystemRoot(folder: string, environment: Environment): boolean {
  if (parse(folder).root === folder) return true;
  const home = homeDir(environment);
  return home !== undefined && existsSync(home) && realpathSync.native(home) === realpathSync.native(folder);
}

function checkFolder(folder: string): string {
  let isFolder: boolean;
  try {
    isFolder = statSync(folder).isDirectory();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new AppError("missing", `no such folder: ${folder}`, {
        hint: "Check the path given by --kb, the argument or KB_PATH.",
        cause,
      });
    throw new AppError("io", `cannot look at ${folder}: ${messageOf(cause)}`, {
      hint: "Check the permissions of the folder and of those above it.",
      cause,
    });
  }
  if (!isFolder)
    throw new AppError("usage", `${folder} is a file, not a folder`, {
      hint: `Name the folder that holds it: ${basename(dirname(folder)) === "" ? "--kb <folder>" : `--kb ${dirname(folder)}`}`,
    });
  // The native one, because only that gives each name the letter case it has on disk.
  return realpathSync.native(folder);
}

function expandHome(path: string, environment: Environment): string {
  const home = homeDir(environment);
  if (home === undefined) return path;
  const isBelowHome = path.startsWith("~/") || (environment.platform === "win32" && path.startsWith("~\\"));
  return path === "~" ? home : isBelowHome ? join(home, path.slice(2)) : path;
}

function homeDir({ variables, platform }: Environment): string | undefined {
  return nonEmpty(variables[platform === "win32" ? "USERPROFILE" : "HOME"]);
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function joined(base: string | undefined, ...parts: string[]): string | undefined {
  return base === undefined ? undefined : join(base, ...parts);
}
