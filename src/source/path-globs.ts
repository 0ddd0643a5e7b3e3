/**
 * Path globs: the patterns of a request in, a test for document paths out.
 *
 * A pattern matches the whole path, folder by folder. The matcher is our own so that no
 * pattern can be made to cost much: it never goes back behind the last star, and so takes
 * at most the length of the pattern times that of the path. Which documents are asked
 * about is decided in `engine/`.
 */
import { AppError } from "../errors.ts";

/**
 * A path passes if it matches any pattern (or there is none but excluding ones) and no pattern that begins with `!`.
 *
 * `*` is any text inside one folder or file name, `?` one character, `[a-z]` and `[!a-z]` one of a class,
 * `{a,b}` either, `\` takes the next character literally; `**` as a whole segment is any number of folders.
 * Case counts; names that begin with a dot are names like others.
 *
 * @param globs At least one.
 * @throws {AppError} `usage` naming a pattern that cannot be read.
 */
export function compilePathGlobs(globs: readonly string[]): (path: string) => boolean {
  const included = globs.filter((glob) => !glob.startsWith("!")).flatMap((glob) => compileGlob(glob));
  const excluded = globs
    .filter((glob) => glob.startsWith("!"))
    .flatMap((glob) => compileGlob(glob.slice(1), glob));
  return (path) => {
    const names = path.split("/");
    const matches = (pattern: Pattern) => matchesNames(pattern, names);
    return (included.length === 0 || included.some(matches)) && !excluded.some(matches);
  };
}

/** What a pattern may stand for with its braces written out; `{a,b}{a,b}…` doubles with each. */
const MAX_ALTERNATIVES = 256;

const ANY_FOLDERS = "any folders";
const ANY_TEXT = "any text";
/** One character of a name: which ones. */
type Unit = typeof ANY_TEXT | ((character: string) => boolean);
type Segment = typeof ANY_FOLDERS | string | readonly Unit[];
type Pattern = readonly Segment[];

function compileGlob(pattern: string, glob = pattern): Pattern[] {
  const normalized = pattern.normalize("NFC").replace(/^\.\//, "");
  if (normalized === "") throw unreadableGlob(glob, "it is empty");
  refuseGroups(normalized, glob);
  return expandBraces(normalized, glob).map((written) =>
    written
      .split("/")
      .map((segment) => compileSegment(segment, glob))
      .filter((segment, at, all) => segment !== ANY_FOLDERS || all[at - 1] !== ANY_FOLDERS),
  );
}

function matchesNames(pattern: Pattern, names: readonly string[]): boolean {
  return matchesWithStars(pattern, names, ANY_FOLDERS, (segment, name) =>
    typeof segment === "string" ? segment === name : matchesName(segment, name),
  );
}

function matchesName(units: readonly Unit[], name: string): boolean {
  return matchesWithStars(
    units,
    [...name],
    ANY_TEXT,
    (unit, character) => typeof unit !== "string" && unit(character),
  );
}

/**
 * Whether items fit a pattern in which a star takes any number of them. Where the pattern fails, it is
 * enough to let the last star take one more: earlier ones took as little as they could.
 */
function matchesWithStars<Part, Item>(
  pattern: readonly Part[],
  items: readonly Item[],
  star: Part,
  fits: (part: Part, item: Item) => boolean,
): boolean {
  let part = 0;
  let item = 0;
  let afterStar = -1;
  let tried = 0;
  while (item < items.length) {
    if (part < pattern.length && pattern[part] === star) {
      afterStar = ++part;
      tried = item;
    } else if (part < pattern.length && fits(pattern[part]!, items[item]!)) {
      part += 1;
      item += 1;
    } else if (afterStar >= 0) {
      part = afterStar;
      item = ++tried;
    } else {
      return false;
    }
  }
  while (part < pattern.length && pattern[part] === star) part += 1;
  return part === pattern.length;
}

/** Parentheses are characters like others, but what other matchers take for a group is not silently another pattern. */
function refuseGroups(pattern: string, glob: string): void {
  const bare = pattern.replace(/\\./gs, "").replace(/\[[^\]]*\]/g, "");
  if (/\([^)]*$/.test(bare)) throw unreadableGlob(glob, "a ( is not closed");
  if (/\([^)]*\|/.test(bare)) throw unreadableGlob(glob, "alternatives are written {a,b}");
}

