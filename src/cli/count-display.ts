/**
 * How far a command is that does many small things: a line on a terminal that is written over.
 *
 * Indexing runs, which take longer and have stages, have `progress.ts`.
 */
import { writeSync } from "node:fs";
import type { Output } from "./output.ts";

export interface CountDisplay {
  readonly show: (done: number, total: number) => void;
  /** Takes the line away; to be called before anything else is printed, harmless when repeated. */
  readonly stop: () => void;
}

/** Silent where no progress is drawn. */
export function createCountDisplay(output: Output, label: string, unit: string): CountDisplay {
  if (!output.drawsProgress) return { show() {}, stop() {} };
  let isShown = false;
  return {
    show(done, total) {
      isShown = true;
      writeSync(2, `\r${label}: ${done} of ${total} ${unit}\x1b[K`);
    },
    stop() {
      if (isShown) writeSync(2, "\r\x1b[K");
      isShown = false;
    },
  };
}
