/** Both vector engines give the same candidates, whatever the index and the search. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compilePathGlobs } from "../../src/source/path-globs.ts";
import { listPendingIds, storeVectors } from "../../src/store/chunks.ts";
import { searchDense } from "../../src/store/dense-leg.ts";
import { listDocumentIds } from "../../src/store/documents.ts";
import { type IndexDatabase, openIndex } from "../../src/store/open.ts";
import { TestFolder } from "../support/test-folder.ts";
import {
  addDocument,
  addVectors,
  sampleChunk,
  sampleRecord,
  storeDocument,
  VECTOR_ENGINES,
  withEngine,
} from "./sample-index.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = new TestFolder();
});
afterAll(() => folder[Symbol.dispose]());

let files = 0;

interface SampleDocument {
  readonly path: string;
  /** One for each chunk, 0 to 1. */
  readonly qualities: readonly number[];
}

const documents = fc.uniqueArray(
  fc.record({
    path: fc.constantFrom("a.md", "b/c.md", "b/d/e.md", "b/d/f.txt", "ｚ.md", "\u{1f600}.md"),
    qualities: fc.array(fc.constantFrom(0, 0.1, 0.5, 1), { maxLength: 12 }),
  }),
  { selector: ({ path }) => path },
);

const searches = fc.record({
  seed: fc.nat(20),
  poolSize: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 4000, max: 10_000 })),
  minQuality: fc.constantFrom(undefined, 0, 0.3, 1),
  globs: fc.option(fc.subarray(["b/**", "*.md", "**/*.txt", "!b/d/**", "nothing/*"], { minLength: 1 }), {
    nil: undefined,
  }),
});

/** An index with vectors for all but the last `pending` texts; `values` says how common ties are. */
function makeIndex(sample: readonly SampleDocument[], dims: number, values: number, pending: number): string {
  const file = folder.at(`index-${files++}.db`);
  using db = openIndex(file, { mode: "write" });
  for (const { path, qualities } of sample) {
    const chunks = qualities.map((quality, index) => sampleChunk(index, `${path} ${index}`, { quality }));
    storeDocument(db, sampleRecord(path), chunks);
  }
  const listed = listPendingIds(db);
  const embedded = listed.slice(0, Math.max(0, listed.length - pending));
  const vectors = embedded.map((chunkId) => ({ chunkId, vector: vectorOf(dims, values, chunkId) }));
  storeVectors(db, vectors);
  return file;
}

/** Components from so many different values. */
function vectorOf(dims: number, values: number, seed: number): Float32Array {
  return Float32Array.from(
    { length: dims },
    (_, n) => ((seed * (n + 3) * 31 + n * n) % values) - values / 2.5 - 0.1,
  );
}

function idsMatching(db: IndexDatabase, globs: readonly string[] | undefined) {
  if (globs === undefined) return undefined;
  const passes = compilePathGlobs(globs);
  return [...listDocumentIds(db)].filter(([path]) => passes(path)).map(([, id]) => id);
}

describe("searchDense", () => {
  test("gives the same candidates by both engines, to the bit", () => {
    fc.assert(
      fc.property(
        documents,
        fc.constantFrom(1, 3, 16, 21, 384),
        fc.constantFrom(2, 5, 1000),
        fc.nat(5),
        fc.array(searches, { minLength: 1, maxLength: 6 }),
        (sample, dims, values, pending, asked) => {
          const file = makeIndex(sample, dims, values, pending);
          using bySql = openIndex(file, { mode: "read", ...withEngine("sqlite-vec") });
          using byScan = openIndex(file, { mode: "read", ...withEngine("js") });
          expect([bySql.vectorEngine.name, byScan.vectorEngine.name]).toEqual([...VECTOR_ENGINES]);
          for (const { seed, globs, ...search } of asked) {
            const wanted = { ...search, documentIds: idsMatching(bySql, globs) };
            const query = vectorOf(dims, values, seed);
            expect(searchDense(byScan, query, wanted)).toEqual(searchDense(bySql, query, wanted));
          }
        },
      ),
      { numRuns: 100 },
    );
  }, 60_000);

  test.each([3, 5000])("gives the same of thousands with vectors of %p values", (values) => {
    const qualities = Array.from({ length: 3000 }, (_, n) => (n % 3) / 2);
    const sample = ["b/a.md", "a.md"].map((path) => ({ path, qualities }));
    const file = makeIndex(sample, 20, values, 7);
    using bySql = openIndex(file, { mode: "read", ...withEngine("sqlite-vec") });
    using byScan = openIndex(file, { mode: "read", ...withEngine("js") });
    const query = vectorOf(20, values, 1);
    for (const poolSize of [1, 1024, 4095, 4096, 4097, 5993, 7000]) {
      for (const globs of [undefined, ["b/*"]]) {
        for (const minQuality of [0, 0.3]) {
          const wanted = { poolSize, minQuality, documentIds: idsMatching(bySql, globs) };
          const found = searchDense(byScan, query, wanted);
          expect(found).toEqual(searchDense(bySql, query, wanted));
          expect(found.length).toBeGreaterThan(0);
        }
      }
    }
  });

  test("finds with either engine what was stored with the other", () => {
    for (const [writing, reading] of [VECTOR_ENGINES, VECTOR_ENGINES.toReversed()]) {
      const file = folder.at(`index-${files++}.db`);
      using writer = openIndex(file, { mode: "write", ...withEngine(writing!) });
      addDocument(writer, "a.md", "one", "two");
      addVectors(writer, "a.md", [1, 0], [0, 1]);
      using reader = openIndex(file, { mode: "read", ...withEngine(reading!) });
      const found = searchDense(reader, Float32Array.of(0, 1), { poolSize: 9 });
      expect(found.map(({ chunkIndex }) => chunkIndex)).toEqual([1, 0]);
    }
  });
});
