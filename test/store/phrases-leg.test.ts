import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { DocumentId } from "../../src/core/document.ts";
import { deleteDocument } from "../../src/store/documents.ts";
import { searchPhrases } from "../../src/store/phrases-leg.ts";
import { addDocument, openMemoryIndex, sampleChunk, sampleRecord, storeDocument } from "./sample-index.ts";

const placesOf = (candidates: readonly { path: string; chunkIndex: number }[]) =>
  candidates.map(({ path, chunkIndex }) => `${path}#${chunkIndex}`);

describe("searchPhrases", () => {
  test("puts the chunk that says it more densely first, with positive scores", () => {
    using db = openMemoryIndex();
    addDocument(db, "long.md", `東京タワー ${"別の話をする文章。".repeat(20)}`);
    addDocument(db, "short.md", "東京タワーへ行く");
    for (let n = 0; n < 8; n++) addDocument(db, `other${n}.md`, "関係のない文章");
    const found = searchPhrases(db, '"東京タワー"', { poolSize: 10 });
    expect(placesOf(found)).toEqual(["short.md#0", "long.md#0"]);
    expect(found[0]!.raw).toBeGreaterThan(found[1]!.raw);
    expect(found[1]!.raw).toBeGreaterThan(0);
  });

  test("folds case and Latin accents", () => {
    using db = openMemoryIndex();
    addDocument(db, "a.md", "Le Café noir");
    expect(searchPhrases(db, '"cafe"', { poolSize: 5 })).toHaveLength(1);
  });

  describe("weights", () => {
    const fields = { heading: "needle here", context: "plain", content: "plain" };
    const swapped = [
      ["heading.md", fields],
      ["context.md", { ...fields, heading: "plain", context: "needle here" }],
      ["content.md", { ...fields, heading: "plain", content: "needle here" }],
    ] as const;

    test.each([
      ["heading.md", { heading: 9, context: 1, content: 1 }],
      ["context.md", { heading: 1, context: 9, content: 1 }],
      ["content.md", { heading: 1, context: 1, content: 9 }],
      ["heading.md", undefined],
    ])("lift %s with %p", (first, weights) => {
      using db = openMemoryIndex();
      for (const [path, { content, ...rest }] of swapped) {
        storeDocument(db, sampleRecord(path), [sampleChunk(0, content, rest)]);
      }
      for (let n = 0; n < 8; n++) addDocument(db, `z${n}.md`, "nothing of the kind");
      expect(searchPhrases(db, '"needle"', { poolSize: 3, weights })[0]?.path).toBe(first);
    });
  });

  test("orders ties by path in code points, then by chunk index, at the border of every pool too", () => {
    using db = openMemoryIndex();
    for (const path of ["\u{1f600}.md", "b.md", "ｚ.md", "B.md"])
      addDocument(db, path, "same words", "same words");
    const expected = [
      "B.md#0",
      "B.md#1",
      "b.md#0",
      "b.md#1",
      "ｚ.md#0",
      "ｚ.md#1",
      "\u{1f600}.md#0",
      "\u{1f600}.md#1",
    ];
    for (let poolSize = 0; poolSize <= 9; poolSize++) {
      expect(placesOf(searchPhrases(db, '"same"', { poolSize }))).toEqual(expected.slice(0, poolSize));
    }
  });

  test("answers the same whatever the order of indexing and whatever was there before", () => {
    const texts = ["one apple", "one apple pie", "two apples", "apple", "no fruit at all", "one apple"];
    const answer = (order: readonly number[]) => {
      using db = openMemoryIndex();
      addDocument(db, "gone.md", "apple apple apple");
      for (const n of order) addDocument(db, `${n}.md`, "apple before", texts[n]!);
      for (const n of order) addDocument(db, `${n}.md`, texts[n]!);
      deleteDocument(db, addDocument(db, "gone.md", "apple"));
      return searchPhrases(db, '"apple" OR "one"', { poolSize: 3 }).map(({ path, raw }) => [path, raw]);
    };
    expect(answer([5, 3, 1, 0, 2, 4])).toEqual(answer([0, 1, 2, 3, 4, 5]));
  });

  test("restricts before the limit: a filtered answer is the whole answer filtered", () => {
    using db = openMemoryIndex();
    const ids: DocumentId[] = [];
    for (let n = 0; n < 30; n++) {
      const chunks = [0, 1, 2].map((index) =>
        sampleChunk(index, `word ${"filler ".repeat((n * 7 + index * 3) % 11)}`, {
          quality: ((n + index) % 10) / 10,
        }),
      );
      ids.push(storeDocument(db, sampleRecord(`${n % 4}/${n}.md`), chunks));
    }
    const qualityOf = new Map(
      db
        .all<{ id: number; quality: number }>("SELECT id, quality FROM chunks")
        .map((row) => [row.id, row.quality]),
    );
    const documentOf = new Map(
      db
        .all<{ id: number; d: DocumentId }>("SELECT id, document_id AS d FROM chunks")
        .map((row) => [row.id, row.d]),
    );
    const all = searchPhrases(db, '"word"', { poolSize: 1000 });
    fc.assert(
      fc.property(
        fc.option(fc.subarray(ids), { nil: undefined }),
        fc.constantFrom(undefined, 0, 0.3, 0.75, 1),
        fc.integer({ min: 1, max: 40 }),
        (documentIds, minQuality, poolSize) => {
          const expected = all.filter(
            ({ chunkId }) =>
              (documentIds === undefined || documentIds.includes(documentOf.get(chunkId)!)) &&
              qualityOf.get(chunkId)! >= (minQuality ?? 0),
          );
          expect(searchPhrases(db, '"word"', { poolSize, documentIds, minQuality })).toEqual(
            expected.slice(0, poolSize),
          );
        },
      ),
    );
  });

  test("runs one statement for all phrases, and a second only for a tie at the border", () => {
    using db = openMemoryIndex();
    for (const [n, text] of ["aaa bbb", "aaa", "bbb ccc ddd", "ccc"].entries())
      addDocument(db, `${n}.md`, text);
    const statements: string[] = [];
    db.traceStatements((sql) => statements.push(sql));
    searchPhrases(db, '"aaa" OR "bbb" OR "ccc" OR "ddd"', { poolSize: 10 });
    expect(statements).toHaveLength(1);
    expect(statements[0]).toContain("MATCH");
    addDocument(db, "5.md", "ccc");
    statements.length = 0;
    searchPhrases(db, '"ccc"', { poolSize: 1 });
    expect(statements).toHaveLength(2);
    db.traceStatements(undefined);
    searchPhrases(db, '"ccc"', { poolSize: 1 });
    expect(statements).toHaveLength(2);
  });
});
