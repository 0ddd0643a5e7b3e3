import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { configSchema } from "../../src/config/schema.ts";
import { confidenceOf, type Evidence, featuresOf, wordEvidence } from "../../src/core/confidence.ts";

const BORDER = configSchema.parse({}).search.min_confidence_ratio;
const word = (weight: number, isFound: boolean, isName = false) => ({ weight, isFound, isName });

describe("wordEvidence", () => {
  test.each([
    ["no word", [], { coverage: 0 }],
    ["all found", [word(2, true), word(1, true)], { coverage: 1 }],
    ["none found", [word(2, false), word(1, false)], { coverage: 0 }],
    ["the heavy one missing", [word(3, false), word(1, true)], { coverage: 0.25 }],
    ["one of two names missing", [word(1, true, true), word(1, false, true)], { coverage: 0.5, names: 0.5 }],
    ["a name found and a word missing", [word(1, true, true), word(3, false)], { coverage: 0.25, names: 1 }],
  ])("with %s says so", (_, words, evidence) => {
    expect(wordEvidence(words)).toEqual(evidence);
  });
});

describe("featuresOf", () => {
  test.each([
    [0.5, 0],
    [0.8, 0],
    [0.875, 0.5],
    [0.95, 1],
    [1, 1],
  ])("takes a cosine of %p for a nearness of %p", (cosine, nearness) => {
    expect(featuresOf({ coverage: 0, cosine }).nearness).toBeCloseTo(nearness, 12);
  });

  test("takes a question without names as one whose names are found", () => {
    expect(featuresOf({ coverage: 0.5 })).toEqual(featuresOf({ coverage: 0.5, names: 1 }));
  });
});

describe("confidenceOf", () => {
  const complete = { vectorCoverage: 1 };

  test.each<[string, Evidence]>([
    ["all words and a near passage", { coverage: 1, cosine: 0.88, ...complete }],
    ["all words without vectors", { coverage: 1, vectorCoverage: 0 }],
    ["the name that was asked for", { coverage: 1, names: 1, cosine: 0.83, ...complete }],
    ["half of the words and a very near passage", { coverage: 0.5, cosine: 0.92, ...complete }],
  ])("is high for %s", (_, evidence) => {
    expect(confidenceOf(evidence)).toBeGreaterThan(BORDER);
  });

  test.each<[string, Evidence]>([
    ["no word and a far passage", { coverage: 0, cosine: 0.82, ...complete }],
    ["no word and no vectors", { coverage: 0, vectorCoverage: 0 }],
    ["a name that is not there", { coverage: 0, names: 0, cosine: 0.86, ...complete }],
    [
      "a name that is not there beside words that are",
      { coverage: 0.6, names: 0, cosine: 0.88, ...complete },
    ],
  ])("is low for %s", (_, evidence) => {
    expect(confidenceOf(evidence)).toBeLessThan(BORDER);
  });

  test("grows, or stays, with each piece of evidence, and lies between 0 and 1", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    const both = { coverage: share, names: share, vectorCoverage: share };
    const evidence = fc.oneof(fc.record(both), fc.record({ ...both, cosine }));
    fc.assert(
      fc.property(evidence, share, (some, step) => {
        const before = confidenceOf(some);
        expect(before).toBeGreaterThan(0);
        expect(before).toBeLessThan(1);
        const grown: Evidence[] = [
          { ...some, coverage: Math.min(1, some.coverage + step) },
          { ...some, names: Math.min(1, some.names + step) },
        ];
        if ("cosine" in some) grown.push({ ...some, cosine: Math.min(1, some.cosine + step) });
        for (const more of grown) expect(confidenceOf(more)).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  test("without any vector is that of the words, and moves to that of all evidence as vectors come", () => {
    const evidence = { coverage: 0.3, cosine: 0.93 };
    const at = (vectorCoverage: number) => confidenceOf({ ...evidence, vectorCoverage });
    expect(at(0)).toBe(confidenceOf({ coverage: 0.3, vectorCoverage: 0 }));
    expect(at(0.5)).toBeCloseTo((at(0) + at(1)) / 2, 12);
  });
});
