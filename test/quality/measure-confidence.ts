/**
 * Asks the judged questions, answerable and not, and says how well the confidence tells them apart.
 *
 * The area under the ROC curve is `src/core/roc.ts`; fitting weights, `fit-confidence.ts`; floors
 * are in `confidence.test.ts`.
 */
import { rocArea, rocInterval } from "../../src/core/roc.ts";
import type { Confidence } from "../../src/engine/search/search-answer.ts";
import type { JudgedIndex, Settings } from "./judged-index.ts";
import type { JudgedQuery } from "./judged-set.ts";
import { gradesOf } from "./measure.ts";

export interface ConfidenceCase {
  readonly query: JudgedQuery;
  readonly confidence: Confidence;
  readonly isLow: boolean;
  /** Whether the documents answer it. */
  readonly isAnswerable: boolean;
  /** Whether an answer is among the first five hits. */
  readonly isFound: boolean;
}

/** Every judged query, in their order. */
export async function measureConfidence(
  { queries, answer }: Pick<JudgedIndex, "queries" | "answer">,
  settings: Settings,
): Promise<ConfidenceCase[]> {
  const cases: ConfidenceCase[] = [];
  for (const query of queries) {
    const { results, confidence, low_confidence: isLow } = await answer(query.query, settings);
    const isFound = gradesOf(query, results.slice(0, 5)).some((grade) => grade > 0);
    cases.push({ query, confidence, isLow, isAnswerable: query.relevant.length > 0, isFound });
  }
  return cases;
}

/** Which cases are compared; the positive ones with all that no document answers. */
export interface CaseGroup {
  readonly name: string;
  readonly holds: (item: ConfidenceCase) => boolean;
}

const isParaphrase = ({ query }: ConfidenceCase) => query.slice === "paraphrase";
const isNear = ({ query }: ConfidenceCase) => /^(?:ja|en)-near-/.test(query.id);
const isIn = (language: string) => (item: ConfidenceCase) => item.query.language === language;

/** All of them, by language, and with the kinds apart that differ most. */
export const CASE_GROUPS: readonly CaseGroup[] = [
  { name: "all", holds: () => true },
  { name: "all ja", holds: isIn("ja") },
  { name: "all en", holds: isIn("en") },
  { name: "without paraphrases", holds: (item) => !isParaphrase(item) },
  { name: "without paraphrases ja", holds: (item) => !isParaphrase(item) && isIn("ja")(item) },
  { name: "without paraphrases en", holds: (item) => !isParaphrase(item) && isIn("en")(item) },
  { name: "paraphrases only", holds: (item) => !item.isAnswerable || isParaphrase(item) },
  { name: "unanswerable near a topic", holds: (item) => item.isAnswerable || isNear(item) },
  { name: "unanswerable without a topic", holds: (item) => item.isAnswerable || !isNear(item) },
  { name: "answer among the first five", holds: ({ isAnswerable, isFound }) => !isAnswerable || isFound },
];

export interface Separation {
  readonly positives: number;
  readonly negatives: number;
  readonly area: number;
  /** Of 95 %, by bootstrap. */
  readonly low: number;
  readonly high: number;
}

/** @param scores One for each case; higher for what is more likely answered. */
export function separate(
  cases: readonly ConfidenceCase[],
  scores: readonly number[],
  { holds }: CaseGroup,
): Separation {
  const scoresOf = (wanted: boolean) =>
    scores.filter((_, at) => holds(cases[at]!) && cases[at]!.isAnswerable === wanted);
  const [positives, negatives] = [scoresOf(true), scoresOf(false)];
  return {
    positives: positives.length,
    negatives: negatives.length,
    area: rocArea(positives, negatives),
    ...rocInterval(positives, negatives),
  };
}
