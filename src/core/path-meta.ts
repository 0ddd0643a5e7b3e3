/**
 * What a document's path says about it: title, category, topic.
 *
 * Paths are keys: relative to the root and separated by `/`. Front matter and
 * first headings go before these; that order is settled in
 * `source/parse-document.ts`.
 */

/**
 * The file name without its extension, hyphens and underscores read as spaces.
 *
 * @returns `null` when nothing is left, as for `-.md`. A leading dot is kept: `.env.txt` gives `.env`.
 */
export function titleFromPath(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const title = stem.replace(/[-_\s]+/gu, " ").trim();
  return title === "" ? null : title;
}

/** The first folder of a path, and the second; `null` where there is none. */
export function placeFromPath(path: string): {
  readonly category: string | null;
  readonly topic: string | null;
} {
  const folders = path.split("/").slice(0, -1);
  return { category: folders[0] ?? null, topic: folders[1] ?? null };
}
