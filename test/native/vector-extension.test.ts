/** The vector extension loads into SQLite and works. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { locateVectorExtension } from "../../src/native/vector-extension.ts";

describe("locateVectorExtension", () => {
  test("names a file that SQLite loads", () => {
    using database = new Database(":memory:");
    database.loadExtension(locateVectorExtension("/nonexistent"));
    expect(database.query("SELECT vec_version() AS version").get()).toEqual({ version: "v0.1.9" });
  });
});
