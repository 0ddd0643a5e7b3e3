/**
 * Hits against what a person expected: which hit meets which expectation, and how well.
 *
 * In go the expectations of one query and its hits, best first; out come the ranks and grades
 * that `metrics.ts` turns into numbers. Reading expectations from a file is done elsewhere.
 */
import type { LineRange } from "./document.ts";

/** What a person says answers a query: a document, or a part of it that every given condition names. */
export interface Expectation {
  readonly path: string;
  /** Compared with white space around it and letter case aside. */
  readonly heading?: string | undefined;
  /** Stands verbatim in the passage or its heading. */
  readonly contains?: string | undefined;
  /** Of the file; the passage has at least one of them. */
  readonly lines?: LineRange | undefined;
  /** How well it answers, at least 1. */
  readonly grade: number;
}

/** A hit as far as judging needs it. */
export interface JudgedHit {
  readonly path: string;
  readonly heading: string | null;
  readonly content: string;
  readonly lines: LineRange;
}

/** One query's hits, judged. */
export interface Judgment {
  /** For each expectation the rank of the first hit that meets it, counted from 1; undefined where none does. */
  readonly ranks: readonly (number | undefined)[];
  /** For each hit the grade of the expectation it was counted for; 0 if it meets none that is still open. */
  readonly grades: readonly number[];
}

/** Whether a hit is what was expected. */
export function meets(hit: JudgedHit, { path, heading, contains, lines }: Expectation): boolean {
  return (
    hit.path === path &&
    (heading === undefined || (hit.heading !== null && folded(hit.heading) === folded(heading))) &&
    (contains === undefined || `${hit.heading ?? ""}\n${hit.content}`.includes(contains)) &&
    (lines === undefined || (hit.lines.start <= lines.end && lines.start <= hit.lines.end))
  );
}

/**
 * Judges hits in their order.
 *
 * One hit may meet several expectations, which counts for `ranks`. For `grades` each hit uses up one
 * expectation: of those still open the one with more conditions, then the higher grade, then the
 * one listed first; so ten passages of one expected document count once.
 *
 * @param isMet Whether the hit at an offset meets the expectation at an offset, both from 0.
 */
export function judge(
  hitCount: number,
  expected: readonly Expectation[],
  isMet: (hit: number, expectation: number) => boolean,
): Judgment {
  const ranks: (number | undefined)[] = expected.map(() => undefined);
  const open = inOrderOfUse(expected);
  const grades: number[] = [];
  for (let hit = 0; hit < hitCount; hit++) {
    for (const at of expected.keys()) if (ranks[at] === undefined && isMet(hit, at)) ranks[at] = hit + 1;
    const used = open.findIndex((at) => isMet(hit, at));
    grades.push(used < 0 ? 0 : expected[open[used]!]!.grade);
    if (used >= 0) open.splice(used, 1);
  }
  return { ranks, grades };
}

/** The rank of the first hit that meets anything, counted from 1. */
export function firstRank({ ranks }: Judgment): number | undefined {
  const met = ranks.filter((rank) => rank !== undefined);
  return met.length === 0 ? undefined : Math.min(...met);
}

function inOrderOfUse(expected: readonly Expectation[]): number[] {
  const conditions = ({ heading, contains, lines }: Expectation) =>
    [heading, contains, lines].filter((condition) => condition !== undefined).length;
  return [...expected.keys()].sort((a, b) => {
    const [one, other] = [expected[a]!, expected[b]!];
    return conditions(other) - conditions(one) || other.grade - one.grade || a - b;
  });
}

function folded(heading: string): string {
  return heading.trim().toLowerCase();
}
