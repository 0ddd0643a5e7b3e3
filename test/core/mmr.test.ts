import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chooseVaried, type MmrCandidate, type MmrOptions } from "../../src/core/mmr.ts";

const at = (degrees: number) => {
  const radians = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(radians), Math.sin(radians));
};
const candidate = (relevance: number, document: string, vector: Float32Array | undefined): MmrCandidate => ({
  relevance,
  document,
  vector,
});
const usual: MmrOptions = { lambda: 0.7, sameDocumentPenalty: 0, limit: 10 };

/** As the definition says it, comparing everything with everything. */
function chooseSlowly(candidates: readonly MmrCandidate[], options: MmrOptions): number[] {
  const chosen: number[] = [];
  const cosine = (a: Float32Array | undefined, b: Float32Array | undefined) => {
    if (a === undefined || b === undefined || a.length !== b.length) return 0;
    const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
    const lengths = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
    return lengths === 0 ? 0 : dot(a, b) / lengths;
  };
  while (chosen.length < Math.min(options.limit, candidates.length)) {
    const values = candidates.map(({ relevance, document, vector }, offset) => {
      if (chosen.includes(offset)) return Number.NEGATIVE_INFINITY;
      const cosines = chosen.map((other) => cosine(vector, candidates[other]!.vector));
      const isKnown = chosen.some((other) => candidates[other]!.document === document);
      const likeness = cosines.length === 0 ? 0 : Math.max(...cosines);
      return (
        options.lambda * relevance -
        (1 - options.lambda) * likeness -
        (isKnown ? options.sameDocumentPenalty : 0)
      );
    });
    chosen.push(values.indexOf(Math.max(...values)));
  }
  return chosen;
}

describe("chooseVaried", () => {
  test("keeps the order of equal vectors by relevance", () => {
    const same = [0.9, 0.8, 0.7].map((relevance, n) => candidate(relevance, `d${n}`, at(10)));
    expect(chooseVaried(same, usual)).toEqual([0, 1, 2]);
  });

  test("passes a near duplicate of the same document over for another document", () => {
    const candidates = [
      candidate(0.9, "one", at(0)),
      candidate(0.88, "one", at(2)),
      candidate(0.5, "two", at(45.6)),
    ];
    expect(chooseVaried(candidates, { lambda: 0.7, sameDocumentPenalty: 0.5, limit: 2 })).toEqual([0, 2]);
  });

  test("is the order of relevance at lambda 1 without a penalty", () => {
    const candidates = [0.2, 0.9, 0.5, 0.9].map((relevance, n) => candidate(relevance, "one", at(n)));
    expect(chooseVaried(candidates, { ...usual, lambda: 1 })).toEqual([1, 3, 2, 0]);
  });

  test("takes the first and then what differs most at lambda 0", () => {
    const candidates = [0, 10, 90, 170].map((degrees, n) => candidate(1, `d${n}`, at(degrees)));
    expect(chooseVaried(candidates, { ...usual, lambda: 0 })).toEqual([0, 3, 2, 1]);
  });

  test("does not drop a passage without a vector, nor one whose vector has no direction", () => {
    const candidates = [
      candidate(0.9, "a", at(0)),
      candidate(0.8, "b", at(0)),
      candidate(0.7, "c", undefined),
      candidate(0.6, "d", Float32Array.of(0, 0)),
      candidate(0.5, "e", Float32Array.of(1)),
      candidate(0.4, "f", Float32Array.of(Number.NaN, 1)),
    ];
    expect(chooseVaried(candidates, usual)).toEqual([0, 2, 3, 4, 5, 1]);
  });

  test("puts a relevance that is not a number last, and chooses all all the same", () => {
    const candidates = [candidate(Number.NaN, "a", at(0)), candidate(0.1, "b", at(5))];
    expect(chooseVaried(candidates, usual)).toEqual([1, 0]);
  });

  test.each([0, 1, 3])("chooses %p where so many are asked for", (limit) => {
    const candidates = [1, 2, 3].map((n) => candidate(1 / n, `d${n}`, at(n)));
    expect(chooseVaried(candidates, { ...usual, limit })).toHaveLength(limit);
  });

  test("chooses as the definition says, for any candidates", () => {
    const anyCandidate = fc.record({
      // Eighths are exact, so that rounding makes no difference between the two ways.
      relevance: fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8),
      document: fc.constantFrom("a", "b", "c"),
      vector: fc.option(
        fc.constantFrom(...[[1, 0], [0, 1], [-1, 0], [0, 0], [1]].map((v) => Float32Array.from(v))),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(
        fc.array(anyCandidate, { maxLength: 12 }),
        fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
        fc.constantFrom(0, 0.25, 1),
        fc.integer({ min: 0, max: 12 }),
        (candidates, lambda, sameDocumentPenalty, limit) => {
          const options = { lambda, sameDocumentPenalty, limit };
          expect(chooseVaried(candidates, options)).toEqual(chooseSlowly(candidates, options));
        },
      ),
    );
  });
});
