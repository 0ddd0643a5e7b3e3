/**
 * Where the index of a root lies: in the root itself, or in the user's data directory.
 *
 * Reading takes the place that has an index; writing takes the root's own `.kb` where it
 * can be written. What is in the folder is known to `store/index-location.ts`.
 */
import { accessSync, constants, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Environment, externalIndexDir, nameOfRoot } from "../config/paths.ts";
import type { Config } from "../config/schema.ts";
import { AppError } from "../errors.ts";
import { guardIndexFolder } from "../store/folder-guard.ts";
import { findIndexFile } from "../store/index-location.ts";
import { findWriter } from "../store/writer-lock.ts";

export interface IndexPlace {
  readonly directory: string;
  /** An index outside its root records which root it is of; one inside moves with it. */
  readonly isInRoot: boolean;
}

/** The place an existing index is read from; undefined if neither place has one. */
export function findIndexPlace(
  root: string,
  config: Config,
  environment: Environment,
): IndexPlace | undefined {
  return placesOf(root, config, environment).find(({ directory }) => findIndexFile(directory) !== undefined);
}

/**
 * The place to write to.
 *
 * @throws {AppError} `corrupt` if the folder is a link or has links in it; `io` if the root cannot be
 *   written and there is no other place.
 */
export function chooseIndexPlace(root: string, config: Config, environment: Environment): IndexPlace {
  const places = placesOf(root, config, environment);
  const place = places.find(({ isInRoot, directory }) => {
    guardIndexFolder(directory);
    return !isInRoot || isWritable(existsSync(directory) ? directory : root);
  });
  if (place !== undefined) return place;
  throw new AppError(
    "io",
    `${root} cannot be written, and there is no user data directory to keep its index in`,
    {
      hint: "Set HOME, or name a folder with [index] index_dir in a file given by --config.",
    },
  );
}

/**
 * Removes the index that was kept elsewhere while the root could not be written, which nobody reads any more once
 * there is one in the root. One that is being written is left to the next run.
 */
export function removeReplacedIndex({ isInRoot }: IndexPlace, root: string, environment: Environment): void {
  const external = isInRoot ? externalIndexDir(root, environment) : undefined;
  if (external === undefined || findIndexFile(external) === undefined || findWriter(external) !== undefined)
    return;
  guardIndexFolder(external);
  rmSync(external, { recursive: true, force: true });
}

function placesOf(root: string, config: Config, environment: Environment): IndexPlace[] {
  const chosen = config.index.index_dir;
  if (chosen !== undefined) return [{ directory: join(chosen, nameOfRoot(root)), isInRoot: false }];
  const external = externalIndexDir(root, environment);
  return [
    { directory: join(root, ".kb"), isInRoot: true },
    ...(external === undefined ? [] : [{ directory: external, isInRoot: false }]),
  ];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false; // the answer to the question, not a failure
  }
}
