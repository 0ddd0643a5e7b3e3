/**
 * Progress of an indexing run: a bar on a terminal, a line now and then elsewhere, both with the
 * rate and the time that is left.
 *
 * Everything goes to stderr. What there is to tell is `engine/indexing/index-report.ts`.
 */
import { MultiBar, Presets, type SingleBar } from "cli-progress";
import type { IndexProgress } from "../engine/indexing/index-report.ts";
import type { Output } from "./output.ts";
import { PaceMeter } from "./pace.ts";
import { formatRate, formatRemaining } from "./pace-text.ts";

export interface ProgressDisplay {
  show(progress: IndexProgress): void;
  /** Takes the bar away; to be called before anything else is printed. */
  stop(): void;
}

const LABELS: Record<IndexProgress["stage"], string> = { scan: "looking", text: "text", vectors: "vectors" };
const UNITS: Record<IndexProgress["stage"], string> = { scan: "files", text: "files", vectors: "passages" };
const LINE_EVERY_MS = 5000;

/** Silent under `--quiet` and `--json`. */
export function createProgressDisplay(output: Output): ProgressDisplay {
  if (output.drawsProgress) return new BarDisplay();
  if (output.quiet || output.json) return { show() {}, stop() {} };
  return new LineDisplay(output);
}

class BarDisplay implements ProgressDisplay {
  readonly #bars = new MultiBar(
    {
      format: "{label} {bar} {percentage} % | {value}/{total} {unit} | {pace}",
      hideCursor: true,
      clearOnComplete: true,
      stream: process.stderr,
    },
    Presets.rect,
  );
  readonly #paces = new StagePaces();
  #bar: SingleBar | undefined;
  #stage: IndexProgress["stage"] | undefined;

  show(progress: IndexProgress): void {
    const { stage, done, total } = progress;
    if (total === 0) return;
    const pace = this.#paces.describe(progress, performance.now());
    if (stage !== this.#stage) {
      if (this.#bar !== undefined) this.#bars.remove(this.#bar);
      this.#bar = this.#bars.create(total, done, {
        label: LABELS[stage].padEnd(7),
        unit: UNITS[stage],
        pace,
      });
      this.#stage = stage;
    }
    this.#bar?.setTotal(total);
    this.#bar?.update(done, { pace });
  }

  stop(): void {
    this.#bars.stop();
  }
}

class LineDisplay implements ProgressDisplay {
  readonly #output: Output;
  readonly #paces = new StagePaces();
  #lastAt = performance.now();

  constructor(output: Output) {
    this.#output = output;
  }

  show(progress: IndexProgress): void {
    const { stage, done, total } = progress;
    const now = performance.now();
    if (total === 0) return;
    const pace = this.#paces.describe(progress, now);
    if (now - this.#lastAt < LINE_EVERY_MS) return;
    this.#lastAt = now;
    this.#output.say(`${LABELS[stage]}: ${done} of ${total} ${UNITS[stage]}, ${pace}`);
  }

  stop(): void {}
}

/** The pace in words, measured anew for each stage. */
class StagePaces {
  #stage: IndexProgress["stage"] | undefined;
  #meter = new PaceMeter();

  describe({ stage, done, total }: IndexProgress, nowMs: number): string {
    if (stage !== this.#stage) this.#meter = new PaceMeter();
    this.#stage = stage;
    const pace = this.#meter.measure(done, total, nowMs);
    const remaining = formatRemaining(pace?.remainingSeconds);
    return pace === undefined ? remaining : `${formatRate(pace.perSecond)}, ${remaining}`;
  }
}
