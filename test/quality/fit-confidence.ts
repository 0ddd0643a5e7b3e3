/**
 * Fits the weights of `src/core/confidence.ts`, and gives each case the confidence that weights
 * fitted without it would give.
 *
 * Logistic regression with both kinds of cases weighing the same, weights that are not negative
 * (so that evidence never speaks against an answer) and a little shrinkage. Deterministic.
 */
import { type Features, type FeatureWeights, featuresOf } from "../../src/core/confidence.ts";
import type { ConfidenceCase } from "./measure-confidence.ts";

/** Of the standardised features; half a case for each. */
const SHRINKAGE = 0.5;
const STEPS = 1500;
const FOLDS = 10;
const REPEATS = 3;

/** Weights that tell the answerable cases from the others; features that no case has get none. */
export function fitWeights(cases: readonly ConfidenceCase[]): FeatureWeights {
  const rows = cases.map(({ confidence }) => featuresOf(confidence));
  const names = (["words", "names", "nearness"] as const).filter((name) => rows[0]?.[name] !== undefined);
  const columns = names.map((name) => standardised(rows.map((row) => row[name] ?? 0)));
  const positives = cases.filter(({ isAnswerable }) => isAnswerable).length;
  const shares = cases.map(({ isAnswerable }) =>
    isAnswerable ? 0.5 / positives : 0.5 / (cases.length - positives),
  );
  const weights = names.map(() => 0);
  let intercept = 0;
  for (let step = 0; step < STEPS; step++) {
    const errors = cases.map(({ isAnswerable }, at) => {
      const sum = weights.reduce((total, weight, of) => total + weight * columns[of]!.values[at]!, intercept);
      return (1 / (1 + Math.exp(-sum)) - (isAnswerable ? 1 : 0)) * shares[at]!;
    });
    intercept -= STEP_SIZE * errors.reduce((total, error) => total + error, 0);
    for (const [of, { values }] of columns.entries()) {
      const slope = errors.reduce((total, error, at) => total + error * values[at]!, 0);
      const shrunk = (SHRINKAGE / cases.length) * weights[of]!;
      weights[of] = Math.max(0, weights[of]! - STEP_SIZE * (slope + shrunk));
    }
  }
  const raw = weights.map((weight, of) => weight / columns[of]!.deviation);
  const shift = raw.reduce((total, weight, of) => total + weight * columns[of]!.mean, 0);
  return {
    ...(Object.fromEntries(names.map((name, of) => [name, raw[of]!])) as unknown as Features),
    intercept: intercept - shift,
  };
}

/** For each case the mean over some ways to split the cases into ten, each time fitted on the other nine. */
export function scoreOutOfFold(cases: readonly ConfidenceCase[]): number[] {
  const scores = cases.map(() => 0);
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const folds = cases.map(({ query }) => foldOf(query.id, repeat));
    for (let fold = 0; fold < FOLDS; fold++) {
      const weights = fitWeights(cases.filter((_, at) => folds[at] !== fold));
      for (const [at, { confidence }] of cases.entries())
        if (folds[at] === fold) scores[at]! += scoreWith(weights, featuresOf(confidence)) / REPEATS;
    }
  }
  return scores;
}

/** Orders as the confidence does. */
export function scoreWith(weights: FeatureWeights, features: Features): number {
  const nearness = (weights.nearness ?? 0) * (features.nearness ?? 0);
  return weights.words * features.words + weights.names * features.names + nearness + weights.intercept;
}

const STEP_SIZE = 2;

function standardised(values: readonly number[]) {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  const variance = values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length;
  const deviation = Math.sqrt(variance) || 1;
  return { mean, deviation, values: values.map((value) => (value - mean) / deviation) };
}

function foldOf(id: string, repeat: number): number {
  return Number(Bun.hash.wyhash(id, BigInt(repeat)) % BigInt(FOLDS));
}
