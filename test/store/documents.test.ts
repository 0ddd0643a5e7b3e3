import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Chunk, ChunkId, DocumentId } from "../../src/core/document.ts";
import { getPassages, storeVectors } from "../../src/store/chunks.ts";
import { searchDense } from "../../src/store/dense-leg.ts";
import {
  deleteDocument,
  findDocument,
  listDocumentIds,
  listDocumentPaths,
  listDocumentStates,
  renameDocument,
  touchDocument,
} from "../../src/store/documents.ts";
import { searchPhrases } from "../../src/store/phrases-leg.ts";
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

describe("replaceDocument", () => {
  test("gives back every field of a document and of its chunks", () => {
    using db = openMemoryIndex();
    const record = sampleRecord("メモ/東京.md", {
      rawPath: new Uint8Array([0xe3, 0x83, 0x00, 0xff]),
      meta: { title: "東京", category: "メモ", topic: "旅", date: "2026-01-01", tags: ["a", 'b"c'] },
      warnings: ["odd header"],
      encoding: "shift_jis",
    });
    const chunk = sampleChunk(0, "本文\n二行目", {
      heading: "節",
      level: 2,
      headingPath: ["章", "節"],
      context: "東京 > 章 > 節",
      lines: { start: 3, end: 9 },
      quality: 0.25,
    });
    const id = storeDocument(db, record, [chunk]);
    expect(findDocument(db, "メモ/東京.md")).toEqual({ ...record, id });
    const [passage] = getPassages(db, chunkIdsOf(db, "メモ/東京.md"));
    expect(passage?.chunk).toEqual(chunk);
    expect(passage?.meta).toEqual(record.meta);
    expect(passage).toMatchObject({ documentId: id, path: record.path, encoding: "shift_jis" });
  });

  test("gives back any record exactly, and its chunks among those of other documents", () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    const record = fc.record({
      rawPath: fc.constantFrom("a.md", "A.md", new Uint8Array([0xff, 0x00])),
      meta: fc.record({
        title: text,
        category: fc.option(text),
        topic: fc.option(text),
        date: fc.option(text),
        tags: fc.array(text),
      }),
      warnings: fc.array(text),
      contentHash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytes.toHex()),
      size: fc.maxSafeNat(),
      mtimeNs: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      ctimeNs: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      inode: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      encoding: fc.constantFrom("utf-8", "shift_jis"),
      parserVersion: text,
      chunkerVersion: text,
      indexedAt: text,
    });
    const content = fc.record({
      content: text,
      repeat: fc.nat(300),
      heading: fc.option(text),
      context: text,
    });
    using db = openMemoryIndex();
    fc.assert(
      fc.property(record, fc.array(content, { maxLength: 40 }), (changes, contents) => {
        const expected = sampleRecord("a.md", changes);
        const chunks: Chunk[] = contents.map(({ content, repeat, heading, context }, index) =>
          sampleChunk(index, content.repeat(repeat), { heading, context, headingPath: [context, content] }),
        );
        addDocument(db, "before.md", "other", "other too");
        const id = storeDocument(db, expected, chunks);
        addDocument(db, "after.md", "other", "other too");
        expect(findDocument(db, "a.md")).toEqual({ ...expected, id });
        const passages = getPassages(db, chunkIdsOf(db, "a.md"));
        expect(passages.map(({ chunk }) => chunk)).toEqual(chunks);
        for (const { meta, encoding } of passages)
          expect({ meta, encoding }).toEqual({ meta: expected.meta, encoding: expected.encoding });
      }),
    );
  });

  test("leaves nothing of the version before it, and keeps the document's id", () => {
    using db = openMemoryIndex();
    const id = addDocument(db, "a.md", "alpha one", "alpha two");
    addVectors(db, "a.md", [1, 0], [0, 1]);
    expect(addDocument(db, "a.md", "beta")).toBe(id);
    expect(searchPhrases(db, '"alpha"', { poolSize: 9 })).toEqual([]);
    expect(searchPhrases(db, '"beta"', { poolSize: 9 })).toHaveLength(1);
    expect(countRows(db)).toEqual({
      documents: 1,
      chunks: 1,
      phrases: 1,
      terms: 1,
      texts: 1,
      pending: 1,
      vectors: 0,
    });
  });

  test("takes over the vector of an equal text of the old version and of another document", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "first", "second");
    addVectors(db, "a.md", [1, 0], [0, 1]);
    addDocument(db, "a.md", "new", "second", "first");
    addDocument(db, "b.md", "first");
    expect(countRows(db)).toMatchObject({ chunks: 4, pending: 1, vectors: 3 });
    const nearest = searchDense(db, Float32Array.of(1, 0), { poolSize: 2 });
    expect(nearest.map(({ path, chunkIndex }) => [path, chunkIndex])).toEqual([
      ["a.md", 2],
      ["b.md", 0],
    ]);
  });

  test("does not take over a vector made with another context", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "same");
    addVectors(db, "a.md", [1, 0]);
    storeDocument(db, sampleRecord("b.md"), [sampleChunk(0, "same", { context: "elsewhere" })]);
    expect(countRows(db)).toMatchObject({ pending: 1, vectors: 1 });
  });

  test("never uses a chunk id twice", () => {
    using db = openMemoryIndex();
    const id = addDocument(db, "a.md", "one");
    const [before] = chunkIdsOf(db, "a.md");
    deleteDocument(db, id);
    addDocument(db, "a.md", "one");
    expect(chunkIdsOf(db, "a.md")[0]).toBeGreaterThan(before!);
  });

  test("leaves the old version alone when a chunk is refused", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "kept text");
    addVectors(db, "a.md", [1, 0]);
    const before = countRows(db);
    const twice = [sampleChunk(0, "x"), sampleChunk(0, "y")];
    expect(() => storeDocument(db, sampleRecord("a.md"), twice)).toThrow("UNIQUE");
    expect(countRows(db)).toEqual(before);
    expect(searchPhrases(db, '"kept"', { poolSize: 9 })).toHaveLength(1);
    expect(db.inTransaction).toBe(false);
  });
});

