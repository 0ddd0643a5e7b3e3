import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { listDocumentPaths } from "../../src/store/documents.ts";
import { openIndex } from "../../src/store/open.ts";
import { searchPhrases } from "../../src/store/phrases-leg.ts";
import { SCHEMA_VERSION } from "../../src/store/schema.ts";
import { readStatusCounts } from "../../src/store/status-counts.ts";
import { writeInTransaction } from "../../src/store/transaction.ts";
import { canMount, SmallDisk } from "../support/small-disk.ts";
import { TestFolder } from "../support/test-folder.ts";
import { startProgram } from "./programs/run-program.ts";
import { addDocument, VECTOR_EXTENSION } from "./sample-index.ts";

const failure = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text), hint: expect.any(String) });

let folder: TestFolder;
beforeAll(() => {
  folder = new TestFolder();
});
afterAll(() => folder[Symbol.dispose]());

/** A new index file with one document in it. */
function makeIndex(name: string): string {
  const file = folder.at(name);
  using db = openIndex(file, { mode: "write" });
  addDocument(db, "a.md", "first document");
  return file;
}

describe("openIndex", () => {
  test("creates an index, and finds it again", () => {
    using db = openIndex(makeIndex("new.db"), { mode: "read" });
    expect(listDocumentPaths(db)).toEqual(["a.md"]);
    expect(db.get<object>("SELECT * FROM pragma_journal_mode")).toEqual({ journal_mode: "wal" });
  });

  test("creates nothing in read mode", () => {
    const file = folder.at("none.db");
    expect(() => openIndex(file, { mode: "read" })).toThrow(failure("missing", file));
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, "");
    expect(() => openIndex(file, { mode: "read" })).toThrow(failure("missing", file));
  });

  test("does not let a reader write", () => {
    using db = openIndex(makeIndex("read.db"), { mode: "read" });
    expect(() => addDocument(db, "b.md", "text")).toThrow(failure("io", "read.db"));
  });

  test("proves the vector extension by a call, and says why it does without", () => {
    using whole = openIndex(":memory:", { mode: "write", vectorExtensionPath: VECTOR_EXTENSION });
    expect(whole.vectorEngine).toEqual({ name: "sqlite-vec", reason: undefined });
    const damaged = folder.at("vec0.so");
    writeFileSync(damaged, "no shared library");
    for (const vectorExtensionPath of [undefined, folder.at("nowhere.so"), damaged]) {
      const reason = vectorExtensionPath ?? "no vector extension";
      using db = openIndex(":memory:", { mode: "write", vectorExtensionPath });
      expect(db.vectorEngine).toEqual({ name: "js", reason: expect.stringContaining(reason) });
      const demanding = { vectorExtensionPath, isVectorExtensionRequired: true };
      expect(() => openIndex(":memory:", { mode: "write", ...demanding })).toThrow(failure("config", reason));
    }
  });

  test("does without a vector extension that computes wrong distances", () => {
    const library = readFileSync(VECTOR_EXTENSION, "latin1");
    const wrong = library
      .replaceAll("vec_distance_l2", "vec_distance_l0")
      .replaceAll("vec_distance_l1", "vec_distance_l2");
    const vectorExtensionPath = folder.at("wrong", "vec0.so");
    mkdirSync(folder.at("wrong"));
    writeFileSync(vectorExtensionPath, wrong, "latin1");
    using db = openIndex(":memory:", { mode: "write", vectorExtensionPath });
    expect(db.vectorEngine).toEqual({ name: "js", reason: expect.stringContaining("wrong distances") });
  });

  test("passes on why there is no vector extension", () => {
    using db = openIndex(":memory:", { mode: "write", vectorExtensionProblem: "it is Tuesday" });
    expect(db.vectorEngine).toEqual({ name: "js", reason: "it is Tuesday" });
  });

  test("checks how many parameters a statement gets", () => {
    using db = openIndex(":memory:", { mode: "write" });
    expect(() => db.all("SELECT ?1, ?2", 1)).toThrow("expected 2 values");
  });
});

