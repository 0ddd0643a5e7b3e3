import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { findInconsistencies } from "../../src/store/consistency.ts";
import { deleteDocument } from "../../src/store/documents.ts";
import { type IndexDatabase, openIndex } from "../../src/store/open.ts";
import { TestFolder } from "../support/test-folder.ts";
import { addDocument, addVectors, chunkIdsOf, openMemoryIndex } from "./sample-index.ts";

const whatOf = (db: IndexDatabase) => findInconsistencies(db).map(({ what }) => what);

/** Two documents with three passages, two of them with vectors. */
function sampleIndex(): IndexDatabase {
  const db = openMemoryIndex();
  addDocument(db, "a.md", "the first text", "the second text");
  addDocument(db, "b.md", "another text");
  addVectors(db, "a.md", [1, 0], [0, 1]);
  return db;
}

describe("findInconsistencies", () => {
  test("finds none in an empty index", () => {
    using db = openMemoryIndex();
    expect(findInconsistencies(db)).toEqual([]);
  });

  test("finds none after documents came and went", () => {
    using db = sampleIndex();
    addDocument(db, "a.md", "the first text, changed");
    deleteDocument(db, addDocument(db, "c.md", "short-lived", "gone soon"));
    expect(findInconsistencies(db)).toEqual([]);
  });

  const plants: [what: RegExp, statement: string][] = [
    [/^passages without a document: document \d+ #0/, "DELETE FROM documents WHERE path = 'b.md'"],
    [/^documents with passages missing: a\.md/, "UPDATE chunks SET chunk_index = 7 WHERE chunk_index = 1"],
    [/^documents of an unknown reading: a\.md; b\.md$/, "UPDATE documents SET reading_id = 999"],
    [/^passages that neither have a vector nor wait for one: b\.md #0$/, "DELETE FROM pending_vectors"],
    [
      /^passages that neither have a vector nor wait for one: a\.md #0; a\.md #1$/,
      "DELETE FROM chunk_vectors",
    ],
    [
      /^passages that have a vector and wait for one: a\.md #0$/,
      "INSERT INTO pending_vectors SELECT min(chunk_id) FROM chunk_vectors",
    ],
    [/^vectors without a passage: passage 999$/, "INSERT INTO pending_vectors VALUES (999)"],
    [/^vectors without a passage: passage 998$/, "INSERT INTO chunk_vectors VALUES (998, x'0102')"],
    [
      /^vectors of another length than the others: passage 2$/,
      "UPDATE chunk_vectors SET embedding = x'010203' WHERE chunk_id = 2",
    ],
    [
      /^passages missing in the full text \(chunk_phrases\): a\.md #0$/,
      "DELETE FROM chunk_phrases WHERE rowid = 1",
    ],
    [
      /^passages missing in the full text \(chunk_terms\): b\.md #0$/,
      "DELETE FROM chunk_terms WHERE rowid = 3",
    ],
    [
      /^full text without a passage \(chunk_terms\): passage 77$/,
      "INSERT INTO chunk_terms (rowid, content) VALUES (77, 'stray')",
    ],
    [/^texts without a passage: passage 50$/, "INSERT INTO chunk_texts VALUES (50, 'stray')"],
    [/^passages whose text is lost: b\.md #0$/, "DELETE FROM chunk_texts WHERE first_chunk_id = 3"],
    [
      /^passages whose text is lost: a\.md #0; a\.md #1$/,
      "UPDATE chunk_texts SET body = x'00' WHERE first_chunk_id = 1",
    ],
  ];
  test.each(plants)("finds %p", (what, statement) => {
    using db = sampleIndex();
    db.execute("PRAGMA foreign_keys = OFF");
    db.execute(statement);
    expect(whatOf(db)).toContainEqual(expect.stringMatching(what));
    for (const { remedy } of findInconsistencies(db)) expect(remedy).toBe("kb index --force");
  });

  test("finds documents without a passage", () => {
    using db = sampleIndex();
    for (const id of chunkIdsOf(db, "b.md")) {
      for (const table of ["chunk_phrases", "chunk_terms"])
        db.execute(`DELETE FROM ${table} WHERE rowid = ${id}`);
      db.execute(`DELETE FROM pending_vectors WHERE chunk_id = ${id}`);
      db.execute(`DELETE FROM chunk_texts WHERE first_chunk_id = ${id}`);
      db.execute(`DELETE FROM chunks WHERE id = ${id}`);
    }
    expect(whatOf(db)).toEqual(["documents without a passage: b.md"]);
  });

  test("names five of many and counts the rest", () => {
    using db = openMemoryIndex();
    for (let number = 0; number < 9; number++) addDocument(db, `${number}.md`, `text ${number}`);
    db.execute("DELETE FROM pending_vectors");
    expect(whatOf(db)).toEqual([
      "passages that neither have a vector nor wait for one: 0.md #0; 1.md #0; 2.md #0; 3.md #0; 4.md #0 and 4 more",
    ]);
  });

  test("reads an index that may not be written, and finds a page that is damaged", () => {
    using folder = new TestFolder();
    const file = folder.at("index-1.db");
    using writer = openIndex(file, { mode: "write" });
    for (let number = 0; number < 300; number++)
      addDocument(writer, `${number}.md`, `text of number ${number} with some words more to fill a page`);
    writer.close();
    {
      using reader = openIndex(file, { mode: "read" });
      expect(findInconsistencies(reader)).toEqual([]);
    }
    const bytes = readFileSync(file);
    const pageBytes = 8192;
    for (let page = 4; page * pageBytes < statSync(file).size; page++)
      bytes.fill(0xa5, page * pageBytes, page * pageBytes + 512);
    writeFileSync(file, bytes);
    using reader = openIndex(file, { mode: "read" });
    expect(whatOf(reader)).toEqual([expect.stringMatching(/^the index (?:file )?is damaged: /)]);
  });
});
