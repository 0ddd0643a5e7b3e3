import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { runTextStage } from "../../../src/engine/indexing/text-stage.ts";
import { openMemoryIndex } from "../../store/sample-index.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { NO_JOURNAL } from "../../support/no-journal.ts";
import { TestFolder } from "../../support/test-folder.ts";

test.each([
  ["is read again if it was skipped just after its last change", 0, 1],
  ["is taken as it was if it was skipped long after its last change", 3600_000, 0],
] as const)("a file of the same stat %s", async (_, laterMs, added) => {
  using folder = new TestFolder();
  using db = openMemoryIndex();
  const index = () =>
    runTextStage(folder.path, db, {
      walk: { extensions: ["md"], excludeDirs: [], hidden: false, gitignore: false },
      chunk: { maxTokens: 96, overlapTokens: 0 },
      verify: false,
      embedder: new HashEmbedder(),
      pool: { workers: 0 },
      onProgress() {},
      signal: new AbortController().signal,
      ...NO_JOURNAL,
      now: () => new Date(Date.now() + laterMs),
    });
  folder.write("a.md", new Uint8Array([0, 1, 2, 3]));
  expect(await index()).toMatchObject({ added: 0, skipped: [{ path: "a.md" }] });

  // As a clock of coarse steps would leave it.
  folder.write("a.md", "# Backups\n\nThe nightly backup runs at two.\n");
  const { size, mtimeNs, ctimeNs, ino } = statSync(folder.at("a.md"), { bigint: true });
  const values = [size, mtimeNs, ctimeNs, ino].map(String);
  db.run("UPDATE skipped SET size = ?1, mtime_ns = ?2, ctime_ns = ?3, inode = ?4", ...values);
  expect(await index()).toMatchObject({ added });
});
