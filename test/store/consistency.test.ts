import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { storeVectors } from "../../src/store/chunks.ts";
import { findInconsistencies, requireConsistency } from "../../src/store/consistency.ts";
import { adoptIdentity } from "../../src/store/identity.ts";
import { type IndexDatabase, openIndex } from "../../src/store/open.ts";
import { HashEmbedder } from "../support/hash-embedder.ts";
import { TestFolder } from "../support/test-folder.ts";
import { addDocument, chunkIdsOf, openMemoryIndex } from "./sample-index.ts";

const { identity } = new HashEmbedder({ dims: 2 });

/** Two documents, the first with vectors, the second without. */
function fill(db: IndexDatabase): void {
  adoptIdentity(db, identity);
  addDocument(db, "a.md", "first", "second", "third");
  const vector = Float32Array.from([1, 0]);
  storeVectors(
    db,
    chunkIdsOf(db, "a.md").map((chunkId) => ({ chunkId, vector })),
  );
  addDocument(db, "b.md", "fourth", "fifth");
}

const whatsOf = (db: IndexDatabase) => findInconsistencies(db).map(({ what }) => what);

describe("findInconsistencies", () => {
  test("finds nothing in an index that agrees with itself, full or empty", () => {
    using db = openMemoryIndex();
    expect(findInconsistencies(db)).toEqual([]);
    fill(db);
    expect(findInconsistencies(db)).toEqual([]);
    expect(() => requireConsistency(db)).not.toThrow();
  });

  test.each<[sql: string, ...whats: string[]]>([
    [
      "DELETE FROM documents WHERE path = 'b.md'",
      "passages without a document: document 2 #0; document 2 #1",
    ],
    ["DELETE FROM chunks WHERE id > 3", "documents without a passage: b.md", "vectors without a passage"],
    ["UPDATE chunks SET chunk_index = 7 WHERE id = 3", "documents with passages missing: a.md"],
    ["DELETE FROM readings", "documents of an unknown reading: a.md; b.md"],
    [
      "DELETE FROM pending_vectors WHERE chunk_id = 5",
      "passages that neither have a vector nor wait for one: b.md #1",
    ],
    [
      "DELETE FROM chunk_vectors",
      "passages that neither have a vector nor wait for one: a.md #0; a.md #1; a.md #2",
    ],
    ["INSERT INTO pending_vectors VALUES (1)", "passages that have a vector and wait for one: a.md #0"],
    ["INSERT INTO pending_vectors VALUES (77)", "vectors without a passage: passage 77"],
    ["UPDATE chunk_vectors SET embedding = x'00' WHERE chunk_id = 1", "vectors that are not of 2 numbers: 1"],
    [
      "UPDATE documents SET path = x'00' WHERE id = 2",
      "documents whose description is of the wrong kind: document 2",
    ],
    [
      "UPDATE documents SET tags = '[' WHERE id = 1",
      "documents whose description is of the wrong kind: document 1",
    ],
    [
      "UPDATE chunks SET line_end = 'x' WHERE id = 4",
      "passages whose description is of the wrong kind: passage 4",
    ],
    ["DROP TABLE spare_vectors; DROP TABLE chunk_vectors", "the index file is damaged"],
    ["DELETE FROM meta", "vectors that are not of any known number of numbers: 2"],
    ["UPDATE meta SET value = '{'", "the model that the index :memory: was made with cannot be read from it"],
    [
      "DELETE FROM chunk_phrases WHERE rowid = 2",
      "passages missing in the full text (chunk_phrases): a.md #1",
    ],
    ["DELETE FROM chunk_terms WHERE rowid = 4", "passages missing in the full text (chunk_terms): b.md #0"],
    [
      "INSERT INTO chunk_terms (rowid, content) VALUES (9, 'x')",
      "full text without a passage (chunk_terms): passage 9",
    ],
    [
      "UPDATE chunk_texts SET body = x'00'",
      "passages whose text is lost: a.md #0; a.md #1; a.md #2; b.md #0; b.md #1",
    ],
    ["DELETE FROM chunk_texts WHERE first_chunk_id > 1", "passages whose text is lost: b.md #0; b.md #1"],
    ["INSERT INTO chunk_texts VALUES (99, '')", "texts without a passage: passage 99"],
    [
      "UPDATE sqlite_sequence SET seq = 4",
      "passages numbered higher than the last number given out: b.md #1",
    ],
  ])("after %s says what is wrong", (sql, ...whats) => {
    using db = openMemoryIndex();
    fill(db);
    db.execute("PRAGMA foreign_keys = OFF");
    db.execute(sql);
    const found = whatsOf(db);
    for (const what of whats) expect(found).toContainEqual(expect.stringContaining(what));
    expect(() => requireConsistency(db)).toThrow(
      expect.objectContaining({ code: "corrupt", hint: expect.stringContaining("kb index --force") }),
    );
  });

  test("counts what it does not name", () => {
    using db = openMemoryIndex();
    for (let number = 10; number < 30; number++) addDocument(db, `${number}.md`, "text");
    db.execute("DELETE FROM pending_vectors");
    expect(whatsOf(db)).toEqual([
      "passages that neither have a vector nor wait for one: 10.md #0; 11.md #0; 12.md #0; 13.md #0; 14.md #0 and 15 more",
    ]);
  });

  test("finds damaged pages, also those of the full text, without the right to write", () => {
    using folder = new TestFolder();
    const file = folder.at("index.db");
    {
      using db = openIndex(file, { mode: "write" });
      fill(db);
      for (let number = 0; number < 200; number++)
        addDocument(db, `${number}.md`, `the text of number ${number} about ${number * 7919}`);
    }
    const bytes = readFileSync(file);
    const pages = bytes.length / 8192;
    let found = 0;
    for (let page = 2; page < pages; page++) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0xa5, page * 8192, page * 8192 + 300);
      writeFileSync(file, damaged);
      using db = openIndex(file, { mode: "read" });
      const [first] = findInconsistencies(db);
      if (first !== undefined) found++;
      expect(first?.remedy ?? "kb index --force").toBe("kb index --force");
    }
    expect(found).toBe(pages - 2);
  });
});
