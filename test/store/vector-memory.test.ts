import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { DocumentId } from "../../src/core/document.ts";
import { getPendingChunks, listPendingIds, storeVectors } from "../../src/store/chunks.ts";
import { type DenseSearch, searchDense } from "../../src/store/dense-leg.ts";
import { deleteDocument, listDocumentStates } from "../../src/store/documents.ts";
import { reclaimSpace } from "../../src/store/maintenance.ts";
import { type IndexDatabase, openIndex } from "../../src/store/open.ts";
import { MAX_DIMS } from "../../src/store/quantise.ts";
import { readInTransaction } from "../../src/store/transaction.ts";
import type { VectorEngineName } from "../../src/store/vector-engine.ts";
import { VectorMemory } from "../../src/store/vector-memory.ts";
import { fastestScan, VectorRows } from "../../src/store/vector-scan.ts";
import { forgetVectors, insertVector } from "../../src/store/vectors.ts";
import { TestFolder } from "../support/test-folder.ts";
import {
  addDocument,
  addVectors,
  chunkIdsOf,
  openMemoryIndex,
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

/** A new index with one connection that writes and one reader that keeps vectors in memory. */
class Pair implements Disposable {
  readonly file = folder.at(`pair-${files++}.db`);
  readonly writer: IndexDatabase;
  readonly reader: IndexDatabase;

  /** @param engine What the writer compares vectors with. */
  constructor(engine: VectorEngineName = "sqlite-vec") {
    this.writer = openIndex(this.file, { mode: "write", ...withEngine(engine) });
    this.reader = openIndex(this.file, { mode: "read", ...withEngine(engine), keepVectorsInMemory: true });
  }

  [Symbol.dispose](): void {
    this.reader.close();
    this.writer.close();
  }
}

/** Whether stored vectors were compared where they lie, in the file. */
function readsFile(db: IndexDatabase, work: () => void): boolean {
  const statements: string[] = [];
  db.traceStatements((sql) => statements.push(sql));
  work();
  db.traceStatements(undefined);
  return statements.some((sql) => /vec_distance|embedding FROM chunk_vectors/.test(sql));
}

/** Components from so few values that equal distances are common. */
const vectorOf = (dims: number, seed: number) =>
  Float32Array.from({ length: dims }, (_, offset) => ((seed * (offset + 1)) % 5) - 1.5);

type Step =
  | { readonly kind: "write"; readonly path: string; readonly texts: readonly number[] }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "embed"; readonly limit: number }
  | { readonly kind: "compact" };

const paths = fc.constantFrom("a.md", "b/c.md", "ｚ.md", "\u{1f600}.md");

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      path: paths,
      texts: fc.array(fc.nat(30), { maxLength: 12 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("embed" as const), limit: fc.integer({ min: 1, max: 9 }) }),
  },
  fc.record({ kind: fc.constant("delete" as const), path: paths }),
  fc.record({ kind: fc.constant("compact" as const) }),
);

function take(step: Step, { writer, file }: Pair, dims: number): void {
  switch (step.kind) {
    case "write": {
      const chunks = step.texts.map((text, index) =>
        sampleChunk(index, `text ${text}`, { quality: (text % 4) / 3 }),
      );
      storeDocument(writer, sampleRecord(step.path), chunks);
      return;
    }
    case "embed": {
      const pending = getPendingChunks(writer, listPendingIds(writer).slice(0, step.limit));
      storeVectors(
        writer,
        pending.map(({ chunkId, content }) => ({
          chunkId,
          vector: vectorOf(dims, content.length * 7 + chunkId),
        })),
      );
      return;
    }
    case "compact":
      reclaimSpace(writer);
      return;
    default: {
      using other = openIndex(file, { mode: "write" });
      const document = listDocumentStates(other).get(step.path);
      if (document !== undefined) deleteDocument(other, document.id);
    }
  }
}

