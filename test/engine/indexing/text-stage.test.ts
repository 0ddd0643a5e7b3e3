import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openBuiltinEmbedder } from "../../../src/embed/builtin-embedder.ts";
import type { PreparePoolOptions } from "../../../src/engine/indexing/prepare-pool.ts";
import { runTextStage, type TextStageOptions } from "../../../src/engine/indexing/text-stage.ts";
import type { IndexDatabase } from "../../../src/store/open.ts";
import { openMemoryIndex } from "../../store/sample-index.ts";
import { generateDocument, JAPANESE_BYTES } from "../../support/documents.ts";
import { NO_JOURNAL } from "../../support/no-journal.ts";
import { TestFolder } from "../../support/test-folder.ts";

type Content = string | Uint8Array;

const anyContent: fc.Arbitrary<Content> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.nat(9999), fc.integer({ min: 1, max: 12 })).map((of) => generateDocument(...of)),
  },
  { weight: 1, arbitrary: fc.constantFrom<Content>(...Object.values(JAPANESE_BYTES)) },
  { weight: 1, arbitrary: fc.constantFrom<Content>("", " \n\n", new Uint8Array([0, 1, 2, 255])) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "---\ntitle: [\n---\nBody.\n",
      "---\ndate: 7\ntags: {a: 1}\n---\n# T\n\nBody.\n",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 3000 }) },
);

async function indexText(
  root: string,
  db: IndexDatabase,
  pool: PreparePoolOptions,
  options: Partial<TextStageOptions> = {},
) {
  return runTextStage(root, db, {
    walk: { extensions: ["md", "txt"], excludeDirs: [], hidden: false, gitignore: false },
    verify: false,
    chunk: { maxTokens: 96, overlapTokens: 16 },
    embedder: openBuiltinEmbedder({ cacheFolder: "/nonexistent" }),
    pool,
    onProgress() {},
    signal: new AbortController().signal,
    ...NO_JOURNAL,
    now: () => new Date(0),
    ...options,
  });
}

/** Every row of every table that is really there, those of the full-text tables included. */
function rowsOf(db: IndexDatabase): Record<string, unknown[]> {
  const tables = db.all<{ readonly name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
  );
  return Object.fromEntries(tables.map(({ name }) => [name, db.all(`SELECT * FROM ${name}`)]));
}

describe("runTextStage", () => {
  test("writes the same rows with any number of workers", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyContent, { minLength: 140, maxLength: 220 }), async (contents) => {
        using folder = new TestFolder();
        for (const [n, content] of contents.entries())
          folder.write(`${n % 7}/${n}.${n % 5 === 0 ? "txt" : "md"}`, content);
        using alone = openMemoryIndex();
        const expected = await indexText(folder.path, alone, { workers: 0 });
        expect(expected.added).toBeGreaterThan(80);
        for (const workers of [1, 3]) {
          using db = openMemoryIndex();
          expect(await indexText(folder.path, db, { workers })).toEqual(expected);
          expect(rowsOf(db)).toEqual(rowsOf(alone));
        }
      }),
      { numRuns: 3 },
    );
  }, 60_000);

  test("stopped in the middle it leaves whole documents, and the next run adds the rest", async () => {
    using folder = new TestFolder();
    for (let n = 0; n < 900; n++) folder.write(`${n}.md`, generateDocument(n, 1));
    using db = openMemoryIndex();
    const stop = new AbortController();
    const stopped = await indexText(
      folder.path,
      db,
      { workers: 1 },
      { signal: stop.signal, onProgress: ({ stage }) => stage === "text" && stop.abort() },
    );
    expect(stopped.added).toBeGreaterThan(0);
    expect(stopped.added).toBeLessThan(900);
    expect(rowsOf(db)["documents"]).toHaveLength(stopped.added);

    const resumed = await indexText(folder.path, db, { workers: 1 });
    expect(resumed).toMatchObject({ added: 900 - stopped.added, unchanged: stopped.added });
    using alone = openMemoryIndex();
    await indexText(folder.path, alone, { workers: 0 });
    for (const table of ["documents", "chunks", "chunk_texts", "pending_vectors"])
      expect(rowsOf(db)[table]).toEqual(rowsOf(alone)[table]!);
  }, 30_000);
});
