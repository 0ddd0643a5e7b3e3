import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reasonsToKeep } from "../../src/core/adoption.ts";
import { chooseSetting, crossValidate } from "../../src/core/cross-validation.ts";
import { seededRandom } from "../../src/core/seeded-random.ts";

const PARTITION = { folds: 5, rounds: 4, seed: 1 };
const all = (count: number) => [...Array(count).keys()];

describe("chooseSetting", () => {
  test.each<[string, number[][], number]>([
    [
      "the best mean",
      [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
      2,
    ],
    [
      "the first of equals",
      [
        [0, 1],
        [1, 0],
        [0.5, 0.5],
      ],
      0,
    ],
    ["the first of those that rounding tells apart", [[0.3], [0.1 + 0.2]], 0],
  ])("takes %s", (_, scores, expected) => {
    expect(chooseSetting(scores, all(scores[0]!.length))).toBe(expected);
  });

  test("looks at no other query", () => {
    expect(
      chooseSetting(
        [
          [0, 1],
          [1, 0],
        ],
        [0],
      ),
    ).toBe(1);
  });
});

describe("crossValidate", () => {
  test("gives the whole gain of a setting that is better for every query", () => {
    const scores = [all(20).map(() => 0.5), all(20).map(() => 0.6)];
    const { refit, gains, stability } = crossValidate(scores, all(20), PARTITION);
    expect({ refit, stability }).toEqual({ refit: 1, stability: 1 });
    for (const gain of gains) expect(gain).toBeCloseTo(0.1, 12);
  });

  test("gives no gain where only a held-out query speaks for another setting", () => {
    const scores = [
      [0.5, 0.5, 0.5, 0.5],
      [0.9, 0.45, 0.45, 0.45],
    ];
    const { refit, gains } = crossValidate(scores, all(4), { folds: 4, rounds: 1, seed: 1 });
    expect(refit).toBe(1);
    expect(gains[0]).toBe(0);
    expect(gains[1]).toBeCloseTo(-0.05, 12);
  });

  test("answers for the queries that count, in their order", () => {
    const scores = [
      [9, 0, 0, 0],
      [0, 1, 2, 3],
    ];
    expect(crossValidate(scores, [3, 1], PARTITION).gains).toEqual([3, 1]);
  });

  test("refuses a single query", () => {
    expect(() => crossValidate([[1]], [0], PARTITION)).toThrow(RangeError);
  });

  test("gives the same for the same, and never a gain where no setting differs from the one in use", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 40 }),
        (row) => {
          const result = crossValidate([row, row, row], all(row.length), PARTITION);
          expect(result).toEqual({ refit: 0, gains: row.map(() => 0), stability: 1 });
          expect(crossValidate([row, row, row], all(row.length), PARTITION)).toEqual(result);
        },
      ),
    );
  });
});

describe("crossValidate and reasonsToKeep together", () => {
  /** Settings that are equally good, each query's scores scattered around the same mean. */
  const byChance = (random: () => number, settings: number, queries: number) => {
    const ease = all(queries).map(() => random());
    return all(settings).map(() => ease.map((mean) => (random() < 0.3 ? random() : mean)));
  };

  test("adopt by chance at most one time in twenty", () => {
    const random = seededRandom(7);
    const adopted = all(300).filter(() => {
      const scores = byChance(random, 60, 60);
      return reasonsToKeep(crossValidate(scores, all(60), PARTITION), []).length === 0;
    });
    expect(adopted.length).toBeLessThanOrEqual(15);
  });

  test("adopt what is better for most queries", () => {
    const random = seededRandom(7);
    const scores = byChance(random, 60, 60);
    const better = scores[0]!.map((score) => Math.min(1, score + (random() < 0.8 ? 0.3 : 0)));
    expect(reasonsToKeep(crossValidate([...scores, better], all(60), PARTITION), [])).toEqual([]);
  });
});
