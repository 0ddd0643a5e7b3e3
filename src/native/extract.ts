/**
 * Files inside the executable, turned into real files the system can load.
 *
 * In go assets that belong together and the cache folder; out come their paths.
 * The files lie in a folder named by their contents, so that two versions of
 * the program never meet each other's libraries. What one file's being intact
 * means is `asset-file.ts`; which assets exist is in the platform files.
 */
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError, messageOf } from "../errors.ts";
import { type Asset, isIntact, writeAssetFile } from "./asset-file.ts";
import { IS_COMPILED } from "./compiled.ts";

/**
 * Real paths of the assets, in their order: the originals when run from source,
 * unpacked copies in a compiled executable.
 *
 * @throws {AppError} `io` as `extractAssets`.
 */
export function locateAssets(assets: readonly Asset[], cacheFolder: string): string[] {
  return IS_COMPILED ? extractAssets(assets, cacheFolder) : assets.map((asset) => asset.embeddedPath);
}

/**
 * Unpacks the assets side by side, unless intact copies are there already.
 *
 * A cache folder that cannot be used is replaced by a private folder under
 * `temporaryFolder`, reused by later runs of the same user.
 *
 * @param cacheFolder Created when missing, for its owner alone.
 * @returns One path per asset, in order, all in one folder.
 * @throws {AppError} `io` if neither folder can be used, with the reason each gave.
 */
export function extractAssets(
  assets: readonly Asset[],
  cacheFolder: string,
  temporaryFolder: string = tmpdir(),
): string[] {
  const name = folderNameOf(assets);
  try {
    return extractInto(join(cacheFolder, name), assets);
  } catch (cacheError) {
    if (cacheError instanceof AppError) throw cacheError;
    const fallback = join(temporaryFolder, `kb-${process.getuid?.() ?? "user"}`);
    try {
      openPrivateFolder(fallback);
      return extractInto(join(fallback, name), assets);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError(
        "io",
        `cannot unpack ${assets.map((asset) => asset.name).join(" and ")}: ${messageOf(cacheError)}; ${messageOf(error)}`,
        { hint: CACHE_HINT, cause: cacheError },
      );
    }
  }
}

/** What to do when unpacked files can be neither written nor loaded. */
export const CACHE_HINT =
  "Set KB_CACHE_DIR to a folder you can write to, with free space, on a disk that allows running programs (not mounted noexec).";

function extractInto(folder: string, assets: readonly Asset[]): string[] {
  openPrivateFolder(folder);
  return assets.map((asset) => {
    const path = join(folder, asset.name);
    if (!isIntact(path, asset)) writeAssetFile(path, folder, asset);
    return path;
  });
}

/** Whoever can write here decides what code we load, so a folder of somebody else's is refused. */
function openPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const stats = lstatSync(folder);
  const isOurs = stats.isDirectory() && (stats.uid === uid || stats.uid === 0) && (stats.mode & 0o022) === 0;
  if (!isOurs) throw new Error(`${folder} belongs to another user or can be changed by one`);
}

function folderNameOf(assets: readonly Asset[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const { name, sha256 } of assets) hasher.update(`${name} ${sha256}\n`);
  return hasher.digest("hex").slice(0, 16);
}
