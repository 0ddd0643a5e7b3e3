/**
 * What a configuration file inside the indexed folder may not say.
 *
 * Such a file may have come with the documents, from somebody else: it is data. It
 * cannot name any place outside the root. Files named by `--config` or kept in the
 * user's own configuration directory are not restricted.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";

/**
 * @returns A copy of `table` without the keys that reach outside `root`, and one sentence per key taken out.
 */
export function restrictUntrusted(
  table: Record<string, unknown>,
  file: string,
  root: string,
): { table: Record<string, unknown>; warnings: string[] } {
  let kept = table;
  const warnings: string[] = [];
  for (const [name, key] of PATH_KEYS) {
    const settings = kept[name];
    if (typeof settings !== "object" || settings === null || Array.isArray(settings)) continue;
    const { [key]: path, ...rest } = settings as Record<string, unknown>;
    if (typeof path !== "string" || isInside(resolve(dirname(file), path), root)) continue;
    kept = { ...kept, [name]: rest };
    warnings.push(
      `${file}: ${name}.${key} = ${JSON.stringify(path)} leads outside ${root} and is ignored; to accept it, start kb with --config ${file}`,
    );
  }
  return { table: kept, warnings };
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
