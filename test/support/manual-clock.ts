/**
 * A clock that stands still until a test lets time pass.
 *
 * What is due is done in the order of its time, at its time; promises get their turn after each.
 */
import type { Clock } from "../../src/engine/upkeep/background-updates.ts";

export class ManualClock implements Clock {
  #now = 0;
  readonly #waiting = new Set<{ readonly at: number; readonly act: () => void }>();

  readonly now = (): number => this.#now;

  readonly after = (delayMs: number, act: () => void): (() => void) => {
    const entry = { at: this.#now + delayMs, act };
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  };

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#waiting.delete(next);
      this.#now = next.at;
      next.act();
      await settled();
    }
    this.#now = end;
  }

  #next(end: number) {
    return [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}

function settled(): Promise<void> {
  return new Promise(setImmediate);
}
