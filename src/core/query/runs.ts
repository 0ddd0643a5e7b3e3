/**
 * Stage 3 of query compilation: one group in, runs of one character class out.
 *
 * In Japanese a change of script is a rough word border: kanji compounds, katakana
 * loans, hiragana particles. Which runs are long enough to search for, and which
 * must be joined first, is stage 4 (`phrases.ts`).
 */
import { classOf } from "./groups.ts";

export interface Run {
  readonly text: string;
  /** In code points, at least 1. */
  readonly charCount: number;
}

/** @returns The maximal stretches of one class, in order; joined together they are the group again. */
export function splitRuns(group: string): readonly Run[] {
  const runs: Run[] = [];
  let text = "";
  let charCount = 0;
  let runClass = "";
  for (const char of group) {
    const charClass = classOf(char);
    if (charCount > 0 && charClass !== runClass) {
      runs.push({ text, charCount });
      text = "";
      charCount = 0;
    }
    text += char;
    charCount += 1;
    runClass = charClass;
  }
  if (charCount > 0) runs.push({ text, charCount });
  return runs;
}
