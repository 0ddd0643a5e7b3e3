/**
 * Counts of a running server, as the Prometheus text format has them.
 *
 * In go events as they happen, and the state of things when somebody asks; out comes text. Labels
 * are names of ours, never what a client sent, so that their number is bounded.
 */
import type { StageTime } from "../../engine/search/stage-times.ts";

/** A value that is looked up when somebody asks. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #calls = new Map<string, number>();
  readonly #stages = new Map<string, Histogram>();

  noteRequest(route: string, status: number): void {
    increase(this.#requests, `route="${route}",code="${status}"`);
  }

  noteRefusal(gate: string): void {
    increase(this.#refusals, `gate="${gate}"`);
  }

  /** @param outcome Such as `answered`, `failed`, `deadline` or `cancelled`. */
  noteCall(tool: string, outcome: string): void {
    increase(this.#calls, `tool="${tool}",outcome="${outcome}"`);
  }

  noteStages(stages: readonly StageTime[]): void {
    for (const { stage, ms } of stages) {
      let histogram = this.#stages.get(stage);
      if (histogram === undefined) {
        histogram = { counts: BUCKETS_SECONDS.map(() => 0), count: 0, sum: 0 };
        this.#stages.set(stage, histogram);
      }
      histogram.count++;
      histogram.sum += ms / 1000;
      for (const [at, bound] of BUCKETS_SECONDS.entries()) if (ms / 1000 <= bound) histogram.counts[at]!++;
    }
  }

  text(gauges: readonly Gauge[]): string {
    const lines = [
      ...counterLines("kb_requests_total", "HTTP requests by route and status.", this.#requests),
      ...counterLines("kb_refusals_total", "Requests refused, by gate.", this.#refusals),
      ...counterLines("kb_calls_total", "Calls of tools, by outcome.", this.#calls),
      "# HELP kb_search_stage_seconds Where the time of searches goes.",
      "# TYPE kb_search_stage_seconds histogram",
      ...[...this.#stages].flatMap(([stage, histogram]) => histogramLines(`stage="${stage}"`, histogram)),
      ...gauges.flatMap(({ name, help, value }) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} gauge`,
        `${name} ${value}`,
      ]),
    ];
    return `${lines.join("\n")}\n`;
  }
}

interface Histogram {
  readonly counts: number[];
  count: number;
  sum: number;
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function increase(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
}

function counterLines(name: string, help: string, counts: ReadonlyMap<string, number>): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    ...[...counts].map(([labels, count]) => `${name}{${labels}} ${count}`),
  ];
}

function histogramLines(label: string, { counts, count, sum }: Histogram): string[] {
  const name = "kb_search_stage_seconds";
  return [
    ...BUCKETS_SECONDS.map((bound, at) => `${name}_bucket{${label},le="${bound}"} ${counts[at]}`),
    `${name}_bucket{${label},le="+Inf"} ${count}`,
    `${name}_sum{${label}} ${sum}`,
    `${name}_count{${label}} ${count}`,
  ];
}