describe("IndexDatabase.each", () => {
  test("shows rows in order, and leaves the connection usable when it is stopped half-way", () => {
    using db = openIndex(":memory:", { mode: "write" });
    addDocument(db, "a.md", "one", "two", "three");
    const select = "SELECT chunk_index AS n FROM chunks WHERE chunk_index > ?1 ORDER BY chunk_index";
    const seen: number[] = [];
    db.each<{ n: number }>(select, ({ n }) => seen.push(n), 0);
    expect(seen).toEqual([1, 2]);
    const stop = () => {
      throw new Error("enough");
    };
    expect(() => db.each(select, stop, -1)).toThrow("enough");
    addDocument(db, "b.md", "four");
    expect(db.all<{ n: number }>(select, 0)).toHaveLength(2);
  });
});

describe("openIndex of a damaged or foreign file", () => {
  const modes = ["read", "write"] as const;

  test.each(modes)("refuses garbage (%s)", (mode) => {
    const file = folder.at(`garbage-${mode}.db`);
    writeFileSync(file, "this is no database at all ".repeat(400));
    expect(() => openIndex(file, { mode })).toThrow(failure("corrupt", file));
  });

  test.each(modes)("refuses a truncated index (%s)", (mode) => {
    const file = makeIndex(`truncated-${mode}.db`);
    truncateSync(file, 8192 * 2);
    expect(() => openIndex(file, { mode })).toThrow(failure("corrupt", file));
  });

  test.each(modes)("refuses somebody else's database, and leaves it alone (%s)", (mode) => {
    const file = folder.at(`foreign-${mode}.db`);
    new Database(file).run("CREATE TABLE theirs (a)");
    const before = readFileSync(file);
    expect(() => openIndex(file, { mode })).toThrow(failure("corrupt", "not an index"));
    expect(readFileSync(file)).toEqual(before);
  });

  test.each(modes)("refuses another schema version, naming both, and leaves it alone (%s)", (mode) => {
    for (const version of [SCHEMA_VERSION + 1, SCHEMA_VERSION - 1]) {
      const file = makeIndex(`version-${mode}-${version}.db`);
      const other = new Database(file);
      other.run(`PRAGMA user_version = ${version}`);
      other.close();
      const before = readFileSync(file);
      expect(() => openIndex(file, { mode })).toThrow(
        failure("incompatible", `schema version ${version}, this kb reads version ${SCHEMA_VERSION}`),
      );
      expect(readFileSync(file)).toEqual(before);
    }
  });

  test("says that a folder is no index file", () => {
    expect(() => openIndex(folder.path, { mode: "write" })).toThrow(failure("io", folder.path));
  });
});

describe("openIndex in several processes", () => {
  test("succeeds for six that create the same index at the same instant", async () => {
    using place = new TestFolder();
    const moment = String(Date.now() + 700);
    const programs = Array.from({ length: 6 }, () => startProgram("open", place.at(".kb"), moment));
    expect(await Promise.all(programs.map((program) => program.answer()))).toEqual(Array(6).fill("0"));
  }, 20_000);

  test("shows two readers only whole transactions while one writes", async () => {
    const file = folder.at("watched.db");
    using db = openIndex(file, { mode: "write" });
    const readers = [startProgram("watch", file), startProgram("watch", file)];
    const answers = readers.map((reader) => reader.answer());
    const deadline = Date.now() + 1500;
    for (let n = 0; Date.now() < deadline; n++) {
      writeInTransaction(db, () => {
        for (let i = 0; i < 10; i++) addDocument(db, `${n}-${i}.md`, "shared one", "shared two");
      });
      Bun.sleepSync(5);
    }
    addDocument(db, "done.md", "shared one", "shared two");
    expect(await Promise.all(answers)).toEqual(["whole true", "whole true"]);
  }, 20_000);

  test("gives up waiting for another writer as busy", () => {
    const file = makeIndex("busy.db");
    using holder = openIndex(file, { mode: "write" });
    writeInTransaction(holder, () => {
      using other = openIndex(file, { mode: "write", busyTimeoutMs: 20 });
      expect(() => addDocument(other, "b.md", "text")).toThrow(failure("busy", file));
      using reader = openIndex(file, { mode: "read", busyTimeoutMs: 20 });
      expect(listDocumentPaths(reader)).toEqual(["a.md"]);
    });
  });

  test("finds what was committed before a writer was killed, and nothing of what was not", async () => {
    const file = makeIndex("killed.db");
    const writer = startProgram("hang", file);
    expect(await writer.nextLine()).toBe("writing");
    await writer.kill();
    if (existsSync(`${file}-shm`)) truncateSync(`${file}-shm`, 100);
    {
      using reader = openIndex(file, { mode: "read" });
      expect(listDocumentPaths(reader)).toEqual(["a.md"]);
    }
    using db = openIndex(file, { mode: "write" });
    addDocument(db, "b.md", "after the crash");
    expect(readStatusCounts(db)).toMatchObject({ documents: 2, chunks: 2 });
    expect(searchPhrases(db, '"half written"', { poolSize: 9 })).toEqual([]);
  }, 20_000);
});

