/**
 * Refusals for the owner's eyes: at most one line a minute for each gate, with how many there were.
 *
 * What somebody sends is shown cut and without control characters, so that it cannot write lines.
 */
export class RefusalLog {
  readonly #report: (text: string) => void;
  readonly #now: () => number;
  readonly #gates = new Map<string, { toldAt: number; untold: number }>();

  /** @param now Milliseconds; never goes back. */
  constructor(report: (text: string) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  /** @param sent What was refused; not the secret itself. */
  note(gate: string, reason: string, sent: string): void {
    const now = this.#now();
    const state = this.#gates.get(gate) ?? { toldAt: Number.NEGATIVE_INFINITY, untold: 0 };
    this.#gates.set(gate, state);
    if (now - state.toldAt < PAUSE_MS) {
      state.untold++;
      return;
    }
    const since = state.untold === 0 ? "" : `; ${state.untold} more since the last such line`;
    const shown = sent.replace(/[^\x20-\x7e]/g, "?").slice(0, 100);
    this.#report(`refused a request: ${reason} (${JSON.stringify(shown)})${since}`);
    state.toldAt = now;
    state.untold = 0;
  }
}

const PAUSE_MS = 60_000;
