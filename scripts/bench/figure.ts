/**
 * Figures: what a measurement hands to the report, and the arithmetic on it.
 *
 * In go the values of several runs; out come median, range and percentiles. How
 * they are printed is `report.ts`, where they come from the files `*-figures.ts`.
 */

/** `count` has no unit; `times` is a ratio; `megabytes` are 10^6 bytes. */
export type Unit = "milliseconds" | "seconds" | "megabytes" | "per-second" | "times" | "count";

export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  /** One value per counted run, in the order of the runs; at least one. */
  readonly values: readonly number[];
}

/** Figures that were taken together. */
export interface FigureGroup {
  readonly measurement: string;
  /** Name of the folder they were taken on; null where no folder matters. */
  readonly folder: string | null;
  /** What one has to know to read the figures, a phrase each. */
  readonly facts: readonly string[];
  readonly figures: readonly Figure[];
}

export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
}

/** @throws {RangeError} If there is no value. */
export function summarise(values: readonly number[]): Summary {
  return {
    median: percentile(values, 0.5),
    min: percentile(values, 0),
    max: percentile(values, 1),
    runs: values.length,
  };
}

/**
 * The value below which a share of all values lies, interpolated between neighbours.
 *
 * @param share 0 to 1.
 * @throws {RangeError} If there is no value.
 */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError("no values to take a percentile of");
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * Median, 95th percentile and maximum of each run's answers.
 *
 * @param answers Milliseconds of every answer, run by run.
 */
export function latencyFigures(name: string, answers: readonly (readonly number[])[]): Figure[] {
  const perRun = (share: number) => answers.map((run) => percentile(run, share));
  return [
    { name: `${name}: p50`, unit: "milliseconds", values: perRun(0.5) },
    { name: `${name}: p95`, unit: "milliseconds", values: perRun(0.95) },
    { name: `${name}: max`, unit: "milliseconds", values: perRun(1) },
  ];
}

/** The ratio of each run's value to its partner's of the same run. */
export function ratios(values: readonly number[], partners: readonly number[]): number[] {
  return values.map((value, run) => value / partners[run]!);
}
