/**
 * The ignore file of a folder: `.kbignore` in its root, in gitignore syntax.
 *
 * In goes the root, out comes a test for keys, with what was wrong with the file. It
 * bounds noise, not access: a file that cannot be used leaves everything in. The
 * folders that are always left out are known to `source/exclusions.ts`.
 */
import ignore from "ignore";
import { readDocument } from "./read.ts";

export const IGNORE_FILE = ".kbignore";

const MAX_IGNORE_BYTES = 64 * 1024;
const MAX_PATTERNS = 1000;

export interface IgnoreRules {
  /** Whether the rules leave out `key`; its enclosing folders are taken to be in. */
  readonly excludes: (key: string, isFolder: boolean) => boolean;
  /** What could not be applied; null if all was, or if there is no such file. */
  readonly problem: string | null;
}

/** Reads the ignore file of `root`, case-insensitively as on the systems that need it most. */
export function readIgnoreFile(root: string): IgnoreRules {
  const outcome = readDocument(root, { rawPath: IGNORE_FILE }, { maxBytes: MAX_IGNORE_BYTES });
  if (outcome.kind === "skip") {
    const problem = outcome.isMissing ? null : `not applied: ${outcome.reason}`;
    return { excludes: () => false, problem };
  }
  const patterns = outcome.text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const rules = ignore().add(patterns.slice(0, MAX_PATTERNS));
  const dropped = patterns.length - MAX_PATTERNS;
  return {
    excludes: (key, isFolder) => rules.ignores(isFolder ? `${key}/` : key),
    problem: dropped > 0 ? `only the first ${MAX_PATTERNS} patterns are applied, ${dropped} are not` : null,
  };
}
