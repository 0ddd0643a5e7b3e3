/**
 * Path globs: the patterns of a request in, a test for document paths out.
 *
 * A pattern matches the whole path; `*` and `?` stop at `/`, `**` does not. Applying the
 * test inside a search is done in `engine/` and `store/`.
 */
import picomatch from "picomatch";
import { AppError, messageOf } from "../errors.ts";

/**
 * A path passes if it matches any pattern (or there is none but excluding ones) and no pattern that begins with `!`.
 *
 * @param globs At least one.
 * @throws {AppError} `usage` naming a pattern that cannot be read.
 */
export function compilePathGlobs(globs: readonly string[]): (path: string) => boolean {
  const included = globs.filter((glob) => !glob.startsWith("!")).map((glob) => compileGlob(glob));
  const excluded = globs
    .filter((glob) => glob.startsWith("!"))
    .map((glob) => compileGlob(glob.slice(1), glob));
  return (path) =>
    (included.length === 0 || included.some((matches) => matches(path))) &&
    !excluded.some((matches) => matches(path));
}

function compileGlob(pattern: string, glob = pattern): (path: string) => boolean {
  const normalized = pattern.normalize("NFC").replace(/^\.\//, "");
  if (normalized === "") throw unreadableGlob(glob, "it is empty");
  try {
    return picomatch(normalized, { dot: true, nonegate: true, strictBrackets: true });
  } catch (cause) {
    throw unreadableGlob(glob, messageOf(cause));
  }
}

function unreadableGlob(glob: string, why: string): AppError {
  return new AppError("usage", `cannot read the path glob ${JSON.stringify(glob)}: ${why}`, {
    hint: "For example: docs/** for a folder, **/*.md for an extension, !drafts/** to leave out.",
  });
}
