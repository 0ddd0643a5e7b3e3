import { describe, expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { carryVectorsOver } from "../../src/store/carried-vectors.ts";
import { storeVectors } from "../../src/store/chunks.ts";
import { findInconsistencies } from "../../src/store/consistency.ts";
import { adoptIdentity, readIdentity } from "../../src/store/identity.ts";
import { type IndexDatabase, openIndex } from "../../src/store/open.ts";
import { HashEmbedder } from "../support/hash-embedder.ts";
import { TestFolder } from "../support/test-folder.ts";
import { addDocument, chunkIdsOf, countRows, openMemoryIndex } from "./sample-index.ts";

const { identity } = new HashEmbedder({ dims: 2 });

function makeOld(folder: TestFolder, damage: (db: IndexDatabase) => void = () => {}): string {
  const file = folder.at("old.db");
  using db = openIndex(file, { mode: "write" });
  adoptIdentity(db, identity);
  addDocument(db, "a.md", "first", "second");
  addDocument(db, "b.md", "third");
  storeVectors(
    db,
    chunkIdsOf(db, "a.md").map((chunkId, n) => ({ chunkId, vector: Float32Array.from([1, n]) })),
  );
  damage(db);
  return file;
}

/** The same texts elsewhere, and another one; nothing has a vector. */
function makeNew(): IndexDatabase {
  const db = openMemoryIndex();
  addDocument(db, "moved.md", "second", "third", "fourth");
  addDocument(db, "copy.md", "second");
  return db;
}

describe("carryVectorsOver", () => {
  test("gives every equal text its old vector, and leaves the others pending", () => {
    using folder = new TestFolder();
    using db = makeNew();
    expect(carryVectorsOver(db, makeOld(folder), identity)).toBe(2);
    expect(countRows(db)).toMatchObject({ chunks: 4, vectors: 2, pending: 2 });
    expect(readIdentity(db)).toEqual(identity);
    expect(findInconsistencies(db)).toEqual([]);
  });

  test.each<[what: string, damage: (db: IndexDatabase) => void]>([
    ["of another model", (db) => db.execute("UPDATE meta SET value = json_set(value, '$.revision', 'x')")],
    ["of another schema", (db) => db.execute("PRAGMA user_version = 2")],
    ["that contradicts itself", (db) => db.execute("INSERT INTO pending_vectors VALUES (1)")],
  ])("takes nothing from an index %s", (_what, damage) => {
    using folder = new TestFolder();
    using db = makeNew();
    expect(carryVectorsOver(db, makeOld(folder, damage), identity)).toBe(0);
    expect(readIdentity(db)).toBeUndefined();
  });

  test("takes nothing from a file that is cut off or not there", () => {
    using folder = new TestFolder();
    using db = makeNew();
    const file = makeOld(folder);
    truncateSync(file, 5000);
    expect(carryVectorsOver(db, file, identity)).toBe(0);
    expect(carryVectorsOver(db, folder.at("none.db"), identity)).toBe(0);
  });
});
