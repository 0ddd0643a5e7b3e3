import { describe, expect, test } from "bun:test";
import { digestCorpus, visitTexts } from "../../src/store/corpus.ts";
import { deleteDocument } from "../../src/store/documents.ts";
import type { IndexDatabase } from "../../src/store/open.ts";
import { openMemoryIndex, sampleChunk, sampleRecord, storeDocument } from "./sample-index.ts";

const chunksOf = (texts: readonly string[]) =>
  texts.map((text, index) => sampleChunk(index, text, { heading: "H", context: "Title > H" }));

function store(db: IndexDatabase, documents: readonly (readonly [path: string, ...texts: string[]])[]): void {
  for (const [path, ...texts] of documents) storeDocument(db, sampleRecord(path), chunksOf(texts));
}

function digestOf(...documents: (readonly [path: string, ...texts: string[]])[]): string {
  using db = openMemoryIndex();
  store(db, documents);
  return digestCorpus(db);
}

describe("digestCorpus", () => {
  const plain = digestOf(["a.md", "one", "two"], ["b.md", "three"]);

  test("is the same for equal content, in whatever order and after whatever history", () => {
    expect(plain).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf(["b.md", "three"], ["a.md", "one", "two"])).toBe(plain);
    using db = openMemoryIndex();
    const gone = storeDocument(db, sampleRecord("c.md"), chunksOf(["gone"]));
    store(db, [
      ["b.md", "old"],
      ["a.md", "one", "two"],
      ["b.md", "three"],
    ]);
    deleteDocument(db, gone);
    expect(digestCorpus(db)).toBe(plain);
  });

  test.each([
    ["a text", digestOf(["a.md", "one", "2"], ["b.md", "three"])],
    ["a path", digestOf(["a.md", "one", "two"], ["c.md", "three"])],
    ["the order of texts", digestOf(["a.md", "two", "one"], ["b.md", "three"])],
    ["which document has a text", digestOf(["a.md", "one"], ["b.md", "two", "three"])],
    ["a document less", digestOf(["a.md", "one", "two"])],
    ["nothing at all", digestOf()],
  ])("changes with %s", (_, digest) => {
    expect(digest).not.toBe(plain);
  });
});

describe("visitTexts", () => {
  test("shows every text once, with its document", () => {
    using db = openMemoryIndex();
    const long = Array.from({ length: 60 }, (_, at) => `part ${at} ${"word ".repeat(100)}`);
    store(db, [
      ["a.md", "one", "two"],
      ["long.md", ...long],
      ["ü.md", "本文"],
    ]);
    const seen = new Map<string, string[]>();
    visitTexts(db, (path, texts) => {
      for (const { content, heading, context } of texts) {
        expect({ heading, context }).toEqual({ heading: "H", context: "Title > H" });
        seen.set(path, [...(seen.get(path) ?? []), content]);
      }
    });
    expect(seen.get("a.md")?.sort()).toEqual(["one", "two"]);
    expect(seen.get("ü.md")).toEqual(["本文"]);
    expect(seen.get("long.md")?.sort()).toEqual([...long].sort());
  });
});