describe.if(process.getuid?.() === 0)("openIndex without the right to write", () => {
  test("reads an index in a read-only folder, at rest and beside a writer", async () => {
    using place = new TestFolder();
    const file = place.at("index.db");
    const readAs = (word: string) => startProgram("read", file, word).answer();
    {
      using db = openIndex(file, { mode: "write" });
      addDocument(db, "a.md", "first document");
    }
    chmodSync(place.path, 0o555);
    expect(await readAs("first")).toBe("1");
    using db = openIndex(file, { mode: "write" });
    addDocument(db, "b.md", "second document");
    expect(await readAs("second")).toBe("1");
  }, 20_000);

  test("notices that somebody else has written after it was opened", async () => {
    using place = new TestFolder();
    const file = place.at("index.db");
    const write = (path: string) => {
      using db = openIndex(file, { mode: "write" });
      addDocument(db, path, "one document");
    };
    write("a.md");
    chmodSync(place.path, 0o555);
    const reader = startProgram("reread", file, "document");
    expect(await reader.nextLine()).toBe("1");
    write("b.md");
    expect(await reader.nextLine()).toBe("2");
  }, 20_000);
});

describe.if(process.getuid?.() === 0)("openIndex without the right to write, beside others", () => {
  test("answers whatever moment of a writer's coming and going it meets", async () => {
    using place = new TestFolder();
    const file = place.at("index.db");
    const write = (path: string) => {
      using db = openIndex(file, { mode: "write" });
      addDocument(db, path, "one document");
    };
    write("a.md");
    chmodSync(place.path, 0o555);
    const readers = [startProgram("follow", file), startProgram("follow", file)];
    const answers = readers.map((reader) => reader.answer());
    const deadline = Date.now() + 2500;
    for (let n = 0; Date.now() < deadline; n++) write(`${n}.md`);
    write("done.md");
    expect(await Promise.all(answers)).toEqual(["done true", "done true"]);
  }, 20_000);
});

describe.if(canMount)("openIndex on a full disk", () => {
  test("names the disk, keeps what was written, and goes on when there is space", () => {
    using disk = new SmallDisk("size=4m");
    const file = `${disk.path}/index.db`;
    using db = openIndex(file, { mode: "write" });
    addDocument(db, "a.md", "before the disk was full");
    const addMuch = () =>
      writeInTransaction(db, () => {
        for (let n = 0; n < 3000; n++) addDocument(db, `${n}.md`, `${n} ${crypto.randomUUID().repeat(40)}`);
      });
    expect(addMuch).toThrow(failure("io", "full"));
    expect(db.inTransaction).toBe(false);
    expect(listDocumentPaths(db)).toEqual(["a.md"]);
    disk.remount("size=64m");
    addMuch();
    expect(readStatusCounts(db).documents).toBe(3001);
  }, 20_000);
});
