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
  const index = table["index"];
  if (typeof index !== "object" || index === null || Array.isArray(index)) return { table, warnings: [] };
  const { index_dir: indexDir, ...rest } = index as Record<string, unknown>;
  if (typeof indexDir !== "string" || isInside(resolve(dirname(file), indexDir), root))
    return { table, warnings: [] };
  return {
    table: { ...table, index: rest },
    warnings: [
      `${file}: index.index_dir = ${JSON.stringify(indexDir)} leads outside ${root} and is ignored; to accept it, start kb with --config ${file}`,
    ],
  };
}

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
