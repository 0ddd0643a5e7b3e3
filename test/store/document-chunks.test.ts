import { describe, expect, test } from "bun:test";
import type { ChunkId } from "../../src/core/document.ts";
import { storeVectors } from "../../src/store/chunks.ts";
import { countChunksOf, listChunkLines, listChunkSizes } from "../../src/store/document-chunks.ts";
import { findDocument } from "../../src/store/documents.ts";
import { getVectors } from "../../src/store/vectors.ts";
import { openMemoryIndex, sampleChunk, sampleRecord, storeDocument } from "./sample-index.ts";

function sampleDocument() {
  const db = openMemoryIndex();
  storeDocument(db, sampleRecord("other.md"), [sampleChunk(0, "of another document")]);
  const chunks = [0, 1, 2, 3].map((index) => sampleChunk(index, `text ${index}`, { tokenCount: 10 + index }));
  storeDocument(db, sampleRecord("a.md"), chunks);
  return { db, id: findDocument(db, "a.md")!.id };
}

describe("listChunkSizes", () => {
  test("lists the chunks of one document, both ends included, in order", () => {
    const { db, id } = sampleDocument();
    const sizes = listChunkSizes(db, id, { from: 1, to: 2 });
    expect(sizes.map(({ index, tokenCount }) => [index, tokenCount])).toEqual([
      [1, 11],
      [2, 12],
    ]);
    expect(listChunkSizes(db, id, { from: -5, to: 99 })).toHaveLength(4);
    expect(countChunksOf(db, id)).toBe(4);
    db.close();
  });
});

describe("listChunkLines", () => {
  test("gives lines by id and leaves out what is gone", () => {
    const { db, id } = sampleDocument();
    const [, second] = listChunkSizes(db, id, { from: 0, to: 3 });
    const lines = listChunkLines(db, [second!.chunkId, 999 as ChunkId]);
    expect([...lines]).toEqual([[second!.chunkId, { start: 2, end: 2 }]]);
    db.close();
  });
});

describe("getVectors", () => {
  test("gives stored vectors in their direction, and none for a chunk without one", () => {
    const { db, id } = sampleDocument();
    const [first, second] = listChunkSizes(db, id, { from: 0, to: 3 });
    storeVectors(db, [{ chunkId: first!.chunkId, vector: Float32Array.of(3, -4) }]);
    const vectors = getVectors(db, [first!.chunkId, second!.chunkId]);
    expect([...vectors.keys()]).toEqual([first!.chunkId]);
    const [x, y] = vectors.get(first!.chunkId)!;
    expect(x! / y!).toBeCloseTo(-0.75, 1);
    db.close();
  });
});
