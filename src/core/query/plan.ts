/**
 * The whole of query compilation: a raw query in, a plan for the phrases leg out.
 *
 * A pure function of the string: no index, no configuration, no log. Whoever runs
 * the plan warns about dropped phrases from `cappedCount`, binds the expression as
 * a parameter (`store/`), and hands `spanTerms` to `core/match-spans.ts`.
 */
import { splitGroups } from "./groups.ts";
import { emitPhrases, finishPhrases, isSearchable } from "./phrases.ts";
import { type QuerySegment, segmentQuotes } from "./quotes.ts";
import { splitRuns } from "./runs.ts";
import { splitWhiteSpace, trimWhiteSpace } from "./white-space.ts";

/** Changes whenever the same query may compile to another plan; evaluation runs of two versions do not compare. */
export const QUERY_VERSION = 2;

export interface QueryPlan {
  /** Unescaped, distinct, each of three or more characters, in query order; at most 32, and empty for a fallback. */
  readonly phrases: readonly string[];
  /** Distinct phrases dropped because of that limit. */
  readonly cappedCount: number;
  /** For `MATCH` on a trigram table; null if there is nothing it could find, so that it is not to be asked. */
  readonly matchExpression: string | null;
  /** Whether the expression is the whole query taken literally, because no part of it made a phrase. */
  readonly isFallback: boolean;
  /** What the query asks for, as typed; what embedding and the test for an empty query look at. */
  readonly positiveText: string;
  /** What `matchSpans` looks for: the phrases, or without any the pieces between white space. */
  readonly spanTerms: readonly string[];
}

/**
 * Compiles any string, malformed UTF-16 included, into a plan whose expression FTS5 accepts.
 *
 * Linear in the length of the query. Never throws.
 */
export function compileQuery(raw: string): QueryPlan {
  const { phrases, cappedCount } = finishPhrases(segmentQuotes(raw).flatMap(phrasesOfSegment));
  const trimmed = trimWhiteSpace(raw);
  const isFallback = phrases.length === 0 && isSearchable(trimmed);
  const literals = isFallback ? [trimmed] : phrases;
  return {
    phrases,
    cappedCount,
    matchExpression: literals.length === 0 ? null : formatMatchExpression(literals),
    isFallback,
    positiveText: raw,
    spanTerms: phrases.length > 0 ? phrases : splitWhiteSpace(trimmed),
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
