/**
 * The settings worth trying: every combination of some values, those in use among them.
 *
 * In go axes of numbers, out come points, nearest to what is in use first, so that of equally
 * good points the first is the one that changes least. What a number sets is known to the caller.
 */

export interface GridAxis {
  /** What is in use. */
  readonly current: number;
  /** What to try besides, in any order. */
  readonly tried: readonly number[];
}

/**
 * Every combination, one number for each axis; the first is what is in use.
 *
 * @returns By the number of steps away from what is in use, over all axes together; among
 *   equals by the values of the first axis, then the next.
 */
export function gridAround(axes: readonly GridAxis[]): (readonly number[])[] {
  let points: readonly Point[] = [{ values: [], steps: 0 }];
  for (const { current, tried } of axes) {
    const values = [...tried.filter((value) => Math.abs(value - current) > SAME), current];
    values.sort((a, b) => a - b);
    const origin = values.indexOf(current);
    points = points.flatMap((point) =>
      values.map((value, at) => ({
        values: [...point.values, value],
        steps: point.steps + Math.abs(at - origin),
      })),
    );
  }
  return [...points].sort((a, b) => a.steps - b.steps).map(({ values }) => values);
}

interface Point {
  readonly values: readonly number[];
  readonly steps: number;
}

/** What rounding may leave between a value that was written and the same one computed. */
const SAME = 1e-9;
