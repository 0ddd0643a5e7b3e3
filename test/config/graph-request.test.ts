import { describe, expect, test } from "bun:test";
import { type GraphRequest, graphLimitsOf } from "../../src/config/graph-request.ts";
import { failureOf } from "../support/failure-of.ts";

const limitsOf = (request: Partial<GraphRequest>) => graphLimitsOf({ start: "a.md", ...request });

describe("graphLimitsOf", () => {
  test("fills in the defaults", () => {
    expect(limitsOf({})).toEqual({
      depth: 2,
      fanOut: 5,
      minSimilarity: 0.3,
      seedStrategy: "all_chunks",
      dedupByPath: false,
      maxNodes: 100,
      maxSeedChunks: 32,
      excludedPaths: [],
    });
  });

  test.each([
    [{ depth: 9 }, { depth: 3 }],
    [{ depth: 0 }, { depth: 0 }],
    [{ fan_out: 99 }, { fanOut: 20 }],
    [{ fan_out: 0 }, { fanOut: 0 }],
    [{ min_similarity: -1 }, { minSimilarity: 0 }],
    [{ min_similarity: 2 }, { minSimilarity: 1 }],
    [{ seed_strategy: "all-chunks" as const }, { seedStrategy: "all_chunks" }],
    [{ seed_strategy: "centroid" as const }, { seedStrategy: "centroid" }],
    [{ max_nodes: 5000 }, { maxNodes: 2000 }],
    [{ max_nodes: 0 }, { maxNodes: 0 }],
    [{ max_seed_chunks: 0 }, { maxSeedChunks: 1 }],
    [{ max_seed_chunks: 9999 }, { maxSeedChunks: 1000 }],
  ])("takes %p for %p", (request, expected) => {
    expect(limitsOf(request)).toMatchObject(expected);
  });

  test("refuses more excluded paths than 65536 bytes, whatever their number", () => {
    expect(failureOf(() => limitsOf({ exclude_paths: ["あ".repeat(21_845), "xx"] })).message).toContain(
      "65537 bytes",
    );
    expect(limitsOf({ exclude_paths: ["あ".repeat(21_845), "x"] }).excludedPaths).not.toEqual([]);
  });
});
