import { describe, expect, test } from "bun:test";
import type { ChunkId } from "../../src/core/document.ts";
import {
  getPassages,
  listInvisibleToDense,
  listPendingChunks,
  storeVectors,
} from "../../src/store/chunks.ts";
import { deleteDocument } from "../../src/store/documents.ts";
import { adoptIdentity } from "../../src/store/identity.ts";
import { MAX_DIMS } from "../../src/store/quantise.ts";
import { readStatusCounts } from "../../src/store/status-counts.ts";
import { addDocument, addVectors, chunkIdsOf, countRows, openMemoryIndex } from "./sample-index.ts";

describe("listPendingChunks", () => {
  test("pages through what has no vector, in the order of storing", () => {
    using db = openMemoryIndex();
    addDocument(db, "b.md", "one", "two");
    addDocument(db, "a.md", "three", "four");
    addVectors(db, "b.md", [1, 0]);
    const first = listPendingChunks(db, { limit: 2 });
    expect(first.map(({ content }) => content)).toEqual(["two", "three"]);
    const rest = listPendingChunks(db, { limit: 2, afterId: first[1]!.chunkId });
    expect(rest.map(({ content }) => content)).toEqual(["four"]);
    expect(listPendingChunks(db, { limit: 2, afterId: rest[0]!.chunkId })).toEqual([]);
  });

  test("names equal texts once", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "same", "same", "other");
    expect(listPendingChunks(db, { limit: 10 }).map(({ content }) => content)).toEqual(["same", "other"]);
  });
});

describe("listPendingChunks of a long document", () => {
  test("gives every text in order whatever the size of the pages", () => {
    using db = openMemoryIndex();
    const contents = Array.from({ length: 500 }, (_, n) => `${n} words `.repeat(n % 90));
    addDocument(db, "long.md", ...contents);
    for (const limit of [7, 64, 1000]) {
      const listed: string[] = [];
      for (let page = listPendingChunks(db, { limit }); page.length > 0; ) {
        listed.push(...page.map(({ content }) => content));
        page = listPendingChunks(db, { limit, afterId: page.at(-1)!.chunkId });
      }
      expect([...new Set(listed)]).toEqual([...new Set(contents)]);
    }
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
