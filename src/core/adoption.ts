/**
 * Whether other settings are worth having: better by enough, surely, and at nobody's cost.
 *
 * In goes what cross-validation and the figures of both settings say, out come the reasons against a
 * change; none means adopt. Settings are kept unless everything speaks for others, since each change
 * of them changes what people are used to find.
 */
import type { CrossValidation } from "./cross-validation.ts";
import { meanOf, standardError } from "./paired-differences.ts";

/** A figure that must not fall, with the settings in use and with the others. */
export interface SideFigure {
  /** Such as `recall@5`. */
  readonly metric: string;
  readonly before: number;
  readonly after: number;
}

export interface KeepReason {
  readonly check: "same" | "gain" | "certainty" | "stability" | "side_loss";
  readonly sentence: string;
}

/** The gain that a change must bring, out of fold, in nDCG@5. */
const MIN_GAIN = 0.02;
/**
 * How many standard errors the gain must be. Out-of-fold gains share their training queries, so
 * that their own spread makes the error too small by a factor of 1.4 to 1.9.
 */
const MIN_ERRORS = 3;
/** More than this share of the parts must choose what all queries choose. */
const MIN_STABILITY = 0.5;
/** By how much another figure may fall: one query of 200 lost from sight. */
const SIDE_TOLERANCE = 0.005;

/** Every reason to keep what is in use, in the order of the checks; empty if nothing speaks against the others. */
export function reasonsToKeep(
  { refit, gains, stability }: CrossValidation,
  figures: readonly SideFigure[],
): KeepReason[] {
  if (refit === 0) return [{ check: "same", sentence: "nothing tried is better than what is set" }];
  const gain = meanOf(gains);
  const error = standardError(gains);
  const reasons: KeepReason[] = [];
  if (!(gain > MIN_GAIN))
    reasons.push({
      check: "gain",
      sentence: `on queries it was not chosen by, nDCG@5 changes by ${signed(gain)}; more than ${MIN_GAIN} is asked for`,
    });
  if (!(gain > MIN_ERRORS * error))
    reasons.push({
      check: "certainty",
      sentence: `with a standard error of ${error.toFixed(3)} that may be chance; a gain of more than ${MIN_ERRORS} of them is asked for`,
    });
  if (!(stability > MIN_STABILITY))
    reasons.push({
      check: "stability",
      sentence: `${percent(stability)} of the parts choose it; more than ${percent(MIN_STABILITY)} are asked for`,
    });
  for (const { metric, before, after } of figures)
    if (before - after > SIDE_TOLERANCE)
      reasons.push({
        check: "side_loss",
        sentence: `${metric} falls from ${before.toFixed(3)} to ${after.toFixed(3)}`,
      });
  return reasons;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
