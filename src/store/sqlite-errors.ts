/**
 * What SQLite says when it fails, turned into what the user can do about it.
 *
 * Used by the one door through which statements run (`open.ts`), so no other
 * module catches SQLite errors. A failure without a remedy (bad SQL, a broken
 * constraint) is a bug of ours and passes through unchanged.
 */
import type { SQLiteError } from "bun:sqlite";
import { AppError, type FailureCode } from "../errors.ts";

interface Remedy {
  readonly codes: RegExp;
  readonly failure: FailureCode;
  readonly what: string;
  readonly hint: string;
}

const REMEDIES: readonly Remedy[] = [
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    failure: "busy",
    what: "another process is using the index",
    hint: "Try again when the other `kb` has finished; `kb status` shows whether one is indexing.",
  },
  {
    codes: /^SQLITE_(CORRUPT|NOTADB)/,
    failure: "corrupt",
    what: "the index is damaged",
    hint: "Rebuild it with `kb index --force`; the documents themselves are not touched.",
  },
  {
    codes: /^SQLITE_FULL/,
    failure: "io",
    what: "the disk that holds the index is full",
    hint: "Free some space and run `kb index` again; what was written before is kept.",
  },
  {
    codes: /^SQLITE_(READONLY|PERM|AUTH)/,
    failure: "io",
    what: "the index may not be written",
    hint: "Check the permissions of the folder, or name a writable one with `index_dir` in kb.toml.",
  },
  {
    codes: /^SQLITE_(CANTOPEN|IOERR|NOLFS|PROTOCOL)/,
    failure: "io",
    what: "the index cannot be read or written",
    hint: "Check that the folder exists, that you may read it, and that its disk is mounted and healthy.",
  },
];

/** Said with the code of a wrong statement, when the pages that describe a table are damaged. */
const DAMAGE_MESSAGE = /^(?:invalid fts5 file format|vtable constructor failed|no such table: \w+$)/;

/**
 * The error to throw in place of `thrown`: an `AppError` of kind `busy`, `corrupt`
 * or `io` naming `file`, with the original as its cause; anything else unchanged.
 */
export function wrapSqliteError(thrown: unknown, file: string): unknown {
  if (!isSqliteError(thrown)) return thrown;
  const code = DAMAGE_MESSAGE.test(thrown.message) ? "SQLITE_CORRUPT" : (thrown.code ?? "");
  const remedy = REMEDIES.find(({ codes }) => codes.test(code));
  if (remedy === undefined) return thrown;
  return new AppError(remedy.failure, `${remedy.what}: ${file} (${code}: ${thrown.message})`, {
    hint: remedy.hint,
    cause: thrown,
  });
}

/**
 * Whether the file of the index is damaged, so that making it anew helps. Not so for what was
 * refused before it was looked into, such as a link or another program's file.
 */
export function isDamage(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && thrown.code === "corrupt" && thrown.cause !== undefined;
}

/** Whether SQLite said it. By its name, because `SQLiteError` answers `instanceof` for its own making only. */
export function isSqliteError(thrown: unknown): thrown is SQLiteError {
  return thrown instanceof Error && thrown.name === "SQLiteError";
}
