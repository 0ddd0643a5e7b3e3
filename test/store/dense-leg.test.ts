import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChunkId, DocumentId } from "../../src/core/document.ts";
import { storeVectors } from "../../src/store/chunks.ts";
import { searchDense } from "../../src/store/dense-leg.ts";
import { deleteDocument } from "../../src/store/documents.ts";
import {
  addDocument,
  addVectors,
  chunkIdsOf,
  openMemoryIndex,
  sampleChunk,
  sampleRecord,
  storeDocument,
  VECTOR_ENGINES,
} from "./sample-index.ts";

const placesOf = (candidates: readonly { path: string; chunkIndex: number }[]) =>
  candidates.map(({ path, chunkIndex }) => `${path}#${chunkIndex}`);

/** Unit vectors at an angle from the first axis, in degrees. */
const at = (degrees: number) => {
  const radians = (degrees * Math.PI) / 180;
  return [Math.cos(radians), Math.sin(radians)];
};

describe.each(VECTOR_ENGINES)("searchDense (%s)", (engine) => {
  test("orders by cosine, from 1 for the same direction to -1 for the opposite one", () => {
    using db = openMemoryIndex(engine);
    addDocument(db, "a.md", "opposite", "same", "right angle", "near");
    addVectors(db, "a.md", at(180), at(0), at(90), at(30));
    const found = searchDense(db, Float32Array.from(at(0)), { poolSize: 9 });
    expect(placesOf(found)).toEqual(["a.md#1", "a.md#3", "a.md#2", "a.md#0"]);
    for (const [rank, cosine] of [1, Math.cos(Math.PI / 6), 0, -1].entries()) {
      expect(found[rank]!.raw).toBeCloseTo(cosine, 1);
      expect(Math.abs(found[rank]!.raw)).toBeLessThanOrEqual(1);
    }
  });

  test("keeps the cosine of real-sized vectors to within a thousandth, and their order", () => {
    using db = openMemoryIndex(engine);
    const random = randomNumbers(7);
    const vectors = Array.from({ length: 200 }, () =>
      unit(Float32Array.from({ length: 384 }, () => random() - 0.5)),
    );
    addDocument(db, "a.md", ...vectors.map((_, n) => `text ${n}`));
    const ids = chunkIdsOf(db, "a.md");
    storeVectors(
      db,
      vectors.map((vector, n) => ({ chunkId: ids[n]!, vector })),
    );
    const query = unit(vectors[0]!.map((component, n) => component + vectors[1]![n]! / 2));
    const exact = vectors.map((vector) =>
      vector.reduce((sum, component, n) => sum + component * query[n]!, 0),
    );
    const found = searchDense(db, query, { poolSize: 200 });
    for (const { chunkIndex, raw } of found) expect(Math.abs(raw - exact[chunkIndex]!)).toBeLessThan(0.003);
    expect(placesOf(found).slice(0, 2)).toEqual(["a.md#0", "a.md#1"]);
  });

  test("does not depend on the length of the vectors", () => {
    using db = openMemoryIndex(engine);
    addDocument(db, "a.md", "one", "two");
    addVectors(
      db,
      "a.md",
      at(0).map((x) => x * 40),
      at(10).map((x) => x / 40),
    );
    const found = searchDense(db, Float32Array.of(0.001, 0), { poolSize: 2 });
    expect(placesOf(found)).toEqual(["a.md#0", "a.md#1"]);
    expect(found[0]!.raw).toBeCloseTo(1, 2);
  });

  test("orders ties by path, then chunk index, at the border of every pool too", () => {
    using db = openMemoryIndex(engine);
    for (const path of ["c.md", "a.md", "\u{1f600}.md", "ｚ.md"]) {
      addDocument(db, path, `${path} one`, `${path} two`);
      addVectors(db, path, at(20), at(20));
    }
    addDocument(db, "z.md", "best");
    addVectors(db, "z.md", at(0));
    const expected = [
      "z.md#0",
      "a.md#0",
      "a.md#1",
      "c.md#0",
      "c.md#1",
      "ｚ.md#0",
      "ｚ.md#1",
      "\u{1f600}.md#0",
      "\u{1f600}.md#1",
    ];
    for (let poolSize = 0; poolSize <= 10; poolSize++) {
      const found = searchDense(db, Float32Array.from(at(0)), { poolSize });
      expect(placesOf(found)).toEqual(expected.slice(0, poolSize));
    }
  });

  test("restricts before the limit: a filtered answer is the whole answer filtered", () => {
    using db = openMemoryIndex(engine);
    const facts = new Map<ChunkId, { document: DocumentId; quality: number }>();
    const documents: DocumentId[] = [];
    for (let n = 0; n < 30; n++) {
      const qualities = [0, 1, 2].map((index) => ((n + index) % 10) / 10);
      const chunks = qualities.map((quality, index) => sampleChunk(index, `${n} ${index}`, { quality }));
      const document = storeDocument(db, sampleRecord(`${n % 4}/${n}.md`), chunks);
      documents.push(document);
      addVectors(db, `${n % 4}/${n}.md`, at(n * 2), at((n * 13) % 90), at((n * 29) % 180));
      for (const [index, id] of chunkIdsOf(db, `${n % 4}/${n}.md`).entries()) {
        facts.set(id, { document, quality: qualities[index]! });
      }
    }
    const query = Float32Array.from(at(3));
    const all = searchDense(db, query, { poolSize: 1000 });
    expect(all).toHaveLength(90);
    fc.assert(
      fc.property(
        fc.option(fc.subarray(documents), { nil: undefined }),
        fc.constantFrom(undefined, 0, 0.3, 0.75, 1),
        fc.integer({ min: 1, max: 40 }),
        (documentIds, minQuality, poolSize) => {
          const expected = all.filter(({ chunkId }) => {
            const { document, quality } = facts.get(chunkId)!;
            return (documentIds?.includes(document) ?? true) && quality >= (minQuality ?? 0);
          });
          const found = searchDense(db, query, { poolSize, documentIds, minQuality });
          expect(found).toEqual(expected.slice(0, poolSize));
        },
      ),
    );
  });

  test.each([2, 10])("leaves out all of low quality where only every %p. chunk is good", (goodEvery) => {
    using db = openMemoryIndex(engine);
    const random = randomNumbers(3);
    const chunks = Array.from({ length: 5000 }, (_, n) =>
      sampleChunk(n, `text ${n}`, { quality: n % goodEvery === 0 ? 1 : 0.1 }),
    );
    storeDocument(db, sampleRecord("many.md"), chunks);
    const vectors = chunkIdsOf(db, "many.md").map((chunkId) => ({
      chunkId,
      vector: Float32Array.from({ length: 8 }, () => random() - 0.5),
    }));
    storeVectors(db, vectors);
    const query = Float32Array.from({ length: 8 }, () => random() - 0.5);
    const good = searchDense(db, query, { poolSize: 5000 }).filter(
      ({ chunkIndex }) => chunkIndex % goodEvery === 0,
    );
    for (const poolSize of [1, 100, 450]) {
      expect(searchDense(db, query, { poolSize, minQuality: 0.3 })).toEqual(good.slice(0, poolSize));
    }
  });

  test("gives a pool of thousands, complete and in order", () => {
    using db = openMemoryIndex(engine);
    const random = randomNumbers(1);
    addDocument(db, "many.md", ...Array.from({ length: 5000 }, (_, n) => `text ${n}`));
    const vectors = chunkIdsOf(db, "many.md").map((chunkId) => ({
      chunkId,
      vector: Float32Array.from({ length: 8 }, () => random() - 0.5),
    }));
    storeVectors(db, vectors);
    const query = Float32Array.from({ length: 8 }, () => random() - 0.5);
    const all = searchDense(db, query, { poolSize: 4900 });
    expect(all).toHaveLength(4900);
    for (let n = 1; n < all.length; n++) expect(all[n]!.raw).toBeLessThanOrEqual(all[n - 1]!.raw);
    for (const poolSize of [1, 300, 4095, 4096, 4097]) {
      expect(searchDense(db, query, { poolSize })).toEqual(all.slice(0, poolSize));
    }
    expect(searchDense(db, query, { poolSize: 6000 })).toHaveLength(5000);
  });

  test("does not find chunks that were deleted or have no vector", () => {
    using db = openMemoryIndex(engine);
    const gone = addDocument(db, "gone.md", "one");
    addVectors(db, "gone.md", at(0));
    addDocument(db, "here.md", "two", "three");
    addVectors(db, "here.md", at(50));
    deleteDocument(db, gone);
    expect(placesOf(searchDense(db, Float32Array.from(at(0)), { poolSize: 5 }))).toEqual(["here.md#0"]);
  });

  test("is empty without vectors", () => {
    using db = openMemoryIndex(engine);
    addDocument(db, "a.md", "one");
    expect(searchDense(db, Float32Array.of(1, 0), { poolSize: 5 })).toEqual([]);
  });

  test("refuses a query vector of another width", () => {
    using db = openMemoryIndex(engine);
    addDocument(db, "a.md", "one");
    addVectors(db, "a.md", at(0));
    expect(() => searchDense(db, Float32Array.of(1, 0, 0), { poolSize: 5 })).toThrow(RangeError);
  });
});

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}

/** The same numbers from 0 to 1 for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
