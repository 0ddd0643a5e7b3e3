/**
 * What is marked in the hits: the terms of a question, once for all of them.
 *
 * The phrases and the words of the question; lone particles of hiragana, and the little words of
 * an English sentence, only if there is nothing else. Finding them in a text is done in `core/match-spans.ts`.
 */

import { type MatchSpanOptions, matchSpans } from "../../core/match-spans.ts";
import { normalizeText } from "../../core/normalize.ts";
import { occursIn } from "../../core/occurrences.ts";
import { compileQuery, type QueryPlan } from "../../core/query/plan.ts";
import { isLoneParticle } from "../../core/query/words.ts";
import type { Span } from "../../core/span.ts";

export interface Marking {
  /** Null as `matchSpans` says. */
  spansIn(text: string): readonly Span[] | null;
  /** Whether any term stands in the text. */
  isIn(text: string): boolean;
}

/** @param raw The query as typed; `scripts: "ascii"` looks for its terms without normalising them. */
export function markingOf(raw: string, plan: QueryPlan, options: MatchSpanOptions): Marking {
  const terms = termsToMark(plan);
  const spanTerms =
    options.scripts === "ascii" ? compileQuery(raw, { exclude: plan.exclusions }).spanTerms : terms;
  return {
    spansIn: (text) => matchSpans(spanTerms, text, options),
    isIn(text) {
      const normal = normalizeText(text);
      return terms.some((term) => occursIn(term, normal));
    },
  };
}

function termsToMark({ spanTerms, words }: QueryPlan): readonly string[] {
  const all = [...new Set([...spanTerms, ...words.map(({ text }) => text)])].filter(
    (term) => term.trim() !== "",
  );
  const isSentence = words.length > SENTENCE_MIN_WORDS;
  const quoted = new Set(words.filter(({ isQuoted }) => isQuoted).map(({ text }) => text));
  const telling = all.filter(
    (term) => quoted.has(term) || !(isLoneParticle(term) || (isSentence && LITTLE_WORD.test(term))),
  );
  return telling.length > 0 ? telling : all;
}

/** In a sentence `to` and `a` are glue; alone or beside one or two words they are what was asked for. */
const SENTENCE_MIN_WORDS = 3;
const LITTLE_WORD = /^[a-z]{1,2}$/;
