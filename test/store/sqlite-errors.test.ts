import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/errors.ts";
import { wrapSqliteError } from "../../src/store/sqlite-errors.ts";

function sqliteError(code: string, message = "said SQLite"): Error {
  return Object.assign(new Error(message), { name: "SQLiteError", code });
}

describe("wrapSqliteError", () => {
  test.each([
    ["SQLITE_BUSY", "busy"],
    ["SQLITE_BUSY_SNAPSHOT", "busy"],
    ["SQLITE_LOCKED", "busy"],
    ["SQLITE_CORRUPT", "corrupt"],
    ["SQLITE_CORRUPT_VTAB", "corrupt"],
    ["SQLITE_NOTADB", "corrupt"],
    ["SQLITE_FULL", "io"],
    ["SQLITE_READONLY", "io"],
    ["SQLITE_READONLY_DBMOVED", "io"],
    ["SQLITE_IOERR_WRITE", "io"],
    ["SQLITE_CANTOPEN", "io"],
  ])("makes %s a failure of kind %s with file, cause and hint", (code, kind) => {
    const cause = sqliteError(code);
    const wrapped = wrapSqliteError(cause, "/kb/index.db") as AppError;
    expect(wrapped).toBeInstanceOf(AppError);
    expect(wrapped.code).toBe(kind as AppError["code"]);
    expect(wrapped.message).toContain("/kb/index.db");
    expect(wrapped.message).toContain(code);
    expect(wrapped.cause).toBe(cause);
    expect(wrapped.hint).toBeString();
  });

  test.each([
    "invalid fts5 file format (found 0, expected 4 or 5) - run 'rebuild'",
    "vtable constructor failed: chunk_phrases",
    "no such table: chunks",
  ])("takes %p for damage, since all statements and tables are its own", (message) => {
    const cause = sqliteError("SQLITE_ERROR", message);
    expect(wrapSqliteError(cause, "f")).toMatchObject({ code: "corrupt", cause });
  });

  test("passes bugs and other errors through", () => {
    for (const error of [
      sqliteError("SQLITE_ERROR"),
      sqliteError("SQLITE_CONSTRAINT_UNIQUE"),
      new Error("SQLITE_BUSY"),
    ]) {
      expect(wrapSqliteError(error, "f")).toBe(error);
    }
  });
});
