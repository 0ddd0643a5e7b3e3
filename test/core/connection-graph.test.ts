import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { buildConnectionGraph } from "../../src/core/connection-graph.ts";
import type { ChunkId } from "../../src/core/document.ts";
import type { GraphLimits, GraphLink, GraphSource } from "../../src/core/graph-source.ts";

const LIMITS: GraphLimits = {
  depth: 2,
  fanOut: 5,
  minSimilarity: 0.3,
  seedStrategy: "all_chunks",
  dedupByPath: false,
  maxNodes: 100,
  maxSeedChunks: 32,
  excludedPaths: [],
};

interface World {
  /** Place of each chunk on a line, document by document; without a place it has no vector. */
  readonly documents: Readonly<Record<string, readonly (number | undefined)[]>>;
  readonly links?: Readonly<Record<string, readonly string[]>>;
}

/** Chunks on a line: the cosine is 1 less their distance. */
function sourceOf({ documents, links = {} }: World, start: string): GraphSource<number> {
  const chunks = Object.entries(documents).flatMap(([path, places], at) =>
    places.map((place, index) => ({ path, place, chunkId: (100 * at + index) as ChunkId })),
  );
  const link = (path: string): GraphLink => ({ path, line: 1, target: path, others: [] });
  const withVector = chunks.flatMap(({ place, ...chunk }) =>
    place === undefined ? [] : { ...chunk, place },
  );
  return {
    listSeeds: (count) =>
      withVector
        .filter(({ path }) => path === start)
        .slice(0, count)
        .map(({ chunkId, place }) => ({ chunkId, vector: place })),
    findFirstChunk: (path) => chunks.find((chunk) => chunk.path === path)?.chunkId,
    findVector: (id) => withVector.find(({ chunkId }) => chunkId === id)?.place,
    centroidOf: (places) => places.reduce((sum, place) => sum + place, 0) / places.length,
    listSimilar: (vector, count, taken) =>
      withVector
        .filter(({ path, chunkId }) => !taken.paths.has(path) && !taken.chunkIds.has(chunkId))
        .map(({ path, chunkId, place }) => ({ path, chunkId, similarity: 1 - Math.abs(place - vector) }))
        .sort((a, b) => b.similarity - a.similarity || a.chunkId - b.chunkId)
        .slice(0, count),
    listLinksOf: (path) => (links[path] ?? []).map(link),
    listLinksTo: (path) =>
      Object.keys(links)
        .filter((from) => links[from]!.includes(path))
        .map(link),
  };
}

function graphOf(world: World, limits: Partial<GraphLimits> = {}, start = "s") {
  return buildConnectionGraph(start, sourceOf(world, start), { ...LIMITS, ...limits });
}

/** Nodes as `parent>why path`. */
function outline(world: World, limits: Partial<GraphLimits> = {}): string[] {
  return graphOf(world, limits).nodes.map(({ parentId, why, path }) => `${parentId ?? ""}>${why} ${path}`);
}

