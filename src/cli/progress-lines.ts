/**
 * Progress for a program that started this one: a JSON object a line on stderr.
 *
 * What is in it is `engine/indexing/index-report.ts`; who reads it is `engine/upkeep/rebuilds.ts`.
 */
import type { Output } from "./output.ts";
import type { ProgressDisplay } from "./progress.ts";

/** A line at most every fifth of a second, and one at each stage's beginning and end. */
export function createProgressLines(output: Output): ProgressDisplay {
  let shownAt = Number.NEGATIVE_INFINITY;
  let shownStage = "";
  return {
    show({ stage, done, total }) {
      const now = performance.now();
      if (stage === shownStage && done < total && now - shownAt < EVERY_MS) return;
      shownAt = now;
      shownStage = stage;
      output.warn(JSON.stringify({ stage, done, total }));
    },
    stop() {},
  };
}

const EVERY_MS = 200;
