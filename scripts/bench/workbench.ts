/**
 * What every measurement is given: the executable, a place to work in, the folders.
 *
 * Made once by `scripts/bench.ts`; a measurement takes it and answers with figures.
 */
import type { FigureGroup } from "./figure.ts";

export interface BenchFolder {
  readonly name: string;
  /** Never written to. */
  readonly original: string;
}

export interface Workbench {
  readonly binary: string;
  /** Temporary folder, removed at the end; measurements make their own folders in it. */
  readonly place: string;
  /** The whole environment of measured processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folders: readonly BenchFolder[];
  /** How often to run, if the command line says nothing else. */
  runs(usual: number): number;
  /** Tells the person who waits what goes on. */
  say(text: string): void;
}

/** Takes its figures group by group, in the order of the report. */
export type Measurement = (bench: Workbench) => AsyncIterable<FigureGroup>;