describe("buildConnectionGraph", () => {
  test("follows links first, then similarity, and both again from what it found", () => {
    const world: World = {
      documents: { s: [0], near: [0.1], far: [5], farther: [5.1], back: [9] },
      links: { s: ["far"], back: ["s"] },
    };
    expect(outline(world)).toEqual([
      ">start s",
      "0>links_to far",
      "0>linked_from back",
      "0>similar near",
      "1>similar farther",
    ]);
  });

  test("ends at its depth", () => {
    const world: World = {
      documents: { s: [0], a: [5], b: [9], c: [14] },
      links: { s: ["a"], a: ["b"], b: ["c"] },
    };
    expect(outline(world, { depth: 0 })).toEqual([">start s"]);
    expect(outline(world, { depth: 1 })).toEqual([">start s", "0>links_to a"]);
    expect(graphOf(world, { depth: 3 })).toMatchObject({ maxDepthReached: 3, truncation: [] });
  });

  test("gives the start alone without fan-out, and nothing without a budget", () => {
    const world: World = { documents: { s: [0, 1], a: [0] }, links: { s: ["a"] } };
    expect(outline(world, { fanOut: 0 })).toEqual([">start s", ">start s"]);
    expect(graphOf(world, { maxNodes: 0 })).toMatchObject({
      nodes: [],
      edges: [],
      truncation: ["node_budget"],
      seedsUsed: 0,
    });
  });

  test("adds at most the fan-out of each kind at a node", () => {
    const world: World = {
      documents: {
        s: [0],
        ...Object.fromEntries([..."abcdefgh"].map((name, at) => [name, [at < 4 ? 0.1 : 7]])),
      },
      links: { s: [..."efgh"] },
    };
    expect(outline(world, { fanOut: 2, depth: 1 })).toEqual([
      ">start s",
      "0>links_to e",
      "0>links_to f",
      "0>similar a",
      "0>similar b",
    ]);
  });

  test("follows links alone where there are no vectors", () => {
    const world: World = {
      documents: { s: [undefined], a: [undefined], b: [0] },
      links: { s: ["a"], b: ["a"] },
    };
    expect(outline(world)).toEqual([">start s", "0>links_to a", "1>linked_from b"]);
  });

  test("tells the lowest similarity apart from links, which have none", () => {
    const world: World = { documents: { s: [0], a: [0.5], b: [0.8], c: [3] }, links: { s: ["c"] } };
    const { nodes } = graphOf(world);
    expect(nodes.map(({ path, score }) => [path, score]).slice(0, 3)).toEqual([
      ["s", 1],
      ["c", null],
      ["a", 0.5],
    ]);
  });

  test("starts from the middle with centroid", () => {
    const world: World = { documents: { s: [0, 2], a: [1], b: [0] } };
    expect(graphOf(world, { seedStrategy: "centroid" })).toMatchObject({
      seedsUsed: 2,
      nodes: [{ path: "s" }, { path: "a", score: 1 }],
    });
  });

  test("says that it left seeds out", () => {
    const world: World = { documents: { s: [0, 1, 2], a: [9] } };
    expect(graphOf(world, { maxSeedChunks: 2 })).toMatchObject({ seedsUsed: 2, truncation: ["seed_chunks"] });
    expect(graphOf(world, { maxSeedChunks: 3 })).toMatchObject({ seedsUsed: 3, truncation: [] });
  });

  test("leaves excluded documents out, however they are connected", () => {
    const world: World = { documents: { s: [0], a: [0], b: [0] }, links: { s: ["a", "b"], a: ["s"] } };
    expect(outline(world, { excludedPaths: ["a"] })).toEqual([">start s", "0>links_to b"]);
  });

  test("takes further passages of a document, unless each is wanted once", () => {
    const world: World = { documents: { s: [0], a: [0.1, 0.11, 0.12], b: [0.4] } };
    expect(outline(world, { depth: 1 })).toHaveLength(5);
    expect(outline(world, { depth: 1, dedupByPath: true, fanOut: 2 })).toEqual([
      ">start s",
      "0>similar a",
      "0>similar b",
    ]);
  });

  test("tells links between documents that are there already", () => {
    const world: World = {
      documents: { s: [0], a: [0], b: [9] },
      links: { s: ["b"], a: ["s"], b: ["a", "s"] },
    };
    const { edges } = graphOf(world);
    expect(edges.map(({ from, to, why }) => `${from} ${why} ${to}`)).toEqual([
      "0 links_to 1",
      "0 linked_from 2",
      "1 links_to 2",
      "1 links_to 0",
    ]);
  });

  test("is the same for the same source, within its budgets, a tree without repeats", () => {
    const names = ["s", "a", "b", "c", "d", "e"];
    const world = fc.record({
      documents: fc.record(
        Object.fromEntries(
          names.map((name) => [
            name,
            fc.array(
              fc.option(
                fc.integer({ min: 0, max: 12 }).map((n) => n / 4),
                { nil: undefined },
              ),
              {
                minLength: 1,
                maxLength: 4,
              },
            ),
          ]),
        ),
      ),
      links: fc.dictionary(
        fc.constantFrom(...names),
        fc.uniqueArray(fc.constantFrom(...names), { maxLength: 5 }),
      ),
    }) as fc.Arbitrary<World>;
    const limits = fc.record({
      depth: fc.integer({ min: 0, max: 3 }),
      fanOut: fc.integer({ min: 0, max: 4 }),
      minSimilarity: fc.constantFrom(0, 0.3, 0.9),
      seedStrategy: fc.constantFrom("all_chunks" as const, "centroid" as const),
      dedupByPath: fc.boolean(),
      maxNodes: fc.integer({ min: 0, max: 12 }),
      maxSeedChunks: fc.integer({ min: 1, max: 5 }),
      excludedPaths: fc.subarray(["b", "c", "zzz"]),
    });
    fc.assert(
      fc.property(world, limits, (someWorld, some) => {
        const links = Object.fromEntries(
          Object.entries(someWorld.links ?? {}).map(([from, targets]) => [
            from,
            targets.filter((to) => to !== from),
          ]),
        );
        const graph = graphOf({ ...someWorld, links }, some);
        expect(graphOf({ ...someWorld, links }, some)).toEqual(graph);
        const { nodes, edges, truncation } = graph;
        expect(nodes.length).toBeLessThanOrEqual(some.maxNodes);
        expect(new Set(nodes.map(({ chunkId }) => chunkId)).size).toBe(nodes.length);
        expect(new Set(truncation).size).toBe(truncation.length);
        for (const [at, { nodeId, parentId, depth, path, score }] of nodes.entries()) {
          expect(nodeId).toBe(at);
          expect(depth).toBe(parentId === null ? 0 : nodes[parentId]!.depth + 1);
          expect(depth).toBeLessThanOrEqual(some.depth);
          expect(path === "s").toBe(parentId === null);
          expect(some.excludedPaths).not.toContain(path as "b");
          if (parentId !== null && score !== null) expect(score).toBeGreaterThanOrEqual(some.minSimilarity);
          for (const why of ["similar", "links_to", "linked_from"])
            expect(
              nodes.filter((node) => node.parentId === at && node.why === why).length,
            ).toBeLessThanOrEqual(some.fanOut);
        }
        const children = nodes.filter(({ parentId }) => parentId !== null);
        expect(edges.slice(0, children.length).map(({ to }) => to)).toEqual(
          children.map(({ nodeId }) => nodeId),
        );
        if (some.dedupByPath) expect(new Set(children.map(({ path }) => path)).size).toBe(children.length);
        if (nodes.length === some.maxNodes && some.maxNodes === 0)
          expect(truncation).toContain("node_budget");
      }),
    );
  });
});
