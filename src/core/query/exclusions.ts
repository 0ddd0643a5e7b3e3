/**
 * What a query excludes: the raw query in; segments to search for, texts to exclude and
 * the positive text out.
 *
 * A query is read once, here, before any folding, so that no wide or typographic dash
 * ever excludes. Excluded texts are neither split nor searched for: `core/query/` only
 * says which they are, `store/` keeps the chunks that hold one out of every leg.
 */
import { AppError } from "../../errors.ts";
import { classOf } from "./groups.ts";
import { formatQuotes, type QuerySegment, segmentQuotes } from "./quotes.ts";
import { trimWhiteSpace } from "./white-space.ts";

/** Distinct exclusions of one query; each costs a test of every candidate. */
export const EXCLUSION_MAX_COUNT = 16;

export interface ParsedQuery {
  /** What to search for, not normalised, in query order; never two plain ones in a row. */
  readonly segments: readonly QuerySegment[];
  /** Everything that was cut out as an exclusion, without marker and quotes, in query order. */
  readonly exclusions: readonly string[];
  /** The query without its exclusions, every other character as typed. Quoting its segments again gives it. */
  readonly positiveText: string;
}

/** A `-` at the start or after white space, and all up to white space or a quote. */
const BARE_EXCLUSION = /(?<!\P{White_Space})-([^"\p{White_Space}]+)/gu;
const MARKER = "-";
const MARKER_AFTER_SPACE = /\p{White_Space}-$/u;

/**
 * Reads `-term` and `-"a phrase"` as exclusions and all else as text.
 *
 * The marker stands at the start of the query or after white space. A bare term begins
 * with a word character other than `-` and 0 to 9 and has two or more characters, so
 * that `-m`, `-1` and `--force` stay text; a phrase ends at its closing quote, whatever follows.
 * Inside quotes, and before a quote that is never closed, `-` is text.
 *
 * A query that would have no positive text left excludes nothing: all of it is text.
 *
 * @param normalize What decides whether a term may be excluded is its normalised form,
 *   and whether any text is left, too; the result is not normalised.
 */
export function parseQuery(raw: string, normalize: (text: string) => string): ParsedQuery {
  const whole = segmentQuotes(raw);
  const segments: QuerySegment[] = [];
  const exclusions: string[] = [];
  let plain = "";
  for (const [at, { kind, text }] of whole.entries()) {
    if (kind === "plain") {
      plain += text.replace(BARE_EXCLUSION, (source, term: string, offset: number) => {
        const isMarked = offset > 0 || at === 0;
        if (!isMarked || !isExcludable(normalize(term))) return source;
        exclusions.push(term);
        return "";
      });
    } else if (endsInMarker(whole, at)) {
      plain = plain.slice(0, -MARKER.length);
      exclusions.push(text);
    } else {
      if (plain !== "") segments.push({ kind: "plain", text: plain });
      plain = "";
      segments.push({ kind, text });
    }
  }
  if (plain !== "") segments.push({ kind: "plain", text: plain });

  const positiveText = formatQuotes(segments);
  if (trimWhiteSpace(normalize(positiveText)) === "") return parseLiteral(raw);
  return { segments, exclusions, positiveText };
}

/** Reads a query without the exclusion syntax: every `-` is text. */
export function parseLiteral(raw: string): ParsedQuery {
  return { segments: segmentQuotes(raw), exclusions: [], positiveText: raw };
}

/**
 * The exclusions that have an effect, as typed: first those of the query, then the named ones.
 *
 * Of those with the same normalised form the first stays. Without effect are, in the query,
 * `-""` and `-"!!"`, which have no word character; of the named ones, which say exactly what is
 * meant, only those that are blank, since they would exclude every chunk.
 *
 * @throws {AppError} `usage` if they are more than `EXCLUSION_MAX_COUNT`.
 */
export function effectiveExclusions(
  parsed: readonly string[],
  named: readonly string[],
  normalize: (text: string) => string,
): readonly string[] {
  const typedOf = new Map<string, string>();
  const add = (typed: string, isEffective: (folded: string) => boolean) => {
    const folded = normalize(typed);
    if (isEffective(folded) && !typedOf.has(folded)) typedOf.set(folded, typed);
  };
  for (const text of parsed) add(text, hasWordCharacter);
  for (const text of named) add(text, (folded) => trimWhiteSpace(folded) !== "");
  if (typedOf.size > EXCLUSION_MAX_COUNT)
    throw new AppError(
      "usage",
      `the query excludes ${typedOf.size} different terms; at most ${EXCLUSION_MAX_COUNT} are possible`,
      { hint: "Exclude fewer, or put a - that belongs to the text in double quotes." },
    );
  return [...typedOf.values()];
}

/** Whether the plain text before the quoted segment at `at` ends in a marker of its own. */
function endsInMarker(segments: readonly QuerySegment[], at: number): boolean {
  const before = segments[at - 1];
  if (before?.kind !== "plain") return false;
  return MARKER_AFTER_SPACE.test(before.text) || (at === 1 && before.text === MARKER);
}

/** Whether a normalised bare term excludes; the rest of it may hold any symbol, as in `c++`. */
function isExcludable(term: string): boolean {
  const [first, second] = term;
  if (first === undefined || second === undefined) return false;
  return !/[-0-9]/.test(first) && classOf(first) !== "separator";
}

function hasWordCharacter(text: string): boolean {
  for (const char of text) if (classOf(char) !== "separator") return true;
  return false;
}
