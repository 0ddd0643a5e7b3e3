/**
 * Why a hit stands where it stands: the parts of its score, and what of the query is in it.
 *
 * Computed only when asked for. Taking a score apart is `core/contributions.ts`; the wire form is
 * in `search-answer.ts`.
 */
import { analyseDocumentField } from "../../core/analyse.ts";
import type { FusedCandidate, LegScore } from "../../core/candidate.ts";
import { type Contribution, contributionsOf } from "../../core/contributions.ts";
import type { FusionWeights, LegInput } from "../../core/fusion.ts";
import { normalizeText } from "../../core/normalize.ts";
import { isPointed } from "../../core/query/kind.ts";
import type { QueryPlan } from "../../core/query/plan.ts";
import { termIdf } from "../../core/term-score.ts";
import type { Passage } from "../../store/chunks.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { countTermMatches } from "../../store/terms-leg.ts";
import { choosePhrases } from "./phrases-answer.ts";
import type { QuotedOrder } from "./quoted-order.ts";
import type { AnswerExplanation, HitExplanation } from "./search-answer.ts";
import type { TermChoice } from "./terms-answer.ts";

/** How one question was asked and weighed. */
export interface Weighing extends FusionWeights {
  readonly plan: QueryPlan;
  readonly choice: TermChoice | undefined;
  readonly legs: readonly LegInput[];
  readonly method: "convex" | "rrf";
  readonly heldShare: QuotedOrder["heldShare"];
}

export function explainAnswer(
  db: IndexDatabase,
  { plan, choice, weights }: Weighing,
  totalChunks: number,
  { ranked, isVaried }: { readonly ranked: readonly FusedCandidate[]; readonly isVaried: boolean },
): AnswerExplanation {
  const terms = choice?.terms ?? [];
  const counts = countTermMatches(db, terms);
  return {
    is_pointed: isPointed(plan.words),
    weights,
    terms: terms.map(({ text, isPrefix }, offset) => ({
      text: isPrefix ? `${text}*` : text,
      passages: counts[offset]!,
      idf: termIdf(counts[offset]!, totalChunks),
    })),
    phrases: choosePhrases(plan, choice?.frequent ?? []),
    pool: { passages: ranked.length, documents: new Set(ranked.map(({ path }) => path)).size },
    order: isVaried ? "mmr" : "score",
  };
}

/** @param spanCount Of the text that is shown. */
export function explainHit(
  { plan, choice, legs, weights, method, heldShare }: Weighing,
  candidate: FusedCandidate,
  { meta, chunk }: Passage,
  spanCount: number,
): HitExplanation {
  // Where texts are quoted, a score is the mean of what fusion gave and of their share.
  const share = heldShare?.(candidate.chunkId);
  const part = share === undefined ? 1 : 0.5;
  const contributions = contributionsOf(candidate, legs, { weights }, method);
  const legEntries = Object.entries(contributions).map(
    ([leg, { weight, contribution }]: [string, Contribution]) => [
      leg,
      {
        ...(candidate.scores[leg as LegInput["leg"]] as LegScore),
        weight,
        contribution: contribution * part,
      },
    ],
  );
  const fields = [chunk.content, meta.title, chunk.headingPath.join("\n")].map(normalizeText);
  const analysed = new Set(fields.flatMap((field) => analyseDocumentField(field).split(" ")));
  return {
    legs: Object.fromEntries(legEntries),
    ...(share === undefined ? {} : { quoted: { share, contribution: share * part } }),
    matched: {
      terms: (choice?.terms ?? [])
        .filter(({ text, isPrefix }) =>
          isPrefix ? [...analysed].some((term) => term.startsWith(text)) : analysed.has(text),
        )
        .map(({ text }) => text),
      phrases: choosePhrases(plan, choice?.frequent ?? []).filter((phrase) =>
        fields.some((field) => field.includes(phrase)),
      ),
      spans: spanCount,
    },
  };
}
