/**
 * The report: machine, commit and figures as aligned text, or as one JSON document.
 *
 * Text is made group by group, so that a long run shows what it has. Nothing is
 * printed here: that is `scripts/bench.ts`.
 */
import { type FigureGroup, summarise, type Unit } from "./figure.ts";
import type { Machine } from "./machine.ts";

const WIDTHS = { name: 44, unit: 4, median: 10, range: 22, runs: 5 } as const;

const SYMBOLS: Readonly<Record<Unit, string>> = {
  milliseconds: "ms",
  seconds: "s",
  megabytes: "MB",
  "per-second": "/s",
  times: "x",
  count: "",
};

/** The lines that say where and of what the figures were taken. */
export function formatHead(machine: Machine, date: Date): string {
  const rows = [
    ["date", date.toISOString()],
    ["processor", `${machine.processor}, ${machine.cores} cores`],
    ["memory", `${(machine.memoryBytes / 1e9).toFixed(1)} GB`],
    ["system", machine.system],
    ["load at the start", machine.load.toFixed(2)],
    ["sources", machine.sourceCommit],
    ["executable", machine.executable],
  ];
  const note =
    "Whole processes, page cache warm; median, smallest and largest of the runs; MB are 10^6 bytes.";
  return `${rows.map(([label, value]) => `${label!.padEnd(18)} ${value}`).join("\n")}\n\n${note}`;
}

/** One group as a table, with its facts above it. */
export function formatGroup({ measurement, folder, facts, figures }: FigureGroup): string {
  const title = folder === null ? measurement : `${measurement}, ${folder}`;
  const rows = figures.map(({ name, unit, values }) => {
    const { median, min, max, runs } = summarise(values);
    return row(
      name,
      SYMBOLS[unit],
      number(median, unit),
      `${number(min, unit)}–${number(max, unit)}`,
      String(runs),
    );
  });
  return [
    `== ${title}`,
    ...facts.map((fact) => `   ${fact}`),
    row("", "", "median", "min–max", "runs"),
    ...rows,
  ].join("\n");
}

/** Everything in one object, the values of every run included. */
export function reportJson(machine: Machine, date: Date, groups: readonly FigureGroup[]): string {
  const figures = groups.map((group) => ({
    ...group,
    figures: group.figures.map(({ name, unit, values }) => ({ name, unit, ...summarise(values), values })),
  }));
  return JSON.stringify({ date: date.toISOString(), machine, measurements: figures }, null, 2);
}

function row(name: string, unit: string, median: string, range: string, runs: string): string {
  return [
    name.padEnd(WIDTHS.name),
    unit.padEnd(WIDTHS.unit),
    median.padStart(WIDTHS.median),
    range.padStart(WIDTHS.range),
    runs.padStart(WIDTHS.runs),
  ].join(" ");
}

function number(value: number, unit: Unit): string {
  if (unit === "count" && Number.isInteger(value)) return String(value);
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
