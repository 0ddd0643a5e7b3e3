import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { storeVectors } from "../../src/store/chunks.ts";
import { searchDense } from "../../src/store/dense-leg.ts";
import { deleteDocument, listDocumentStates } from "../../src/store/documents.ts";
import { optimizeFullText, reclaimSpace } from "../../src/store/maintenance.ts";
import { openIndex } from "../../src/store/open.ts";
import { searchPhrases } from "../../src/store/phrases-leg.ts";
import { writeInTransaction } from "../../src/store/transaction.ts";
import { TestFolder } from "../support/test-folder.ts";
import { addDocument, chunkIdsOf, VECTOR_ENGINES, withEngine } from "./sample-index.ts";

const vectorOf = (n: number) => Float32Array.from({ length: 64 }, (_, d) => Math.sin((n + 1) * (d + 1)));

describe.each(VECTOR_ENGINES)("reclaimSpace (%s)", (engine) => {
  test("brings a file back to the size of a fresh one after most documents went, and changes no answer", () => {
    using folder = new TestFolder();
    const fill = (name: string, numbers: readonly number[]) => {
      const db = openIndex(folder.at(name), { mode: "write", ...withEngine(engine) });
      writeInTransaction(db, () => {
        for (const n of numbers) {
          addDocument(db, `${n}.md`, `document ${n} ${Bun.hash(String(n))} `.repeat(20));
          storeVectors(db, [{ chunkId: chunkIdsOf(db, `${n}.md`)[0]!, vector: vectorOf(n) }]);
        }
      });
      return db;
    };
    const every = Array.from({ length: 2000 }, (_, n) => n);
    const kept = every.filter((n) => n % 20 === 0);
    using db = fill("large.db", every);
    for (const [path, { id }] of listDocumentStates(db)) {
      if (Number.parseInt(path, 10) % 20 !== 0) deleteDocument(db, id);
    }
    const ask = () => [
      searchDense(db, vectorOf(41), { poolSize: 20 }),
      searchPhrases(db, '"document 4"', { poolSize: 20 }),
    ];
    const before = ask();
    expect(before.map(({ length }) => length)).toEqual([20, 6]);
    optimizeFullText(db);
    reclaimSpace(db);
    expect(ask()).toEqual(before);
    using fresh = fill("fresh.db", kept);
    optimizeFullText(fresh);
    for (const index of [db, fresh]) index.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    const [large, small] = ["large.db", "fresh.db"].map((name) => statSync(folder.at(name)).size) as [
      number,
      number,
    ];
    expect(large).toBeLessThanOrEqual(small * 1.3);
  });
});
