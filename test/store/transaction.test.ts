import { describe, expect, test } from "bun:test";
import { findMeta, setMeta } from "../../src/store/meta.ts";
import { openIndex } from "../../src/store/open.ts";
import { readInTransaction, writeInTransaction } from "../../src/store/transaction.ts";
import { overwriteFirstPage } from "../support/change-database.ts";
import { failureOf } from "../support/failure-of.ts";
import { TestFolder } from "../support/test-folder.ts";
import { addDocument, countRows, openMemoryIndex } from "./sample-index.ts";

const EMPTY = { documents: 0, chunks: 0, phrases: 0, terms: 0, texts: 0, pending: 0, vectors: 0 };

describe("writeInTransaction", () => {
  test("keeps everything and gives back the result", () => {
    using db = openMemoryIndex();
    const ids = writeInTransaction(db, () => [
      addDocument(db, "a.md", "one"),
      addDocument(db, "b.md", "two"),
    ]);
    expect(ids).toHaveLength(2);
    expect(countRows(db)).toMatchObject({ documents: 2, phrases: 2, pending: 2 });
  });

  test("leaves nothing when the body fails, in any table", () => {
    using db = openMemoryIndex();
    const fail = () =>
      writeInTransaction(db, () => {
        addDocument(db, "a.md", "one", "two");
        setMeta(db, "key", "value");
        throw new Error("in the middle");
      });
    expect(fail).toThrow("in the middle");
    expect(countRows(db)).toEqual(EMPTY);
    expect(findMeta(db, "key")).toBeUndefined();
    expect(db.inTransaction).toBe(false);
  });

  test("keeps nothing that may not be written any more, which is asked last", () => {
    const asked: number[] = [];
    let ask = () => {};
    using db = openIndex(":memory:", { mode: "write", beforeCommit: () => ask() });
    let mayWrite = true;
    ask = () => {
      asked.push(countRows(db).documents!);
      if (!mayWrite) throw new Error("lost");
    };
    addDocument(db, "a.md", "one");
    mayWrite = false;
    expect(() => writeInTransaction(db, () => addDocument(db, "b.md", "two"))).toThrow("lost");
    expect(asked).toEqual([1, 2]);
    expect(countRows(db)).toMatchObject({ documents: 1, phrases: 1 });
  });

  test("joins a running transaction, which takes all back", () => {
    using db = openMemoryIndex();
    const fail = () =>
      writeInTransaction(db, () => {
        writeInTransaction(db, () => addDocument(db, "a.md", "one"));
        throw new Error("afterwards");
      });
    expect(fail).toThrow("afterwards");
    expect(countRows(db)).toEqual(EMPTY);
  });

  test("refuses a body that returns a promise, and keeps nothing of it", () => {
    using db = openMemoryIndex();
    const body = async () => void addDocument(db, "a.md", "one");
    expect(() => writeInTransaction(db, body)).toThrow(TypeError);
    expect(countRows(db)).toEqual(EMPTY);
    expect(db.inTransaction).toBe(false);
  });
});

describe("readInTransaction", () => {
  test("gives back the result and ends the transaction, also after a failure", () => {
    using db = openMemoryIndex();
    expect(readInTransaction(db, () => findMeta(db, "key"))).toBeUndefined();
    const fail = () => {
      throw new Error("while reading");
    };
    expect(() => readInTransaction(db, fail)).toThrow("while reading");
    expect(db.inTransaction).toBe(false);
  });

  test("does not repeat at its end what the body has dealt with", () => {
    using folder = new TestFolder();
    const file = folder.at("index.db");
    openIndex(file, { mode: "write" }).close();
    overwriteFirstPage(file, "spare_vectors");
    using db = openIndex(file, { mode: "read" });
    const count = () => db.get("SELECT count(*) FROM spare_vectors");
    expect(readInTransaction(db, () => failureOf(count).code)).toBe("corrupt");
    expect(db.inTransaction).toBe(false);
    expect(readInTransaction(db, () => findMeta(db, "key"))).toBeUndefined();
  });
});
