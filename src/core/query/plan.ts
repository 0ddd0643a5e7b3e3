/**
 * The whole of query compilation: a raw query in, a plan for the legs out.
 *
 * A pure function of the query and its options: no index, no configuration, no log. Whoever
 * runs the plan warns about dropped phrases from `cappedCount`, binds the expression as a
 * parameter and keeps exclusions out of every leg (`store/`), and hands `spanTerms` to
 * `core/match-spans.ts`.
 */
import { effectiveExclusions, parseLiteral, parseQuery } from "./exclusions.ts";
import { splitGroups } from "./groups.ts";
import { emitPhrases, finishPhrases, isSearchable } from "./phrases.ts";
import type { QuerySegment } from "./quotes.ts";
import { splitRuns } from "./runs.ts";
import { splitWhiteSpace, trimWhiteSpace } from "./white-space.ts";
import { type QueryWord, wordsOf } from "./words.ts";

/** Changes whenever the same query may compile to another plan; evaluation runs of two versions do not compare. */
export const QUERY_VERSION = 3;

export interface QueryOptions {
  /** Whether `-term` and `-"a phrase"` exclude (the default) or are text like any other. */
  readonly exclusions?: boolean;
  /** Texts to exclude whatever the query says and however `exclusions` is set; blank ones are ignored. */
  readonly exclude?: readonly string[];
  /**
   * Brings text into the form of the index: idempotent, the same for each text; by default nothing changes.
   * Quotes and exclusions are found before, so that nothing it produces acts as syntax.
   */
  readonly normalize?: (text: string) => string;
}

export interface QueryPlan {
  /** What is searched for, normalised, in query order; never two plain ones in a row, and no empty plain one. */
  readonly segments: readonly QuerySegment[];
  /** Unescaped, distinct, each of three or more characters, in query order; at most 32, and empty for a fallback. */
  readonly phrases: readonly string[];
  /** Distinct phrases dropped because of that limit. */
  readonly cappedCount: number;
  /** For `MATCH` on a trigram table; null if there is nothing it could find, so that it is not to be asked. */
  readonly matchExpression: string | null;
  /** What the expression asks for, unescaped: the phrases, or the one text of a fallback, or nothing. */
  readonly literals: readonly string[];
  /** Whether the expression is the whole positive text taken literally, because no part of it made a phrase. */
  readonly isFallback: boolean;
  /** The query without its exclusions, as typed; what embedding and the test for an empty query look at. */
  readonly positiveText: string;
  /** What `matchSpans` looks for: the phrases, or without any the pieces of the positive text between white space. */
  readonly spanTerms: readonly string[];
  /** What a person would list, short words included. */
  readonly words: readonly QueryWord[];
  /** What no hit may contain: as typed, distinct when normalised, at most 16; the query's own first. */
  readonly exclusions: readonly string[];
}

/**
 * Compiles any string, malformed UTF-16 included, into a plan whose expression FTS5 accepts.
 *
 * Linear in the length of the query.
 *
 * @throws {AppError} `usage` if more than 16 distinct texts are excluded; for no other query.
 */
export function compileQuery(raw: string, options: QueryOptions = {}): QueryPlan {
  const { exclusions: hasSyntax = true, exclude = [], normalize = asTyped } = options;
  const parsed = hasSyntax ? parseQuery(raw, normalize) : parseLiteral(raw);
  const segments = parsed.segments
    .map(({ kind, text }) => ({ kind, text: normalize(text) }))
    .filter(({ kind, text }) => kind === "quoted" || text !== "");
  const { phrases, cappedCount } = finishPhrases(segments.flatMap(phrasesOfSegment));
  const wholeText = trimWhiteSpace(normalize(parsed.positiveText));
  const isFallback = phrases.length === 0 && isSearchable(wholeText);
  const literals = isFallback ? [wholeText] : phrases;
  return {
    segments,
    phrases,
    cappedCount,
    matchExpression: literals.length === 0 ? null : formatMatchExpression(literals),
    literals,
    isFallback,
    positiveText: parsed.positiveText,
    spanTerms: phrases.length > 0 ? phrases : splitWhiteSpace(wholeText),
    words: wordsOf(segments),
    exclusions: effectiveExclusions(parsed.exclusions, exclude, normalize),
  };
}

/**
 * The phrases of one segment: a quoted text is one phrase verbatim, or none if it
 * is not searchable; plain text is split and joined group by group.
 */
export function phrasesOfSegment(segment: QuerySegment): readonly string[] {
  if (segment.kind === "quoted") return isSearchable(segment.text) ? [segment.text] : [];
  return splitGroups(segment.text).flatMap((group) => emitPhrases(splitRuns(group)));
}

/**
 * Writes phrases as `"a" OR "b"`, quotes inside them doubled, so that nothing a user
 * types acts as an operator.
 *
 * @param phrases At least one, none with a NUL.
 */
export function formatMatchExpression(phrases: readonly string[]): string {
  return phrases.map((phrase) => `"${phrase.replaceAll('"', '""')}"`).join(" OR ");
}

function asTyped(text: string): string {
  return text;
}
