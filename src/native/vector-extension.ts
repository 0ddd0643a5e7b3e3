/**
 * Where SQLite finds the vector search extension.
 *
 * In goes the cache folder; out comes the path to hand to `loadExtension`.
 * Loading it, and probing that it really works, is done in `store/`.
 */
import { AppError } from "../errors.ts";
import { locateAssets } from "./extract.ts";
import { describePlatform, findVectorExtension } from "./platform.ts";

/**
 * A real file holding sqlite-vec for this platform; unpacks nothing else.
 *
 * @throws {AppError} `model` on a platform without it, `io` if it cannot be unpacked.
 */
export function locateVectorExtension(cacheFolder: string): string {
  const extension = findVectorExtension();
  if (extension === undefined) {
    throw new AppError("model", `there is no vector extension of SQLite for ${describePlatform()}`, {
      hint: "Vectors are compared without it.",
    });
  }
  const [path] = locateAssets([extension], cacheFolder);
  return path!;
}
