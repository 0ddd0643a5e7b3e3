/**
 * Progress of an indexing run: a bar on a terminal, a line now and then elsewhere.
 *
 * Everything goes to stderr. What there is to tell is `engine/index-report.ts`.
 */
import { MultiBar, Presets, type SingleBar } from "cli-progress";
import type { IndexProgress } from "../engine/index-report.ts";
import type { Output } from "./output.ts";

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

/** @param seconds A number, or a word or text while there is nothing to tell from. */
export function formatRemaining(seconds: unknown): string {
  if (typeof seconds !== "number") return "estimating";
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s left`;
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s left`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

class BarDisplay implements ProgressDisplay {
  readonly #bars = new MultiBar(
    {
      format: "{label} {bar} {percentage} % | {value}/{total} {unit} | {eta_formatted}",
      formatTime: formatRemaining,
      hideCursor: true,
      clearOnComplete: true,
      stream: process.stderr,
    },
    Presets.rect,
  );
  #bar: SingleBar | undefined;
  #stage: IndexProgress["stage"] | undefined;

  show({ stage, done, total }: IndexProgress): void {
    if (total === 0) return;
    if (stage !== this.#stage) {
      if (this.#bar !== undefined) this.#bars.remove(this.#bar);
      this.#bar = this.#bars.create(total, done, { label: LABELS[stage].padEnd(7), unit: UNITS[stage] });
      this.#stage = stage;
    }
    this.#bar?.setTotal(total);
    this.#bar?.update(done);
  }

  stop(): void {
    this.#bars.stop();
  }
}

class LineDisplay implements ProgressDisplay {
  readonly #output: Output;
  #lastAt = performance.now();

  constructor(output: Output) {
    this.#output = output;
  }

  show({ stage, done, total }: IndexProgress): void {
    const now = performance.now();
    if (total === 0 || now - this.#lastAt < LINE_EVERY_MS) return;
    this.#lastAt = now;
    this.#output.say(`${LABELS[stage]}: ${done} of ${total} ${UNITS[stage]}`);
  }

  stop(): void {}
}