const searches = fc.record({
  seed: fc.nat(20),
  poolSize: fc.integer({ min: 1, max: 25 }),
  minQuality: fc.constantFrom(undefined, 0, 0.3, 0.7, 1),
  documents: fc.option(fc.subarray([0, 1, 2, 3])),
});

function filterOf(db: IndexDatabase, wanted: readonly number[] | null): readonly DocumentId[] | undefined {
  if (wanted === null) return undefined;
  const ids = [...listDocumentStates(db).values()].map(({ id }) => id);
  return ids.filter((_, offset) => wanted.includes(offset));
}

describe.each(VECTOR_ENGINES)("searchDense with vectors in memory (beside %s)", (engine) => {
  test("answers as the engine does, whatever is written in between", () => {
    const story = fc.array(fc.tuple(steps, searches), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(3, 16, 21), story, (dims, chapters) => {
        using pair = new Pair(engine);
        for (const [step, { seed, documents, ...search }] of chapters) {
          take(step, pair, dims);
          const documentIds = filterOf(pair.writer, documents);
          const query = vectorOf(dims, seed);
          const wanted: DenseSearch = { ...search, documentIds };
          const isInMemory = !readsFile(pair.reader, () =>
            expect(searchDense(pair.reader, query, wanted)).toEqual(searchDense(pair.writer, query, wanted)),
          );
          expect(isInMemory).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test("answers as the engine does where thousands are equally near", () => {
    using pair = new Pair(engine);
    const chunks = Array.from({ length: 3000 }, (_, n) => sampleChunk(n, `text ${n}`));
    storeDocument(pair.writer, sampleRecord("many.md"), chunks);
    const pending = listPendingIds(pair.writer);
    storeVectors(
      pair.writer,
      pending.map((chunkId) => ({ chunkId, vector: vectorOf(20, chunkId % 3) })),
    );
    for (const poolSize of [1, 100, 999, 1000, 1001, 2999, 3000, 4000]) {
      const query = vectorOf(20, 1);
      expect(searchDense(pair.reader, query, { poolSize })).toEqual(
        searchDense(pair.writer, query, { poolSize }),
      );
    }
  });

  test("takes for equal what the engine's rounded distances make equal, at every border", () => {
    using pair = new Pair(engine);
    const dims = 2048;
    const query = new Float32Array(dims).fill(1);
    const numbers = Array.from({ length: 16 }, (_, index) => (index * 7) % 16);
    const chunks = numbers.map((number, index) => sampleChunk(index, `text ${number}`));
    storeDocument(pair.writer, sampleRecord("far.md"), chunks);
    addVectors(pair.writer, "far.md", [...query]);
    for (const [index, chunkId] of chunkIdsOf(pair.writer, "far.md").entries()) {
      // The query's bytes are 32. From -32 a component differs by 64, from -33 by 65, from -31 by
      // 63; 64 of the former and 65 of the latter make the squared distance greater by exactly 1.
      const bytes = new Int8Array(dims).fill(-32);
      const number = numbers[index]!;
      bytes.fill(-33, 0, 64 * number).fill(-31, 64 * number, 129 * number);
      forgetVectors(pair.writer, [chunkId]);
      insertVector(pair.writer, chunkId, new Uint8Array(bytes.buffer));
    }
    for (let poolSize = 1; poolSize <= 16; poolSize++) {
      const found = searchDense(pair.reader, query, { poolSize });
      expect(found).toEqual(searchDense(pair.writer, query, { poolSize }));
    }
    const all = searchDense(pair.reader, query, { poolSize: 16 });
    expect(new Set(all.map(({ raw }) => raw)).size).toBeLessThan(16);
  });

  test("keeps rows and chunks together when one is deleted and another takes its place", () => {
    using pair = new Pair(engine);
    for (const [path, vector] of Object.entries({ "a.md": [0, 1], "b.md": [1, 1], "c.md": [1, 0] })) {
      addDocument(pair.writer, path, path);
      addVectors(pair.writer, path, vector);
    }
    const search = () =>
      searchDense(pair.reader, Float32Array.of(1, 0), { poolSize: 2 }).map(({ path }) => path);
    expect(search()).toEqual(["c.md", "b.md"]);
    deleteDocument(pair.writer, listDocumentStates(pair.writer).get("a.md")!.id);
    expect(search()).toEqual(["c.md", "b.md"]);
  });

  test("shows what the running transaction sees, and afterwards what came meanwhile", () => {
    using pair = new Pair(engine);
    addDocument(pair.writer, "a.md", "one");
    addVectors(pair.writer, "a.md", [1, 0]);
    const search = () =>
      searchDense(pair.reader, Float32Array.of(0, 1), { poolSize: 5 }).map(({ path }) => path);
    readInTransaction(pair.reader, () => {
      expect(search()).toEqual(["a.md"]);
      addDocument(pair.writer, "b.md", "two");
      addVectors(pair.writer, "b.md", [0, 1]);
      expect(search()).toEqual(["a.md"]);
    });
    expect(search()).toEqual(["b.md", "a.md"]);
  });

  test("answers as the engine does about the widest vectors, at the greatest distances", () => {
    using pair = new Pair(engine);
    const query = new Float32Array(MAX_DIMS).fill(1);
    addDocument(pair.writer, "a.md", "one", "two", "three");
    const [opposite, nearlyOpposite] = [query.map(() => -1), query.map((_, n) => (n === 0 ? 1 : -1))];
    addVectors(pair.writer, "a.md", [...query], [...nearlyOpposite], [...opposite]);
    const found = searchDense(pair.reader, query, { poolSize: 3 });
    expect(found).toEqual(searchDense(pair.writer, query, { poolSize: 3 }));
    expect(found.map(({ chunkIndex }) => chunkIndex)).toEqual([0, 1, 2]);
  });

  test("looks at the vectors again only after somebody has written", () => {
    using pair = new Pair(engine);
    addDocument(pair.writer, "a.md", "one");
    addVectors(pair.writer, "a.md", [1, 0]);
    const countLooks = () => {
      let looks = 0;
      pair.reader.traceStatements((sql) => {
        if (sql.includes("pending_vectors")) looks++;
      });
      searchDense(pair.reader, Float32Array.of(0, 1), { poolSize: 5 });
      return looks;
    };
    expect([countLooks(), countLooks()]).toEqual([1, 0]);
    addDocument(pair.writer, "b.md", "two");
    expect([countLooks(), countLooks()]).toEqual([1, 0]);
  });
});

describe("VectorMemory", () => {
  test("has no vectors while the machine has no memory for them, and has them after a change", () => {
    using pair = new Pair();
    addDocument(pair.writer, "a.md", "one", "two");
    addVectors(pair.writer, "a.md", [...vectorOf(16, 1)], [...vectorOf(16, 2)]);
    let pages = 0;
    const memory = new VectorMemory((dims) => new VectorRows(dims, fastestScan, pages));
    const catchUp = () => readInTransaction(pair.reader, () => memory.catchUp(pair.reader, 16));
    expect([catchUp(), catchUp()]).toEqual([false, false]);
    pages = 1;
    expect(catchUp()).toBe(false);
    addDocument(pair.writer, "b.md", "three");
    expect([catchUp(), catchUp()]).toEqual([true, true]);
    expect(memory.findNearest({ queryBytes: new Uint8Array(16), poolSize: 5 })).toHaveLength(2);
  });

  test("is not for writers, which would not see their own changes there", () => {
    using db = openMemoryIndex();
    expect(db.vectorMemory).toBeUndefined();
    using asked = openIndex(":memory:", { mode: "write", keepVectorsInMemory: true });
    expect(asked.vectorMemory).toBeUndefined();
  });
});
