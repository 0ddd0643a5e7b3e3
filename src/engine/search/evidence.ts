/**
 * What speaks for an answer: the words of the question that its best passage has, how near the
 * legs found it, and whether they agree.
 *
 * A word counts as found only with all its terms, so that a few pairs of characters that happen
 * to occur do not make it. What the evidence is worth is decided in `core/confidence.ts`.
 */
import { analyseDocumentField, analyseQuery, type QueryTerm } from "../../core/analyse.ts";
import type { FusedCandidate } from "../../core/candidate.ts";
import { confidenceOf, type SoughtWord, type WordEvidence, wordEvidence } from "../../core/confidence.ts";
import { isFunctionWord } from "../../core/function-words.ts";
import type { LegInput } from "../../core/fusion.ts";
import { normalizeText } from "../../core/normalize.ts";
import { occursIn } from "../../core/occurrences.ts";
import { isExactName } from "../../core/query/kind.ts";
import type { QueryPlan } from "../../core/query/plan.ts";
import type { QueryWord } from "../../core/query/words.ts";
import type { Passage } from "../../store/chunks.ts";
import type { Confidence } from "./search-answer.ts";
import { type TermChoice, termKey } from "./terms-answer.ts";

/** One answer, as far as it must be known to weigh it. */
export interface WeighedAnswer {
  readonly plan: QueryPlan;
  readonly choice: TermChoice | undefined;
  readonly legs: readonly LegInput[];
  /** The best hit and its passage; undefined if there is none. */
  readonly best: { readonly candidate: FusedCandidate; readonly passage: Passage } | undefined;
  /** Share of the passages that have a vector, 0 to 1. */
  readonly vectorCoverage: number;
}

/** What an answer without a hit has. */
export const NO_EVIDENCE: Confidence = { score: 0, coverage: 0, terms_reach: 0, agreement: 0 };

/** How sure an answer must be, as confidences. */
export interface ConfidenceBorder {
  /** What the request asked for: below it nothing is shown. */
  readonly asked: number | undefined;
  /** What counts as low otherwise. */
  readonly usual: number;
}

export interface Verdict {
  readonly confidence: Confidence;
  readonly isLow: boolean;
  /** Why the hits are not to be shown; undefined if they are, or if there are none. */
  readonly withheld: string | undefined;
}

/** Weighs an answer and compares it with what is asked of it. */
export function judgeAnswer(answer: WeighedAnswer, { asked, usual }: ConfidenceBorder): Verdict {
  const confidence = weighAnswer(answer);
  const isLow = confidence.score < (asked ?? usual);
  const isWithheld = isLow && asked !== undefined && answer.best !== undefined;
  return { confidence, isLow, withheld: isWithheld ? whyWithheld(confidence.score, asked) : undefined };
}

function whyWithheld(score: number, asked: number): string {
  return `The best passage has a confidence of ${score}, below the ${asked} asked for. Try other words, or a lower min_confidence_ratio.`;
}

/** Numbers rounded to four places; without a hit all is 0. */
function weighAnswer({ plan, choice, legs, best, vectorCoverage }: WeighedAnswer): Confidence {
  if (best === undefined) return NO_EVIDENCE;
  const { scores } = best.candidate;
  const words = wordsInPassage(plan, choice, best);
  const nearest = legs.find(({ leg }) => leg === "dense")?.candidates ?? [];
  const cosine = nearest[0]?.raw;
  const raw = scores.terms?.raw ?? 0;
  const ranks = legs.map(({ leg }) => 1 / (scores[leg]?.rank ?? Number.POSITIVE_INFINITY));
  return {
    score: rounded(confidenceOf({ ...words, cosine, vectorCoverage })),
    coverage: rounded(words.coverage),
    ...(words.names === undefined ? {} : { names: rounded(words.names) }),
    ...(cosine === undefined ? {} : { cosine: rounded(cosine), background: rounded(nearest.at(-1)!.raw) }),
    terms_reach: choice === undefined || choice.reach === 0 ? 0 : rounded(Math.min(1, raw / choice.reach)),
    agreement: rounded(ranks.reduce((sum, rank) => sum + rank, 0) / Math.max(1, ranks.length)),
  };
}

function wordsInPassage(
  plan: QueryPlan,
  choice: TermChoice | undefined,
  { candidate, passage: { meta, chunk } }: NonNullable<WeighedAnswer["best"]>,
): WordEvidence {
  const telling = tellingWords(plan.words);
  // A text of symbols has no words; it is there or not.
  if (telling.length === 0) return { coverage: candidate.scores.phrases === undefined ? 0 : 1 };
  const text = [meta.title, ...chunk.headingPath, chunk.content].map(normalizeText).join("\n");
  const terms = new Set(analyseDocumentField(text).split(" "));
  const hasTerm = ({ text: term, isPrefix }: QueryTerm) =>
    isPrefix ? [...terms].some((other) => other.startsWith(term)) : terms.has(term);
  return wordEvidence(
    telling.flatMap(({ text: word, isQuoted }): SoughtWord[] => {
      const known = analyseQuery(word).terms.filter((term) => choice?.rarity.has(termKey(term)));
      if (known.length === 0 && !isQuoted) return [];
      return [
        {
          weight: Math.max(QUOTED_MIN_WEIGHT, ...known.map((term) => choice!.rarity.get(termKey(term))!)),
          isName: isQuoted || isExactName(word),
          isFound: isQuoted ? occursIn(word, text) : known.every(hasTerm),
        },
      ];
    }),
  );
}

/** A quoted text may have no terms of its own. */
const QUOTED_MIN_WEIGHT = 0.1;

/** All but particles and function words, if there are others. */
function tellingWords(words: readonly QueryWord[]): readonly QueryWord[] {
  const telling = words.filter(
    ({ text, isQuoted }) => isQuoted || !(HIRAGANA_ONLY.test(text) || isFunctionWord(text)),
  );
  return telling.length > 0 ? telling : words;
}

const HIRAGANA_ONLY = /^[\p{Script=Hiragana}ー]+$/u;

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
