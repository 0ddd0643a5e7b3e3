import { describe, expect, test } from "bun:test";
import { findLeftOvers } from "../../src/store/left-overs.ts";
import { TestFolder } from "../support/test-folder.ts";

describe("findLeftOvers", () => {
  test("finds none beside the generation in use, its own side files, the lock and foreign files", () => {
    using folder = new TestFolder();
    for (const name of [
      "index-2.db",
      "index-2.db-wal",
      "index-2.db-shm",
      "current",
      "writer.lock",
      ".gitignore",
      "a.txt",
      "index-x.db",
    ])
      folder.write(name, "12345");
    expect(findLeftOvers(folder.path, folder.at("index-2.db"))).toEqual({ files: [], bytes: 0 });
  });

  test("finds older and newer generations, and what publishing left, with their size", () => {
    using folder = new TestFolder();
    const leftOvers = [
      "current.12.6f1c0e9a-0000-4000-8000-000000000000",
      "index-1.db",
      "index-1.db-wal",
      "index-30.db",
    ];
    for (const name of [...leftOvers, "index-2.db"]) folder.write(name, "12345");
    expect(findLeftOvers(folder.path, folder.at("index-2.db"))).toEqual({
      files: leftOvers.map((name) => folder.at(name)),
      bytes: 20,
    });
  });
});
