/**
 * Where the time of one search goes: a stopwatch that is told what has just ended.
 *
 * Stages follow each other and add up to the whole; what runs beside them, such as the
 * embedding of the question, is named apart. Printing it is done in `cli/timing-text.ts`.
 */

export interface StageTime {
  readonly stage: string;
  /** Milliseconds, not negative. */
  readonly ms: number;
}

export class StageTimes {
  readonly #now: () => number;
  #last = 0;
  readonly #stages: StageTime[] = [];
  readonly #beside: StageTime[] = [];

  /** @param now Milliseconds since the process began; never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** In order; they add up to the time of the last mark. */
  get stages(): readonly StageTime[] {
    return this.#stages;
  }

  /** What ran at the same time as some of the stages. */
  get beside(): readonly StageTime[] {
    return this.#beside;
  }

  /** Ends a stage: the time since the last mark, at first since the process began, was its. */
  mark(stage: string): void {
    const now = this.#now();
    this.#stages.push({ stage, ms: now - this.#last });
    this.#last = now;
  }

  /** Begins something beside the stages; to be called when it is over. */
  beginBeside(stage: string): () => void {
    const begin = this.#now();
    return () => this.#beside.push({ stage, ms: this.#now() - begin });
  }
}