describe("deleteDocument", () => {
  test("leaves no row of any kind", () => {
    using db = openMemoryIndex();
    const id = addDocument(db, "a.md", "one text", "two text");
    addDocument(db, "b.md", "other");
    addVectors(db, "a.md", [1, 0], [0, 1]);
    deleteDocument(db, id);
    expect(countRows(db)).toEqual({
      documents: 1,
      chunks: 1,
      phrases: 1,
      terms: 1,
      texts: 1,
      pending: 1,
      vectors: 0,
    });
    expect(searchPhrases(db, '"text"', { poolSize: 9 })).toEqual([]);
    expect(searchDense(db, Float32Array.of(1, 0), { poolSize: 9 })).toEqual([]);
  });

  test("takes an id that is gone already as done", () => {
    using db = openMemoryIndex();
    deleteDocument(db, 99 as DocumentId);
    expect(countRows(db)).toMatchObject({ documents: 0 });
  });
});

describe("listDocumentStates", () => {
  test("gives exact 64-bit stamps, in code point order of the paths", () => {
    using db = openMemoryIndex();
    for (const path of ["\u{1f600}.md", "ａ.md", "b.md", "a/z.md"]) addDocument(db, path, "x");
    const states = listDocumentStates(db);
    expect([...states.keys()]).toEqual(["a/z.md", "b.md", "ａ.md", "\u{1f600}.md"]);
    expect([...states.keys()]).toEqual(listDocumentPaths(db));
    expect([...listDocumentIds(db)]).toEqual([...states].map(([path, { id }]) => [path, id]));
    const { path: _path, meta: _meta, encoding: _e, warnings: _w, ...rest } = sampleRecord("b.md");
    expect(states.get("b.md")).toEqual({ ...rest, id: findDocument(db, "b.md")!.id });
  });
});

describe("renameDocument", () => {
  test("changes the path and its columns, and keeps chunks and vectors", () => {
    using db = openMemoryIndex();
    const id = addDocument(db, "old.md", "some text");
    addVectors(db, "old.md", [1, 0]);
    renameDocument(db, id, {
      path: "n/new.md",
      rawPath: "n/new.md",
      title: "new",
      category: "n",
      topic: null,
    });
    expect(findDocument(db, "old.md")).toBeUndefined();
    expect(findDocument(db, "n/new.md")?.meta).toMatchObject({ title: "new", category: "n" });
    expect(searchPhrases(db, '"some"', { poolSize: 1 })[0]?.path).toBe("n/new.md");
    expect(countRows(db)).toMatchObject({ pending: 0, vectors: 1 });
  });

  test("says that a document is gone", () => {
    using db = openMemoryIndex();
    const to = { path: "x", rawPath: "x", title: "x", category: null, topic: null };
    expect(() => renameDocument(db, 5 as DocumentId, to)).toThrow(
      expect.objectContaining({ code: "missing" }),
    );
  });
});

describe("touchDocument", () => {
  test("changes stamp, raw name and time, and nothing else", () => {
    using db = openMemoryIndex();
    const id = addDocument(db, "が.md", "text");
    const stamp = { size: 5_000_000_000, mtimeNs: 1n, ctimeNs: 2n, inode: 3n };
    const file = { path: "が.md", rawPath: "か\u3099.md", ...stamp };
    const indexedAt = "2026-02-03T04:05:06.000Z";
    touchDocument(db, id, file, indexedAt);
    expect(findDocument(db, "が.md")).toEqual({ ...sampleRecord("が.md"), id, ...file, indexedAt });
  });
});

describe("storeVectors across documents", () => {
  test("serves a later copy of a text without a second vector", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "copy");
    addDocument(db, "b.md", "copy");
    const [first] = chunkIdsOf(db, "a.md") as [ChunkId];
    expect(storeVectors(db, [{ chunkId: first, vector: Float32Array.of(1, 0) }])).toBe(2);
  });
});
