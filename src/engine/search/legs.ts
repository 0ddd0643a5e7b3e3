/**
 * The legs as a list: each is asked, put on its own scale, and fused with the others.
 *
 * A leg that cannot answer is left out, so that the others carry its weight. What a leg
 * looks for is chosen before; fetching what was found comes after (`search-index.ts`).
 */
import type { Config } from "../../config/schema.ts";
import type { Candidate, FusedCandidate } from "../../core/candidate.ts";
import { denseScale, E5_DENSE_SCALE } from "../../core/dense-scale.ts";
import { type FusionWeights, fuseConvex, fuseReciprocalRank, type LegInput } from "../../core/fusion.ts";
import { isPointed } from "../../core/query/kind.ts";
import type { QueryPlan } from "../../core/query/plan.ts";
import type { QueryWord } from "../../core/query/words.ts";
import { listInvisibleToDense } from "../../store/chunks.ts";
import { searchDense } from "../../store/dense-leg.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { askUntilFull } from "./exclusion-test.ts";
import type { LegRequest } from "./lexical-leg.ts";
import { askPhrases, choosePhrases } from "./phrases-answer.ts";
import { askTerms, type TermChoice } from "./terms-answer.ts";

/** The question in the form of each lexical leg; undefined where it holds nothing for that leg. */
export interface AskedQuestion {
  readonly plan: QueryPlan;
  readonly choice: TermChoice | undefined;
}

/** Measured on the judged set's names, codes and short words; see `test/quality`. */
const POINTED_DENSE_FACTOR = 0.4;

type FusionSettings = Config["search"]["fusion"];

/** Every leg that answers by words. A muted leg (weight 0) is not asked. */
export function askLexicalLegs(
  db: IndexDatabase,
  { plan, choice }: AskedQuestion,
  request: LegRequest,
  settings: FusionSettings,
): LegInput[] {
  const legs: LegInput[] = [];
  const seesAll = () => true;
  if (choice !== undefined && settings.weight_terms > 0) {
    const weights = {
      content: settings.terms_content_weight,
      title: settings.terms_title_weight,
      headings: settings.terms_headings_weight,
    };
    legs.push({ leg: "terms", ...askTerms(db, choice, { ...request, weights }), couldSee: seesAll });
  }
  if (settings.weight_phrases > 0) {
    const { heading_weight: heading, context_weight: context, content_weight: content } = settings;
    const phrases = askPhrases(db, choosePhrases(plan, choice?.frequent ?? []), {
      ...request,
      weights: { heading, context, content },
    });
    if (phrases !== undefined) legs.push({ leg: "phrases", ...phrases, couldSee: seesAll });
  }
  return legs;
}

/**
 * The leg that answers by meaning; none if it is muted.
 *
 * @param lexical What the other legs answered: which of their candidates this one could not see is looked up.
 */
export function askDenseLeg(
  db: IndexDatabase,
  vector: Float32Array,
  lexical: readonly LegInput[],
  request: LegRequest,
  settings: FusionSettings,
): LegInput[] {
  if (settings.weight_dense === 0) return [];
  return [
    askDense(
      db,
      vector,
      lexical.flatMap(({ candidates }) => candidates),
      request,
    ),
  ];
}

/**
 * The weight of each leg for one question, after all factors.
 *
 * Nearness of meaning counts less where the question points at an exact name, and while few
 * passages have a vector: the best of those few is not the best there is, and those without one
 * must not all come behind it.
 *
 * @param words Of the question.
 * @param vectorCoverage Share of the passages that have a vector, 0 to 1.
 */
export function weightsFor(
  words: readonly QueryWord[],
  vectorCoverage: number,
  settings: FusionSettings,
): FusionWeights["weights"] {
  return {
    terms: settings.weight_terms,
    phrases: settings.weight_phrases,
    dense: settings.weight_dense * (isPointed(words) ? POINTED_DENSE_FACTOR : 1) * vectorCoverage,
  };
}

/** One ranking of all that the legs proposed. */
export function fuseLegs(
  legs: readonly LegInput[],
  weights: FusionWeights["weights"],
  settings: FusionSettings,
): FusedCandidate[] {
  return settings.method === "rrf"
    ? fuseReciprocalRank(legs, { weights, damping: settings.rrf_k })
    : fuseConvex(legs, { weights });
}

function askDense(
  db: IndexDatabase,
  vector: Float32Array,
  lexical: readonly Candidate[],
  { passes, poolSize, ...filter }: LegRequest,
): LegInput {
  const candidates = askUntilFull(poolSize, passes, (asked) =>
    searchDense(db, vector, { ...filter, poolSize: asked }),
  );
  const invisible = listInvisibleToDense(
    db,
    lexical.map(({ chunkId }) => chunkId),
  );
  return {
    leg: "dense",
    candidates,
    scale: denseScale(candidates, E5_DENSE_SCALE),
    couldSee: (chunkId) => !invisible.has(chunkId),
  };
}
