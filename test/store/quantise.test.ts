import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cosineOfDistance, quantise } from "../../src/store/quantise.ts";

const signed = (bytes: Uint8Array) => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);

describe("quantise", () => {
  test("cuts what exceeds the range instead of wrapping around", () => {
    expect(
      [...signed(quantise(Float32Array.from({ length: 400 }, (_, n) => (n === 0 ? -1 : 0))))].slice(0, 2),
    ).toEqual([-127, 0]);
  });

  test("keeps the cosine of any two ordinary vectors to within three hundredths, even where all roundings agree", () => {
    const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 96, maxLength: 96 });
    const isOrdinary = (components: readonly number[]) =>
      components.every((x) => Math.abs(x) < (3.9 * Math.hypot(...components)) / Math.sqrt(96));
    const ordinary = vector.filter(isOrdinary);
    fc.assert(
      fc.property(ordinary, ordinary, (a, b) => {
        const exact = a.reduce((sum, x, n) => sum + x * b[n]!, 0) / (Math.hypot(...a) * Math.hypot(...b));
        const [left, right] = [a, b].map((v) => signed(quantise(Float32Array.from(v)))) as [
          Int8Array,
          Int8Array,
        ];
        const distance = distanceOf(left, right);
        expect(Math.abs(cosineOfDistance(distance, 96) - exact)).toBeLessThan(0.03);
      }),
    );
  });
});

describe("cosineOfDistance", () => {
  test("falls from 1 with the distance and never leaves -1 to 1", () => {
    expect(cosineOfDistance(0, 384)).toBe(1);
    expect(cosineOfDistance(100, 384)).toBeGreaterThan(cosineOfDistance(101, 384));
    expect(cosineOfDistance(1e9, 384)).toBe(-1);
  });
});

function distanceOf(left: Int8Array, right: Int8Array): number {
  return Math.sqrt(left.reduce((sum, x, n) => sum + (x - right[n]!) ** 2, 0));
}
