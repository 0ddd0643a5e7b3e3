import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { denseScale, E5_DENSE_SCALE } from "../../src/core/dense-scale.ts";

const pool = (...cosines: number[]) => cosines.map((raw) => ({ raw }));
const evenly = (count: number, best: number, last: number) =>
  Array.from({ length: count }, (_, at) => ({ raw: best - ((best - last) * at) / Math.max(1, count - 1) }));
const scaled = (raw: number, { zero, one }: { zero: number; one: number }) => (raw - zero) / (one - zero);

describe("denseScale", () => {
  test("runs from the hundredth candidate to the best in a pool that has one", () => {
    const candidates = evenly(150, 0.9, 0.78);
    expect(denseScale(candidates, E5_DENSE_SCALE)).toEqual({ zero: candidates[99]!.raw, one: 0.9 });
  });

  test.each([
    ["one related chunk", pool(0.88), 0.75, 0.88],
    ["one unrelated chunk", pool(0.76), 0.75, 0.82],
    ["one chunk below all", pool(0.6), 0.6, 0.82],
    ["two related chunks", pool(0.9, 0.88), 0.75, 0.9],
    ["two, one of them unrelated", pool(0.9, 0.71), 0.71, 0.9],
    ["five unrelated chunks", evenly(5, 0.79, 0.76), 0.75, 0.82],
    ["twenty chunks down to the unrelated", evenly(20, 0.87, 0.73), 0.73, 0.87],
    ["no chunk", [], 0.75, 0.82],
  ])("for %s has absolute ends", (_, candidates, zero, one) => {
    const scale = denseScale(candidates, E5_DENSE_SCALE);
    expect(scale.zero).toBeCloseTo(zero, 12);
    expect(scale.one).toBeCloseTo(one, 12);
  });

  test("keeps two good chunks of a tiny folder close to each other", () => {
    const scale = denseScale(pool(0.9, 0.88), E5_DENSE_SCALE);
    expect(scaled(0.9, scale)).toBeCloseTo(1, 12);
    expect(scaled(0.88, scale)).toBeGreaterThan(0.8);
  });

  test.each([1, 2, 5, 20, 100])("does not make a full score of weak cosines in a folder of %i", (count) => {
    const candidates = evenly(count, 0.77, 0.74);
    expect(scaled(0.77, denseScale(candidates, E5_DENSE_SCALE))).toBeLessThan(0.4);
  });

  test("does not pull equal cosines apart", () => {
    const scale = denseScale(evenly(120, 0.88, 0.88), E5_DENSE_SCALE);
    expect(scale.one - scale.zero).toBeCloseTo(E5_DENSE_SCALE.minSpread, 12);
    expect(scaled(0.88, scale)).toBeCloseTo(1, 12);
  });

  test("always rises, and never below 0 at the best or above 1", () => {
    const cosines = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 130 });
    fc.assert(
      fc.property(cosines, (some) => {
        const sorted = some.toSorted((a, b) => b - a);
        const scale = denseScale(pool(...sorted), E5_DENSE_SCALE);
        expect(scale.zero).toBeLessThan(scale.one);
        if (sorted.length === 0) return;
        expect(scaled(sorted[0]!, scale)).toBeGreaterThanOrEqual(0);
        expect(scaled(sorted[0]!, scale)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
