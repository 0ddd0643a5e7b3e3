/**
 * What ignore files leave out: `.kbignore` in any folder and, if asked, `.gitignore`, in gitignore syntax.
 *
 * In goes a folder's own ignore files on top of the rules in force around it, out come the
 * rules in force in it, with what was wrong with the files. They bound noise, not access: a
 * file that cannot be used leaves everything in. Which folders are entered is decided in
 * `source/walk.ts`; those that are always left out are known to `source/exclusions.ts`.
 */
import ignore from "ignore";
import { readDocument } from "./read.ts";

const OWN_FILE = ".kbignore";
const GIT_FILE = ".gitignore";

const MAX_IGNORE_BYTES = 64 * 1024;
const MAX_PATTERNS = 1000;

/** `**` in one pattern, and `*` in one name of it. */
const MAX_FOLDER_WILDCARDS = 3;
const MAX_NAME_WILDCARDS = 4;

export interface IgnoreFileProblem {
  /** Key of the ignore file. */
  readonly path: string;
  /** What could not be applied. */
  readonly reason: string;
}

/** A folder, by its key and by its name as on disk; both are empty for the root. */
export interface IgnoringFolder {
  readonly key: string;
  readonly rawPath: string;
  /** Of its entries. */
  readonly names: ReadonlySet<string>;
}

/** Whether a file of this name holds rules for its folder. @param gitignore Whether `.gitignore` does. */
export function isIgnoreFile(name: string, gitignore: boolean): boolean {
  return name === OWN_FILE || (gitignore && name === GIT_FILE);
}

/** The rules in force in one folder; never changes. */
export class IgnoreRules {
  readonly #root: string;
  readonly #readsGit: boolean;
  /** As if all stood in the root's own file, those of upper folders first. */
  readonly #gitPatterns: readonly string[];
  readonly #ownPatterns: readonly string[];
  readonly #matcher: ReturnType<typeof ignore>;

  private constructor(
    root: string,
    readsGit: boolean,
    gitPatterns: readonly string[],
    ownPatterns: readonly string[],
  ) {
    this.#root = root;
    this.#readsGit = readsGit;
    this.#gitPatterns = gitPatterns;
    this.#ownPatterns = ownPatterns;
    // The last rule that fits decides: our own files win over git's, and each deeper file over an upper one.
    this.#matcher = ignore().add(gitPatterns).add(ownPatterns);
  }

  /** No rules yet. @param root Canonical. */
  static none(root: string, readsGit: boolean): IgnoreRules {
    return new IgnoreRules(root, readsGit, [], []);
  }

  /**
   * The rules in `folder`, which these rules do not leave out.
   *
   * At most 64 KiB and 1000 patterns of a file are applied, and none with more wildcards than can be matched soon. Patterns are relative to their file's folder, and
   * fit in any letter case and Unicode form.
   */
  within(folder: IgnoringFolder): { readonly rules: IgnoreRules; readonly problems: IgnoreFileProblem[] } {
    const problems: IgnoreFileProblem[] = [];
    const read = (name: string) => {
      if (!folder.names.has(name)) return [];
      const { patterns, problem } = this.#readPatterns(folder, name);
      if (problem !== null) problems.push({ path: join(folder.key, name), reason: problem });
      return patterns;
    };
    const git = this.#readsGit ? read(GIT_FILE) : [];
    const own = read(OWN_FILE);
    if (git.length + own.length === 0) return { rules: this, problems };
    const gitPatterns = [...this.#gitPatterns, ...git];
    const ownPatterns = [...this.#ownPatterns, ...own];
    return { rules: new IgnoreRules(this.#root, this.#readsGit, gitPatterns, ownPatterns), problems };
  }

  /** Whether `key` is left out; its enclosing folders are taken to be in. */
  excludes(key: string, isFolder: boolean): boolean {
    return this.#matcher.ignores(isFolder ? `${key}/` : key);
  }

  #readPatterns({ key, rawPath }: IgnoringFolder, name: string) {
    const file = { rawPath: join(rawPath, name) };
    const outcome = readDocument(this.#root, file, { maxBytes: MAX_IGNORE_BYTES });
    if (outcome.kind === "skip")
      return { patterns: [], problem: outcome.isMissing ? null : `not applied: ${outcome.reason}` };
    const lines = outcome.text.split("\n").map(withoutTrailingSpaces).filter(isPattern);
    const patterns = lines.slice(0, MAX_PATTERNS).map(collapseFolderWildcards);
    const costly = patterns.filter(isCostly);
    const dropped = lines.length - patterns.length;
    const problems = [
      ...(dropped > 0 ? [`only the first ${MAX_PATTERNS} patterns are applied, ${dropped} are not`] : []),
      ...(costly.length > 0
        ? [`patterns with too many wildcards are not applied: ${costly.slice(0, 3).join(" ").slice(0, 200)}`]
        : []),
    ];
    return {
      patterns: patterns.filter((each) => !isCostly(each)).map((each) => anchorBelow(key, each)),
      problem: problems.length === 0 ? null : problems.join("; "),
    };
  }
}

function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function isPattern(line: string): boolean {
  return line !== "" && !line.startsWith("#");
}

/** Any number of folders twice in a row is any number of folders. */
function collapseFolderWildcards(pattern: string): string {
  return pattern.replace(/(^!?|\/)(?:\*\*\/){2,}/g, "$1**/");
}

/** Matching tries every way to share a path out among the wildcards, which takes seconds for a dozen. */
function isCostly(pattern: string): boolean {
  const segments = pattern.replace(/\\./g, "").split("/");
  if (segments.filter((segment) => segment === "**").length > MAX_FOLDER_WILDCARDS) return true;
  return segments.some((segment) => (segment.match(/\*+/g)?.length ?? 0) > MAX_NAME_WILDCARDS);
}

/** Spaces at the end are no part of a pattern, except one behind a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end--;
  let slashes = end;
  while (slashes > 0 && line[slashes - 1] === "\\") slashes--;
  const isQuoted = (end - slashes) % 2 === 1 && end < line.length;
  return line.slice(0, isQuoted ? end + 1 : end);
}

/** The pattern of a file in the folder `key`, as it would be written in the root. */
function anchorBelow(key: string, line: string): string {
  const pattern = line.normalize("NFC");
  if (key === "") return pattern;
  const isNegated = pattern.startsWith("!");
  const body = isNegated ? pattern.slice(1) : pattern;
  const slash = body.indexOf("/");
  const isAnchored = slash >= 0 && slash < body.length - 1;
  const below = isAnchored ? body.replace(/^\//, "") : `**/${body}`;
  return `${isNegated ? "!" : ""}/${key.replace(/[\\*?[\]]/g, "\\$&")}/${below}`;
}
