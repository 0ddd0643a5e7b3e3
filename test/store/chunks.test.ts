import { describe, expect, test } from "bun:test";
import type { ChunkId } from "../../src/core/document.ts";
import {
  getPassages,
  getPendingChunks,
  listInvisibleToDense,
  listPendingIds,
  storeVectors,
} from "../../src/store/chunks.ts";
import { deleteDocument } from "../../src/store/documents.ts";
import { adoptIdentity } from "../../src/store/identity.ts";
import { MAX_DIMS } from "../../src/store/quantise.ts";
import { readStatusCounts } from "../../src/store/status-counts.ts";
import {
  addDocument,
  addVectors,
  chunkIdsOf,
  countRows,
  openMemoryIndex,
  sampleChunk,
  sampleRecord,
  storeDocument,
} from "./sample-index.ts";

describe("listPendingIds", () => {
  test("lists what has no vector, the file changed last first, each document in the order of its text", () => {
    using db = openMemoryIndex();
    for (const [path, mtimeNs] of [
      ["old.md", 1n],
      ["new.md", 3n],
      ["middle.md", 2n],
    ] as const)
      storeDocument(db, sampleRecord(path, { mtimeNs }), [
        sampleChunk(0, `${path} one`),
        sampleChunk(1, `${path} two`),
      ]);
    addVectors(db, "middle.md", [1, 0]);
    expect(getPendingChunks(db, listPendingIds(db)).map(({ content }) => content)).toEqual([
      "new.md one",
      "new.md two",
      "middle.md two",
      "old.md one",
      "old.md two",
    ]);
  });

  test("names equal texts once, where the newest of them is", () => {
    using db = openMemoryIndex();
    storeDocument(db, sampleRecord("old.md", { mtimeNs: 1n }), [
      sampleChunk(0, "same"),
      sampleChunk(1, "other"),
    ]);
    storeDocument(db, sampleRecord("new.md", { mtimeNs: 2n }), [sampleChunk(0, "same")]);
    expect(listPendingIds(db)).toEqual([...chunkIdsOf(db, "new.md"), chunkIdsOf(db, "old.md")[1]!]);
  });
});

describe("getPendingChunks", () => {
  test("gives every text of a long document in the order asked for, whatever the size of the pages", () => {
    using db = openMemoryIndex();
    const contents = Array.from({ length: 500 }, (_, n) => `${n} words `.repeat(n % 90));
    addDocument(db, "long.md", ...contents);
    const ids = listPendingIds(db);
    for (const limit of [7, 64, 1000]) {
      const listed: string[] = [];
      for (let start = 0; start < ids.length; start += limit)
        listed.push(...getPendingChunks(db, ids.slice(start, start + limit)).map(({ content }) => content));
      expect(listed).toEqual([...new Set(contents)]);
    }
    expect(getPendingChunks(db, [ids[9]!, ids[3]!]).map(({ chunkId }) => chunkId)).toEqual([
      ids[9]!,
      ids[3]!,
    ]);
  });

  test("leaves out what got a vector or was deleted meanwhile", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "one", "two");
    const gone = addDocument(db, "b.md", "three");
    const ids = listPendingIds(db);
    addVectors(db, "a.md", [1, 0]);
    deleteDocument(db, gone);
    expect(getPendingChunks(db, ids).map(({ content }) => content)).toEqual(["two"]);
  });
});

describe("storeVectors", () => {
  test.each([
    ["not a number", [Number.NaN, 1]],
    ["infinite", [1, Number.POSITIVE_INFINITY]],
    ["all zeros", [0, 0]],
    ["too short", [1]],
    ["too long", [1, 0, 0]],
  ])("refuses a vector that is %s, and all that came with it", (_, bad) => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "zero", "one", "two");
    addVectors(db, "a.md", [1, 0]);
    const [, second, third] = chunkIdsOf(db, "a.md") as [ChunkId, ChunkId, ChunkId];
    const batch = [
      { chunkId: second, vector: Float32Array.of(0, 1) },
      { chunkId: third, vector: Float32Array.from(bad) },
    ];
    const before = countRows(db);
    expect(() => storeVectors(db, batch)).toThrow(expect.objectContaining({ code: "model" }));
    expect(countRows(db)).toEqual(before);
  });

  test("takes the width from the recorded model", () => {
    using db = openMemoryIndex();
    adoptIdentity(db, {
      name: "m",
      revision: "r",
      dims: 3,
      maxTokens: 8,
      pooling: "mean",
      queryPrefix: "",
      passagePrefix: "",
    });
    addDocument(db, "a.md", "one");
    expect(() => addVectors(db, "a.md", [1, 0])).toThrow("2 dimensions, the index has 3");
  });

  test("leaves out a chunk that was deleted meanwhile, or has a vector", () => {
    using db = openMemoryIndex();
    const gone = addDocument(db, "gone.md", "one");
    const [goneChunk] = chunkIdsOf(db, "gone.md") as [ChunkId];
    addDocument(db, "here.md", "two");
    const [chunkId] = chunkIdsOf(db, "here.md") as [ChunkId];
    deleteDocument(db, gone);
    const batch = [goneChunk, chunkId, chunkId].map((id) => ({ chunkId: id, vector: Float32Array.of(1, 0) }));
    expect(storeVectors(db, batch)).toBe(1);
    expect(storeVectors(db, batch)).toBe(0);
    expect(countRows(db)).toMatchObject({ pending: 0, vectors: 1 });
  });

  test("refuses vectors that are too wide to be compared exactly", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "one");
    const tooWide = new Array<number>(MAX_DIMS + 1).fill(1);
    expect(() => addVectors(db, "a.md", tooWide)).toThrow(RangeError);
    expect(countRows(db)).toMatchObject({ pending: 1, vectors: 0 });
  });
});

describe("getPassages", () => {
  test("keeps the order of the ids, leaves out what is gone, and takes one statement", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "zero", "one", "two");
    const [a, b, c] = chunkIdsOf(db, "a.md") as [ChunkId, ChunkId, ChunkId];
    let statements = 0;
    db.traceStatements(() => statements++);
    const passages = getPassages(db, [c, 999 as ChunkId, a, b]);
    expect(passages.map(({ chunk }) => chunk.content)).toEqual(["two", "zero", "one"]);
    expect(statements).toBe(1);
    expect(getPassages(db, [])).toEqual([]);
  });
});

describe("listInvisibleToDense", () => {
  test("names the chunks without a vector", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "zero", "one", "two");
    addVectors(db, "a.md", [1, 0], [0, 1]);
    const ids = chunkIdsOf(db, "a.md");
    expect([...listInvisibleToDense(db, ids)]).toEqual([ids[2]!]);
  });
});

describe("readStatusCounts", () => {
  test("counts what is there and what is missing", () => {
    using db = openMemoryIndex();
    expect(readStatusCounts(db)).toEqual({
      documents: 0,
      chunks: 0,
      pending: 0,
      skipped: 0,
      vectorCoverage: 1,
      indexedAt: undefined,
    });
    addDocument(db, "a.md", "zero", "one", "two", "three");
    addVectors(db, "a.md", [1, 0]);
    expect(readStatusCounts(db)).toMatchObject({
      documents: 1,
      chunks: 4,
      pending: 3,
      vectorCoverage: 0.25,
      indexedAt: "2026-01-02T03:04:05.000Z",
    });
  });
});
