/**
 * What a configuration file inside the indexed folder may not say.
 *
 * Such a file may have come with the documents, from somebody else: it is data. It
 * cannot name any place outside the root, nor anything about who reaches the server. Files named by `--config` or kept in the
 * user's own configuration directory are not restricted.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isLoopback, parseBindAddress } from "./bind-address.ts";
import { httpSettings } from "./http-settings.ts";

/**
 * @returns A copy of `table` without the keys that reach outside `root`, and one sentence per key taken out.
 */
export function restrictUntrusted(
  table: Record<string, unknown>,
  file: string,
  root: string,
): { table: Record<string, unknown>; warnings: string[] } {
  const warnings: string[] = [];
  const takeOut = (key: string, value: unknown, problem: string) =>
    warnings.push(
      `${file}: ${key} = ${JSON.stringify(value)} ${problem} and is ignored; to accept it, start kb with --config ${file}`,
    );
  let kept = table;
  for (const [name, key] of PATH_KEYS) {
    const settings = kept[name];
    if (!isTable(settings)) continue;
    const { [key]: path, ...rest } = settings;
    if (typeof path !== "string" || isInside(resolve(dirname(file), path), root)) continue;
    takeOut(`${name}.${key}`, path, `leads outside ${root}`);
    kept = { ...kept, [name]: rest };
  }
  const { http } = kept;
  if (isTable(http)) {
    const isHarmless = ([key, value]: [string, unknown]) =>
      !NETWORK_KEYS.has(key) || (key === "bind" && typeof value === "string" && bindsLoopback(value));
    const entries = Object.entries(http);
    for (const entry of entries)
      if (!isHarmless(entry)) takeOut(`http.${entry[0]}`, entry[1], "decides who reaches the server");
    if (!entries.every(isHarmless)) kept = { ...kept, http: Object.fromEntries(entries.filter(isHarmless)) };
  }
  return { table: kept, warnings };
}

/** Every setting of HTTP: a limit, too, may be set so that it is none. Another name is no setting, and is refused. */
const NETWORK_KEYS: ReadonlySet<string> = new Set(Object.keys(httpSettings.shape));

function bindsLoopback(bind: string): boolean {
  try {
    return isLoopback(parseBindAddress(bind, "http.bind").host);
  } catch {
    return true; // no address at all, which the schema's reader tells
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Settings that name a place, by table and key. */
const PATH_KEYS = [
  ["index", "index_dir"],
  ["eval", "golden"],
] as const;

/** Whether `path` lies inside `folder` (or is it), links resolved as far as the path exists. */
export function isInside(path: string, folder: string): boolean {
  const inner = relative(canonical(folder), canonical(path));
  return (
    inner === "" ||
    !(inner === ".." || inner.startsWith("../") || inner.startsWith("..\\") || isAbsolute(inner))
  );
}

function canonical(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(canonical(parent), path.slice(parent.length).replace(/^[/\\]/, ""));
}
