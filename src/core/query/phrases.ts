/**
 * Stage 4 of query compilation and its finish: runs and quoted texts in, the
 * distinct phrases to search for out.
 *
 * A trigram index cannot find fewer than three characters, so short runs are
 * joined to their neighbours here. Putting the stages together and writing the
 * phrases as one expression is done in `plan.ts`.
 */
import type { Run } from "./runs.ts";

/** Characters (code points) below which the trigram index finds nothing, without an error. */
export const PHRASE_MIN_CHARS = 3;

/** Distinct phrases kept per query; the cost of a search grows with each one. */
export const PHRASE_MAX_COUNT = 32;

export interface FinishedPhrases {
  /** Distinct, at most `PHRASE_MAX_COUNT`, in order of first occurrence. */
  readonly phrases: readonly string[];
  /** Distinct phrases the cap dropped. */
  readonly cappedCount: number;
}

/**
 * The phrases of one group, each a contiguous part of it.
 *
 * A run of three or more characters is a phrase. A shorter one takes runs from its
 * right until three are reached; a short rest at the end is appended to the last
 * phrase. Both kinds of joining keep the text as it was before, so that a text
 * without the addition is still found.
 *
 * @param runs All runs of one group, in order.
 * @returns Each extended phrase, then its unextended form, then the long run it
 *   ended in; empty if the group has fewer than three characters.
 */
export function emitPhrases(runs: readonly Run[]): readonly string[] {
  const phrases: string[] = [];
  let lastPhrase: { readonly at: number; readonly firstRun: number } | undefined;
  let next = 0;
  while (next < runs.length) {
    const end = endOfUnit(runs, next);
    if (end === undefined) {
      if (lastPhrase !== undefined) {
        // The unextended form moves one place down, before any long run it ended in.
        phrases.splice(lastPhrase.at, 0, textOf(runs, lastPhrase.firstRun, runs.length));
      }
      break;
    }
    lastPhrase = { at: phrases.length, firstRun: next };
    phrases.push(textOf(runs, next, end));
    const last = runs[end - 1]!;
    if (end - next >= 2 && last.charCount >= PHRASE_MIN_CHARS) phrases.push(last.text);
    next = end;
  }
  return phrases;
}

/**
 * Whether a text may stand in an expression verbatim: three characters or more, and
 * no NUL, at which the expression parser would stop and fail the whole search.
 */
export function isSearchable(text: string): boolean {
  if (text.includes("\0")) return false;
  let charCount = 0;
  for (const _ of text) {
    charCount += 1;
    if (charCount === PHRASE_MIN_CHARS) return true;
  }
  return false;
}

/** Removes exact, case-sensitive repeats, then applies the cap; repeats are never counted as dropped. */
export function finishPhrases(phrases: Iterable<string>): FinishedPhrases {
  const distinct = [...new Set(phrases)];
  return {
    phrases: distinct.slice(0, PHRASE_MAX_COUNT),
    cappedCount: Math.max(0, distinct.length - PHRASE_MAX_COUNT),
  };
}

/** End (exclusive) of the fewest runs from `start` on that make a phrase; undefined if all of them are too short. */
function endOfUnit(runs: readonly Run[], start: number): number | undefined {
  let charCount = 0;
  for (let at = start; at < runs.length; at += 1) {
    charCount += runs[at]!.charCount;
    if (charCount >= PHRASE_MIN_CHARS) return at + 1;
  }
  return undefined;
}

function textOf(runs: readonly Run[], start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at += 1) text += runs[at]!.text;
  return text;
}
