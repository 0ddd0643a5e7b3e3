import { describe, expect, test } from "bun:test";
import type { DocumentId } from "../../src/core/document.ts";
import { listPendingIds, storeVectors } from "../../src/store/chunks.ts";
import {
  findFirstChunkOf,
  findVectorOf,
  listDocumentPlaces,
  listVectorsOf,
  NeighbourSearcher,
} from "../../src/store/connections.ts";
import { quantise } from "../../src/store/quantise.ts";
import type { VectorMemory } from "../../src/store/vector-memory.ts";
import { addDocument, chunkIdsOf, openMemoryIndex } from "./sample-index.ts";

const at = (angle: number) =>
  Float32Array.from({ length: 16 }, (_, axis) => (axis % 2 === 0 ? Math.cos(angle) : Math.sin(angle)));

/** Three documents on an arc; the last has a chunk without a vector. */
function sampleIndex() {
  const db = openMemoryIndex();
  addDocument(db, "b.md", "b0", "b1");
  addDocument(db, "a.md", "a0");
  addDocument(db, "c.md", "c0", "c1");
  const ids = listPendingIds(db);
  const angles = [0, 0.2, 0.2, 0.5];
  storeVectors(
    db,
    ids.slice(0, 4).map((chunkId, offset) => ({ chunkId, vector: at(angles[offset]!) })),
  );
  const places = listDocumentPlaces(db);
  const idOf = (path: string) => places.find((place) => place.path === path)!.id;
  return { db, places, idOf, all: new Set(places.map(({ id }) => id)) };
}

const SEARCH = { count: 10, minQuality: 0, taken: new Set<never>() };

describe("listVectorsOf and its like", () => {
  test("give what has a vector, in the order of the document", () => {
    const { db, idOf, places } = sampleIndex();
    expect(places.map(({ path }) => path)).toEqual(["a.md", "b.md", "c.md"]);
    expect(listVectorsOf(db, idOf("b.md"), 9).map(({ chunkId }) => chunkId)).toEqual(chunkIdsOf(db, "b.md"));
    expect(listVectorsOf(db, idOf("b.md"), 1)).toHaveLength(1);
    expect(listVectorsOf(db, idOf("c.md"), 9)).toHaveLength(1);
    const [first, second] = chunkIdsOf(db, "c.md");
    expect(findFirstChunkOf(db, idOf("c.md"))).toBe(first);
    expect(findVectorOf(db, first!)).toEqual(quantise(at(0.5)));
    expect(findVectorOf(db, second!)).toBeUndefined();
    db.close();
  });
});

describe("NeighbourSearcher", () => {
  test("orders by cosine, then path and chunk", () => {
    const { db, all } = sampleIndex();
    const near = new NeighbourSearcher(db).listNear(quantise(at(0)), { ...SEARCH, documentIds: all });
    expect(near.map(({ path }) => path)).toEqual(["b.md", "a.md", "b.md", "c.md"]);
    expect(near[0]!.cosine).toBeCloseTo(1, 2);
    expect(near[3]!.cosine).toBeCloseTo(Math.cos(0.5), 1);
    db.close();
  });

  test("finds neither other documents nor taken chunks, and as many as wanted all the same", () => {
    const { db, all, idOf } = sampleIndex();
    const searcher = new NeighbourSearcher(db);
    const pathsOf = (documentIds: ReadonlySet<DocumentId>, taken: ReadonlySet<never>, count: number) =>
      searcher
        .listNear(quantise(at(0)), { count, minQuality: 0, documentIds, taken })
        .map(({ path }) => path);
    expect(pathsOf(new Set([idOf("a.md"), idOf("c.md")]), new Set(), 1)).toEqual(["a.md"]);
    const taken = new Set(chunkIdsOf(db, "b.md")) as Set<never>;
    expect(pathsOf(all, taken, 2)).toEqual(["a.md", "c.md"]);
    expect(pathsOf(new Set(), new Set(), 2)).toEqual([]);
    db.close();
  });

  test("finds the same where there is no memory for all vectors", () => {
    const { db, all } = sampleIndex();
    const query = quantise(at(0.1));
    const taken = new Set([chunkIdsOf(db, "b.md")[0]!]);
    const search = { count: 2, minQuality: 0.5, documentIds: all, taken };
    const expected = new NeighbourSearcher(db).listNear(query, search);
    const withoutMemory = { catchUp: () => false } as unknown as VectorMemory;
    const streaming = new Proxy(db, {
      get(target, name) {
        if (name === "vectorMemory") return withoutMemory;
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    expect(new NeighbourSearcher(streaming).listNear(query, search)).toEqual(expected);
    expect(expected).toHaveLength(2);
    db.close();
  });

  test("finds nothing where there are no vectors", () => {
    using db = openMemoryIndex();
    const id = addDocument(db, "a.md", "text");
    expect(
      new NeighbourSearcher(db).listNear(new Uint8Array(16), { ...SEARCH, documentIds: new Set([id]) }),
    ).toEqual([]);
  });
});
