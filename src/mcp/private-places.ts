/**
 * Keeps the places of this machine out of what a client reads.
 *
 * In goes a text made for the owner of the server, out comes one without the names of his folders.
 */
import { homedir } from "node:os";
import { externalIndexDir, userConfigDir, userDataDir } from "../config/paths.ts";
import type { Engine } from "../engine/engine.ts";
import { cacheFolderOf } from "../engine/questions/own-embedder.ts";

/** What turns each place that this engine may name into words. */
export function placeHider({ root, environment, config }: Engine): (text: string) => string {
  const named: readonly (readonly [string | undefined, string])[] = [
    [root, "the folder"],
    [config.index.index_dir, "the index folder"],
    [externalIndexDir(root, environment), "the index folder"],
    [cacheFolderOf(environment), "the cache folder"],
    [userConfigDir(environment), "the configuration folder"],
    [userDataDir(environment), "the data folder"],
    [process.execPath, "kb"],
    [homedir(), "the home folder"],
    [environment.variables["HOME"], "the home folder"],
  ];
  const places = named
    .filter((entry): entry is readonly [string, string] => (entry[0]?.length ?? 0) > 1)
    .sort(([a], [b]) => b.length - a.length);
  return (text) => places.reduce((rest, [place, name]) => rest.replaceAll(place, name), text);
}
