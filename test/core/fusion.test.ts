import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Candidate, LEG_NAMES, type LegName } from "../../src/core/candidate.ts";
import type { ChunkId } from "../../src/core/document.ts";
import { fuseConvex, fuseReciprocalRank, type LegInput } from "../../src/core/fusion.ts";

const UNIT = { zero: 0, one: 1 };
const EQUAL = { terms: 1, phrases: 1, dense: 1 };

/** A chunk at a place of its own: `a3` is chunk 3 of document `a`. */
function at(place: string, raw: number): Candidate {
  const path = place[0]!;
  const chunkIndex = Number(place.slice(1));
  return { chunkId: (path.charCodeAt(0) * 1000 + chunkIndex) as ChunkId, raw, path, chunkIndex };
}

function leg(name: LegName, candidates: readonly Candidate[], options: Partial<LegInput> = {}): LegInput {
  return { leg: name, candidates, scale: UNIT, couldSee: () => true, ...options };
}

const places = (fused: readonly { path: string; chunkIndex: number }[]) =>
  fused.map(({ path, chunkIndex }) => `${path}${chunkIndex}`);

describe("fuseConvex", () => {
  test("weighs the scaled scores and keeps what each leg said", () => {
    const fused = fuseConvex(
      [
        leg("terms", [at("a0", 8), at("b0", 4)], { scale: { zero: 0, one: 8 } }),
        leg("dense", [at("b0", 0.9), at("c0", 0.8)], { scale: { zero: 0.75, one: 0.9 } }),
      ],
      { weights: { terms: 0.3, phrases: 0.2, dense: 0.5 } },
    );
    expect(places(fused)).toEqual(["b0", "a0", "c0"]);
    expect(fused[0]?.score).toBeCloseTo((0.3 * 0.5 + 0.5 * 1) / 0.8, 12);
    expect(fused[1]?.score).toBeCloseTo((0.3 * 1 + 0.5 * 0) / 0.8, 12);
    expect(fused[2]?.score).toBeCloseTo((0.5 * (0.05 / 0.15)) / 0.8, 12);
    expect(fused[0]?.scores).toEqual({
      terms: { rank: 2, raw: 4, scaled: 0.5 },
      dense: { rank: 1, raw: 0.9, scaled: 1 },
    });
    expect(Object.keys(fused[1]!.scores)).toEqual(["terms"]);
  });

  test("clamps scores outside the scale", () => {
    const fused = fuseConvex(
      [leg("dense", [at("a0", 0.95), at("b0", 0.7)], { scale: { zero: 0.75, one: 0.9 } })],
      {
        weights: EQUAL,
      },
    );
    expect(fused.map(({ score }) => score)).toEqual([1, 0]);
  });

  test("gives the weight of an absent leg to the others", () => {
    const fused = fuseConvex([leg("phrases", [at("a0", 0.5)])], { weights: { ...EQUAL, phrases: 0.2 } });
    expect(fused[0]?.score).toBe(0.5);
  });

  test("counts a chunk the leg saw and did not propose with 0", () => {
    const fused = fuseConvex([leg("terms", [at("a0", 1)]), leg("dense", [])], { weights: EQUAL });
    expect(fused[0]?.score).toBe(0.5);
  });

  test("scores a chunk a leg could not see by the other legs alone", () => {
    const unseen = at("a0", 0.6);
    const fused = fuseConvex(
      [
        leg("terms", [at("b0", 1), unseen]),
        leg("dense", [at("b0", 0.1)], { couldSee: (chunkId) => chunkId !== unseen.chunkId }),
      ],
      { weights: EQUAL },
    );
    expect(fused.map(({ score }) => score)).toEqual([0.6, 0.55]);
    expect(places(fused)).toEqual(["a0", "b0"]);
  });

  test("leaves out what only a muted leg found", () => {
    const fused = fuseConvex([leg("terms", [at("a0", 1)]), leg("dense", [at("a0", 1), at("b0", 1)])], {
      weights: { ...EQUAL, dense: 0 },
    });
    expect(places(fused)).toEqual(["a0"]);
    expect(Object.keys(fused[0]!.scores)).toEqual(["terms"]);
  });

  test("orders equal scores by path in code point order, then by chunk index", () => {
    const candidates = [at("\uFF5E0", 1), at("b10", 1), at("b2", 1), at("a3", 1)];
    const astral: Candidate = { chunkId: 1 as ChunkId, raw: 1, path: "𠮟", chunkIndex: 0 };
    const fused = fuseConvex([leg("terms", [astral, ...candidates])], { weights: EQUAL });
    expect(places(fused)).toEqual(["a3", "b2", "b10", "\uFF5E0", "𠮟0"]);
  });

  test("has nothing to say without legs", () => {
    expect(fuseConvex([], { weights: EQUAL })).toEqual([]);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("refuses a weight of %p", (weight) => {
    expect(() => fuseConvex([], { weights: { ...EQUAL, phrases: weight } })).toThrow(RangeError);
  });

  test.each([
    [1, 1],
    [1, 0],
    [Number.NaN, 1],
    [0, Number.POSITIVE_INFINITY],
  ])("refuses a scale from %p to %p", (zero, one) => {
    expect(() => fuseConvex([leg("terms", [], { scale: { zero, one } })], { weights: EQUAL })).toThrow(
      RangeError,
    );
  });

  test("refuses a raw score that is not a number", () => {
    expect(() => fuseConvex([leg("terms", [at("a0", Number.NaN)])], { weights: EQUAL })).toThrow(RangeError);
  });

  test("refuses a leg given twice and a chunk proposed twice", () => {
    expect(() => fuseConvex([leg("terms", []), leg("terms", [])], { weights: EQUAL })).toThrow(RangeError);
    expect(() => fuseConvex([leg("terms", [at("a0", 1), at("a0", 1)])], { weights: EQUAL })).toThrow(
      RangeError,
    );
  });
});

describe("fuseReciprocalRank", () => {
  const options = { damping: 60, weights: EQUAL };

  test.each([
    [[["a0"]], 0.016393442],
    [[["b0", "a0"]], 0.016129032],
    [[["a0"], ["a0"]], 0.032786885],
    [[["a0"], ["b0", "a0"]], 0.032522473],
  ])("gives a0 in the lists %j the score %p", (lists, score) => {
    const legs = lists.map((list, index) =>
      leg(
        LEG_NAMES[index]!,
        list.map((place) => at(place, 1)),
      ),
    );
    const found = fuseReciprocalRank(legs, options).find(({ path }) => path === "a");
    expect(Math.abs(found!.score - score)).toBeLessThan(3e-9);
  });

  test("puts a chunk two legs found above the best of either", () => {
    const fused = fuseReciprocalRank(
      [leg("phrases", [at("a0", 1), at("z0", 1)]), leg("dense", [at("b0", 1), at("z0", 1)])],
      options,
    );
    expect(places(fused)).toEqual(["z0", "a0", "b0"]);
    expect(fused[0]?.scores.dense).toEqual({ rank: 2, raw: 1, scaled: 1 / 62 });
  });

  test("ties chunks that have the same ranks in different legs", () => {
    const lists = {
      terms: ["a0", "c0", "x0", "b0"],
      phrases: ["b0", "a0", "y0", "c0"],
      dense: ["c0", "b0", "z0", "a0"],
    };
    const legs = LEG_NAMES.map((name) => {
      const candidates = lists[name].map((place) => at(place, 1));
      return leg(name, candidates);
    });
    // Added up leg by leg, 1/11 + 1/12 + 1/14 rounds differently in another order.
    const fused = fuseReciprocalRank(legs, { damping: 10, weights: EQUAL }).slice(0, 3);
    expect(new Set(fused.map(({ score }) => score)).size).toBe(1);
    expect(places(fused)).toEqual(["a0", "b0", "c0"]);
  });

  test("multiplies by the weight of the leg", () => {
    const fused = fuseReciprocalRank([leg("terms", [at("a0", 1)]), leg("dense", [at("b0", 1)])], {
      damping: 9,
      weights: { terms: 1, phrases: 1, dense: 3 },
    });
    expect(fused.map(({ score }) => score)).toEqual([3 / 10, 1 / 10]);
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuses a damping of %p", (damping) => {
    expect(() => fuseReciprocalRank([], { damping, weights: EQUAL })).toThrow(RangeError);
  });

  test.each([-0.5, Number.NaN])("refuses a weight of %p", (weight) => {
    expect(() => fuseReciprocalRank([], { damping: 60, weights: { ...EQUAL, dense: weight } })).toThrow(
      RangeError,
    );
  });
});

describe.each([
  ["fuseConvex", (legs: readonly LegInput[], weights: typeof EQUAL) => fuseConvex(legs, { weights })],
  [
    "fuseReciprocalRank",
    (legs: readonly LegInput[], weights: typeof EQUAL) => fuseReciprocalRank(legs, { damping: 60, weights }),
  ],
] as const)("%s, for any legs", (name, fuse) => {
  const SOME_PLACES = ["a0", "a1", "a2", "b0", "b1", "c0", "c1", "c2", "c3", "d0"];
  const raw = fc.oneof(fc.constantFrom(0, 0.25, 0.5, 1), fc.double({ min: -2, max: 3, noNaN: true }));
  const anyLeg = (legName: LegName) =>
    fc
      .tuple(fc.shuffledSubarray(SOME_PLACES), fc.array(raw, { minLength: 10, maxLength: 10 }), fc.integer())
      .map(([found, raws, mask]) => {
        const sorted = raws.toSorted((a, b) => b - a);
        const candidates = found.map((place, index) => at(place, sorted[index]!));
        return leg(legName, candidates, { couldSee: (chunkId) => ((mask >> (chunkId % 31)) & 1) === 1 });
      });
  const legs = fc.tuple(anyLeg("terms"), anyLeg("phrases"), anyLeg("dense"));
  const weight = fc.double({ min: 0.001, max: 5, noNaN: true });
  const weights = fc.record({ terms: weight, phrases: weight, dense: weight });

  test("gives every candidate once, best first", () => {
    fc.assert(
      fc.property(legs, weights, (some, trust) => {
        const fused = fuse(some, trust);
        const proposed = new Set(some.flatMap(({ candidates }) => candidates.map(({ chunkId }) => chunkId)));
        expect(fused).toHaveLength(proposed.size);
        expect(new Set(fused.map(({ chunkId }) => chunkId))).toEqual(proposed);
        for (const [index, { score }] of fused.entries()) {
          expect(score).toBeGreaterThanOrEqual(fused[index + 1]?.score ?? 0);
          if (name === "fuseConvex") expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test("answers the same for the legs in any order, and changes none of them", () => {
    fc.assert(
      fc.property(legs, weights, (some, trust) => {
        const before = structuredClone(some.map(({ candidates }) => candidates));
        const fused = fuse(some, trust);
        expect(fuse(some.toReversed(), trust)).toEqual(fused);
        expect(fuse([some[1], some[2], some[0]], trust)).toEqual(fused);
        expect(some.map(({ candidates }) => candidates)).toEqual(before);
      }),
    );
  });

  test("does not depend on which ids the chunks have", () => {
    fc.assert(
      fc.property(legs, weights, (some, trust) => {
        const renumber = (chunkId: ChunkId) => (1_000_000 - chunkId) as ChunkId;
        const renumbered = some.map((one) => ({
          ...one,
          candidates: one.candidates.map((candidate) => ({
            ...candidate,
            chunkId: renumber(candidate.chunkId),
          })),
          couldSee: (chunkId: ChunkId) => one.couldSee(renumber(chunkId)),
        }));
        const withoutIds = (fused: ReturnType<typeof fuse>) => fused.map(({ chunkId: _, ...rest }) => rest);
        expect(withoutIds(fuse(renumbered, trust))).toEqual(withoutIds(fuse(some, trust)));
      }),
    );
  });

  test("treats a muted leg as an absent one", () => {
    fc.assert(
      fc.property(legs, weights, fc.constantFrom(...LEG_NAMES), (some, trust, muted) => {
        const others = some.filter((one) => one.leg !== muted);
        expect(fuse(some, { ...trust, [muted]: 0 })).toEqual(fuse(others, trust));
      }),
    );
  });
});
