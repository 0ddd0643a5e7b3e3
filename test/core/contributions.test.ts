import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LEG_NAMES } from "../../src/core/candidate.ts";
import { contributionsOf } from "../../src/core/contributions.ts";
import type { ChunkId } from "../../src/core/document.ts";
import { fuseConvex, fuseReciprocalRank, type LegInput } from "../../src/core/fusion.ts";

const anyLeg = (leg: LegInput["leg"]): fc.Arbitrary<LegInput> =>
  fc
    .record({
      raws: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 8 }),
      blindTo: fc.integer({ min: 0, max: 30 }),
    })
    .map(({ raws, blindTo }) => ({
      leg,
      candidates: raws.map((raw) => ({ chunkId: raw as ChunkId, raw, path: "a.md", chunkIndex: raw })),
      scale: { zero: 2, one: 15 },
      couldSee: (chunkId) => chunkId % 3 !== blindTo % 3 || raws.includes(chunkId),
    }));
const anyLegs = fc.tuple(...LEG_NAMES.map(anyLeg)).chain((legs) => fc.subarray(legs));
const anyWeight = fc.constantFrom(0, 0.1, 0.4, 1, 7);
const anyWeights = fc.record({ terms: anyWeight, phrases: anyWeight, dense: anyWeight });

describe("contributionsOf", () => {
  test("adds up to the fused score, for any legs and weights", () => {
    fc.assert(
      fc.property(
        anyLegs,
        anyWeights,
        fc.constantFrom("convex" as const, "rrf" as const),
        (legs, weights, method) => {
          const fused =
            method === "convex"
              ? fuseConvex(legs, { weights })
              : fuseReciprocalRank(legs, { weights, damping: 60 });
          for (const candidate of fused) {
            const parts = Object.values(contributionsOf(candidate, legs, { weights }, method));
            const sum = parts.reduce((total, { contribution }) => total + contribution, 0);
            expect(Math.abs(sum - candidate.score)).toBeLessThan(1e-12);
            expect(parts).toHaveLength(Object.keys(candidate.scores).length);
          }
        },
      ),
    );
  });
});
