/**
 * A dozen kills of indexing runs, at other moments each time: whatever kills the program, the index
 * is whole, a search answers, and the next run reaches what an undisturbed one reaches.
 *
 * `scripts/kill-rounds.ts` does the same hundreds of times, also at chosen system calls.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { KillStage, SCENES } from "../support/kill-rounds.ts";

setDefaultTimeout(120_000);

describe.each(SCENES.slice(0, 4))("a run that is killed: $name", (scene) => {
  test("leaves a whole index, which the next run completes", async () => {
    using stage = await KillStage.make(scene);
    const moments = [
      { afterMs: 30 + Math.random() * 100 },
      { afterMs: 100 + Math.random() * 300 },
      { afterChanges: 1 + Math.floor(Math.random() * 12) },
    ];
    for (const moment of moments) {
      const { problems } = await stage.round(moment);
      expect({ moment, problems }).toEqual({ moment, problems: [] });
    }
  });
});
