/**
 * What the store's tests run in processes of their own: `store-program.ts <verb> <path> [argument]`.
 * A verb that has got somewhere prints one line; the tests wait for it.
 */
import { AppError } from "../../../src/errors.ts";
import { createIndexLocation } from "../../../src/store/index-location.ts";
import { openIndex } from "../../../src/store/open.ts";
import { searchPhrases } from "../../../src/store/phrases-leg.ts";
import { readStatusCounts } from "../../../src/store/status-counts.ts";
import { readInTransaction, writeInTransaction } from "../../../src/store/transaction.ts";
import { acquireWriterLock } from "../../../src/store/writer-lock.ts";
import { addDocument } from "../sample-index.ts";

const verbs: Readonly<Record<string, (path: string, argument: string) => unknown>> = {
  /** Opens the index of a folder for writing at a moment given in Unix milliseconds. */
  open(directory, moment) {
    Bun.sleepSync(Math.max(0, Number(moment) - Date.now()));
    using db = openIndex(createIndexLocation(directory), { mode: "write" });
    return readStatusCounts(db).documents;
  },

  /** Reads until `done.md` is there, checking that every view is whole. */
  watch(file) {
    using db = openIndex(file, { mode: "read" });
    for (let views = 1; ; views++) {
      const [found, { documents, chunks }] = readInTransaction(
        db,
        () => [searchPhrases(db, '"shared"', { poolSize: 10_000 }).length, readStatusCounts(db)] as const,
      );
      if (found !== chunks || chunks !== documents * 2) return `broken view: ${found} ${chunks} ${documents}`;
      if (db.get("SELECT 1 FROM documents WHERE path = 'done.md'") !== undefined) return `whole ${views > 1}`;
    }
  },

  /** Begins to write and never ends. */
  hang(file) {
    using db = openIndex(file, { mode: "write" });
    writeInTransaction(db, () => {
      for (let n = 0; n < 500; n++)
        addDocument(db, `half${n}.md`, `half written ${n} ${"text ".repeat(500)}`);
      console.log("writing");
      Bun.sleepSync(60_000);
    });
  },

  lock(directory) {
    using _lock = acquireWriterLock(directory);
    console.log("locked");
    Bun.sleepSync(60_000);
  },

  /** Takes the lock at a moment, and holds it while the others try. */
  race(directory, moment) {
    Bun.sleepSync(Math.max(0, Number(moment) - Date.now()));
    using _lock = acquireWriterLock(directory);
    Bun.sleepSync(1500);
    return "won";
  },

  /** Counts the chunks with a word, as a user without rights, until the count changes. */
  reread(file, word) {
    dropRights();
    using db = openIndex(file, { mode: "read" });
    const count = () => searchPhrases(db, `"${word}"`, { poolSize: 10 }).length;
    const first = count();
    console.log(first);
    for (;;) {
      Bun.sleepSync(20);
      if (count() !== first) return count();
    }
  },

  /** Opens and asks, as a user without rights, until there is `done.md`; tells what it saw of the order of writes. */
  follow(file) {
    dropRights();
    let seen = 0;
    for (let looks = 0; ; looks++) {
      using db = openIndex(file, { mode: "read" });
      for (let times = 0; times < 5; times++) {
        const { documents } = readInTransaction(db, () => readStatusCounts(db));
        if (documents < seen) return `went back from ${seen} to ${documents}`;
        seen = documents;
        if (db.get("SELECT 1 FROM documents WHERE path = 'done.md'") !== undefined)
          return `done ${looks > 1}`;
      }
    }
  },

  /** Counts the chunks with a word once, as a user without rights. */
  read(file, word) {
    dropRights();
    using db = openIndex(file, { mode: "read" });
    return searchPhrases(db, `"${word}"`, { poolSize: 10 }).length;
  },
};

function dropRights(): void {
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}

const [verb = "", path = "", argument = ""] = process.argv.slice(2);
try {
  const answer = verbs[verb]!(path, argument);
  if (answer !== undefined) console.log(String(answer));
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.log(`${error.code}: ${error.message}`);
  process.exitCode = 3;
}
