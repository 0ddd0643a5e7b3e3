import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { seededRandom, shuffled } from "../../src/core/seeded-random.ts";

const seed = fc.integer({ min: 1, max: 2 ** 31 - 1 });

describe("seededRandom", () => {
  test("gives the same numbers for the same seed, from 0 to below 1", () => {
    fc.assert(
      fc.property(seed, (value) => {
        const [one, other] = [seededRandom(value), seededRandom(value)];
        for (let at = 0; at < 50; at++) {
          const number = one();
          expect(other()).toBe(number);
          expect(number >= 0 && number < 1).toBe(true);
        }
      }),
    );
  });

  test.each([0, 2 ** 32, Number.NaN])("refuses the seed %p", (value) => {
    expect(() => seededRandom(value)).toThrow(RangeError);
  });
});

describe("shuffled", () => {
  test("has the same items in another list", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), seed, (items, value) => {
        const before = [...items];
        const order = shuffled(items, seededRandom(value));
        expect(items).toEqual(before);
        expect([...order].sort((a, b) => a - b)).toEqual(before.sort((a, b) => a - b));
      }),
    );
  });

  test("puts each item at each place about equally often", () => {
    const random = seededRandom(3);
    const counts = [0, 0, 0, 0];
    for (let round = 0; round < 4000; round++) counts[shuffled([0, 1, 2, 3], random).indexOf(0)]!++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});
