/**
 * How good the best of many settings is on queries it was not chosen by.
 *
 * The best setting on some queries looks better on these than it is. So it is chosen on a part of
 * the queries and counted on the rest, for several ways of parting them. In go scores, out come
 * gains over the setting in use; whether they suffice is decided in `adoption.ts`.
 */
import { seededRandom, shuffled } from "./seeded-random.ts";

/** A score for each setting and, in it, for each query. The first setting is the one in use. */
export type ScoreTable = readonly ArrayLike<number>[];

export interface CrossValidation {
  /** What all queries together choose; an offset into the settings. */
  readonly refit: number;
  /** For each query the mean, over the rounds, of its gain by the setting that the others chose. */
  readonly gains: readonly number[];
  /** Share of the choices that are the same as `refit`, 0 to 1. */
  readonly stability: number;
}

export interface Partition {
  /** Parts of about equal size, at least 2; no more than there are queries are made. */
  readonly folds: number;
  /** How often all queries are parted anew, at least 1. */
  readonly rounds: number;
  /** As `seededRandom` takes it. */
  readonly seed: number;
}

/**
 * Of the settings with the best mean (as far as 1e-9 tells) the first.
 *
 * @param queries Offsets of the queries that count.
 */
export function chooseSetting(scores: ScoreTable, queries: readonly number[]): number {
  return firstOfBest(scores.map((row) => sumOver(row, queries) / Math.max(1, queries.length)));
}

/**
 * Chooses on all parts but one and counts on that one, for each part, in each round.
 *
 * @throws {RangeError} For fewer than two queries, of which none could be left out.
 */
export function crossValidate(
  scores: ScoreTable,
  queries: readonly number[],
  { folds, rounds, seed }: Partition,
): CrossValidation {
  if (queries.length < 2) throw new RangeError(`two queries are needed, got ${queries.length}`);
  const random = seededRandom(seed);
  const refit = chooseSetting(scores, queries);
  const totals = scores.map((row) => sumOver(row, queries));
  const gains = new Map(queries.map((query) => [query, 0]));
  let choices = 0;
  let same = 0;
  for (let round = 0; round < rounds; round++) {
    for (const heldOut of partsOf(shuffled(queries, random), folds)) {
      const rest = queries.length - heldOut.length;
      const chosen = firstOfBest(scores.map((row, at) => (totals[at]! - sumOver(row, heldOut)) / rest));
      choices++;
      if (chosen === refit) same++;
      for (const query of heldOut)
        gains.set(query, gains.get(query)! + scores[chosen]![query]! - scores[0]![query]!);
    }
  }
  return { refit, gains: queries.map((query) => gains.get(query)! / rounds), stability: same / choices };
}

const PLATEAU = 1e-9;

function firstOfBest(means: readonly number[]): number {
  let best = Number.NEGATIVE_INFINITY;
  for (const mean of means) best = Math.max(best, mean);
  return means.findIndex((mean) => mean >= best - PLATEAU);
}

function sumOver(row: ArrayLike<number>, queries: readonly number[]): number {
  let sum = 0;
  for (const query of queries) sum += row[query]!;
  return sum;
}

function partsOf<Item>(items: readonly Item[], folds: number): Item[][] {
  const count = Math.min(folds, items.length);
  return Array.from({ length: count }, (_, part) => items.filter((_item, at) => at % count === part));
}
