/**
 * Where files unpacked from the executable are kept between runs.
 *
 * In go the environment, the platform and the home folder; out comes a path.
 * Nothing is created here: that is `extract.ts`, which also falls back to a
 * private temporary folder when this one cannot be written.
 */
import { isAbsolute, join, resolve } from "node:path";

/**
 * Answers with `KB_CACHE_DIR` if it is set, else the platform's own place for caches.
 *
 * @param env Read for `KB_CACHE_DIR`, `XDG_CACHE_HOME` (ignored unless absolute, as its
 *   specification asks) and `LOCALAPPDATA`; an empty value counts as unset.
 * @param platform As `process.platform` names it.
 * @param home The home folder, used when no variable decides.
 */
export function findCacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
  home: string,
): string {
  if (env["KB_CACHE_DIR"]) return resolve(env["KB_CACHE_DIR"]);
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "kb");
  if (platform === "darwin") return join(home, "Library", "Caches", "kb");
  const xdg = env["XDG_CACHE_HOME"];
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".cache"), "kb");
}