function compileSegment(segment: string, glob: string): Segment {
  if (segment === "**") return ANY_FOLDERS;
  if (!/[*?[\\]/.test(segment)) return segment;
  const characters = [...segment];
  const units: Unit[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === "*") {
      if (units.at(-1) !== ANY_TEXT) units.push(ANY_TEXT);
    } else if (character === "?") {
      units.push(() => true);
    } else if (character === "[") {
      const end = characters.indexOf("]", at + (/[!^]/.test(characters[at + 1] ?? "") ? 3 : 2));
      if (end < 0) throw unreadableGlob(glob, "a [ is not closed");
      units.push(compileClass(characters.slice(at + 1, end)));
      at = end;
    } else {
      const literal = character === "\\" ? characters[++at] : character;
      if (literal === undefined) throw unreadableGlob(glob, "it ends with a \\");
      units.push((other) => other === literal);
    }
  }
  return units;
}

function compileClass(members: readonly string[]): (character: string) => boolean {
  const isNegated = members[0] === "!" || members[0] === "^";
  const ranges: (readonly [first: number, last: number])[] = [];
  for (let at = isNegated ? 1 : 0; at < members.length; at++) {
    const first = members[at]!.codePointAt(0)!;
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    ranges.push([first, isRange ? members[at + 2]!.codePointAt(0)! : first]);
    if (isRange) at += 2;
  }
  return (character) => {
    const code = character.codePointAt(0)!;
    return ranges.some(([first, last]) => first <= code && code <= last) !== isNegated;
  };
}

/** The pattern once for each choice of alternatives; braces may stand in braces and hold slashes. */
function expandBraces(pattern: string, glob: string): string[] {
  const expanded: string[] = [];
  const waiting = [pattern];
  while (waiting.length > 0) {
    const next = waiting.pop()!;
    const braces = findBraces(next, glob);
    if (braces === undefined) {
      expanded.push(next);
    } else {
      const { start, end, alternatives } = braces;
      for (const alternative of alternatives)
        waiting.push(next.slice(0, start) + alternative + next.slice(end));
    }
    if (expanded.length + waiting.length > MAX_ALTERNATIVES)
      throw unreadableGlob(glob, `its braces stand for more than ${MAX_ALTERNATIVES} patterns`);
  }
  return expanded;
}

/** The first outermost `{a,b}`; braces without a comma are characters like others. */
function findBraces(pattern: string, glob: string) {
  let depth = 0;
  let start = -1;
  let commas: number[] = [];
  let isClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (isClass) isClass = character !== "]";
    else if (character === "[") isClass = true;
    else if (character === "{" && depth++ === 0) {
      start = at;
      commas = [];
    } else if (character === "," && depth === 1) commas.push(at);
    else if (character === "}" && depth > 0 && --depth === 0 && commas.length > 0) {
      const ends = [...commas, at];
      const alternatives = ends.map((end, offset) =>
        pattern.slice((offset === 0 ? start : ends[offset - 1]!) + 1, end),
      );
      return { start, end: at + 1, alternatives };
    }
  }
  if (depth > 0) throw unreadableGlob(glob, "a { is not closed");
  return undefined;
}

function unreadableGlob(glob: string, why: string): AppError {
  return new AppError("usage", `cannot read the path glob ${JSON.stringify(glob)}: ${why}`, {
    hint: "For example: docs/** for a folder, **/*.md for an extension, !drafts/** to leave out.",
  });
}
