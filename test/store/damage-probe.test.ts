import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { findDamageInPassing } from "../../src/store/damage-probe.ts";
import { openIndex } from "../../src/store/open.ts";
import { indexOnce } from "../support/test-engine.ts";
import { TestFolder } from "../support/test-folder.ts";

async function indexedFile(folder: TestFolder): Promise<string> {
  for (let n = 0; n < 30; n++) folder.write(`${n}.md`, `# Note ${n}\n\nwords of the note ${n}\n`);
  await indexOnce(folder.path);
  return folder.at(".kb/index-1.db");
}

describe("findDamageInPassing", () => {
  test("finds nothing in an index that is as it should be", async () => {
    using folder = new TestFolder();
    using db = openIndex(await indexedFile(folder), { mode: "read" });
    expect(findDamageInPassing(db)).toBeUndefined();
  });

  test("finds the root page of a table overwritten", async () => {
    using folder = new TestFolder();
    const file = await indexedFile(folder);
    const page = rootPageOf(file, "documents");
    const bytes = readFileSync(file);
    bytes.fill(0x5a, (page - 1) * 8192, page * 8192);
    writeFileSync(file, bytes);
    using db = openIndex(file, { mode: "read" });
    expect(findDamageInPassing(db)).toBeString();
  });

  test("finds a text that cannot be taken out of its block", async () => {
    using folder = new TestFolder();
    const file = await indexedFile(folder);
    {
      using db = openIndex(file, { mode: "write" });
      db.run("UPDATE chunk_texts SET body = x'28b52ffd00'");
    }
    using db = openIndex(file, { mode: "read" });
    expect(findDamageInPassing(db)).toContain("cannot be read");
  });
});

function rootPageOf(file: string, table: string): number {
  using db = openIndex(file, { mode: "read" });
  return db.get<{ readonly rootpage: number }>("SELECT rootpage FROM sqlite_schema WHERE name = ?1", table)!
    .rootpage;
}
