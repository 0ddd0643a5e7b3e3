/**
 * Prints how well the confidence tells answerable questions of the judged set from the others.
 *
 * In-sample with the weights in use, out-of-fold with weights fitted without the case itself, and
 * what is flagged at the default border; then the weights that a fit on all of them gives.
 */
import { fitWeights, scoreOutOfFold } from "../../test/quality/fit-confidence.ts";
import type { JudgedIndex } from "../../test/quality/judged-index.ts";
import {
  CASE_GROUPS,
  type ConfidenceCase,
  measureConfidence,
  separate,
} from "../../test/quality/measure-confidence.ts";

/** Words and meaning, and words alone, as where there are no vectors. */
export async function printConfidence(index: JudgedIndex): Promise<void> {
  printCases("all legs", await measureConfidence(index, {}));
  const byWords = { search: { fusion: { weight_dense: 0 } } };
  printCases("lexical legs", await measureConfidence(index, byWords));
}

function printCases(title: string, cases: readonly ConfidenceCase[]): void {
  const inUse = cases.map(({ confidence }) => confidence.score);
  const outOfFold = scoreOutOfFold(cases);
  console.log(`${title.padEnd(32)}+   -    in use  out of fold (95 %)     flagged +  unflagged -`);
  for (const group of CASE_GROUPS) {
    const own = separate(cases, inUse, group);
    const { area, low, high } = separate(cases, outOfFold, group);
    const figures = [own.area.toFixed(3), `${area.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`];
    const held = cases.filter(group.holds);
    const flagged = shareOf(
      held.filter(({ isAnswerable }) => isAnswerable),
      ({ isLow }) => isLow,
    );
    const unflagged = shareOf(
      held.filter(({ isAnswerable }) => !isAnswerable),
      ({ isLow }) => !isLow,
    );
    console.log(
      `  ${group.name.padEnd(30)}${String(own.positives).padEnd(4)}${String(own.negatives).padEnd(5)}${figures[0]!.padEnd(8)}${figures[1]!.padEnd(23)}${flagged.padEnd(11)}${unflagged}`,
    );
  }
  const weights = Object.entries(fitWeights(cases)).map(([name, weight]) => `${name} ${weight.toFixed(2)}`);
  console.log(`  weights fitted on all: ${weights.join(", ")}\n`);
}

function shareOf(cases: readonly ConfidenceCase[], holds: (item: ConfidenceCase) => boolean): string {
  return `${((100 * cases.filter(holds).length) / cases.length).toFixed(0)} %`;
}
