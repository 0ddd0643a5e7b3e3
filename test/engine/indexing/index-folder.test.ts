import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import type { Embedder } from "../../../src/core/embedder.ts";
import { AppError } from "../../../src/errors.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

const NOTE =
  "# Backups\n\nThe nightly backup of the orders database runs at two and is kept for thirty days.\n";
const MINUTES = "# 議事録\n\n八月の定例会議では、検索基盤の移行時期と担当者を決めた。次回は九月に開く。\n";

describe("indexFolder", () => {
  test("adopts one of the builds that killed rebuilds left, and removes the others", async () => {
    using folder = new TestFolder();
    folder.write("a.md", "The boiler is in the cellar.\n");
    await indexOnce(folder.path);
    for (const name of ["index-2.db", "index-3.db"])
      copyFileSync(folder.at(".kb/index-1.db"), folder.at(".kb", name));
    folder.remove(".kb/current");
    await indexOnce(folder.path);
    expect(folder.list(".kb").filter((name) => name.endsWith(".db"))).toHaveLength(1);
  });

  test("indexes text and vectors, and a second run does nothing", async () => {
    using folder = new TestFolder();
    folder.write("ops/backups.md", NOTE);
    folder.write("minutes/2026-08.md", MINUTES);
    const embedder = new HashEmbedder();
    const first = await indexOnce(folder.path, embedder);
    expect(first).toMatchObject({ documents: 2, added: 2, unchanged: 0, skipped: [], interrupted: false });
    expect(first.vectors).toEqual({ coverage: 1, embedded: first.chunks, pending: 0 });

    const embedded = embedder.embeddedPassages.length;
    const second = await indexOnce(folder.path, embedder);
    expect(second).toMatchObject({ documents: 2, added: 0, updated: 0, removed: 0, unchanged: 2 });
    expect(embedder.embeddedPassages.length).toBe(embedded);
  });

  test("follows a change, and embeds nothing but what changed", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    folder.write("b.md", MINUTES);
    const embedder = new HashEmbedder();
    await indexOnce(folder.path, embedder);
    folder.write("a.md", NOTE.replace("thirty", "ninety"));
    const before = embedder.embeddedPassages.length;
    expect(await indexOnce(folder.path, embedder)).toMatchObject({ updated: 1, added: 0, unchanged: 1 });
    expect(embedder.embeddedPassages.slice(before).every((text) => text.includes("ninety"))).toBe(true);
  });

  test("a touched file with the same bytes is read, and nothing more", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    const embedder = new HashEmbedder();
    await indexOnce(folder.path, embedder);
    folder.write("a.md", NOTE);
    expect(await indexOnce(folder.path, embedder)).toMatchObject({ updated: 0, unchanged: 1 });
    expect(embedder.embeddedPassages.length).toBe(1);
  });

  test("follows a rename with all that comes from the path, and embeds nothing again", async () => {
    using folder = new TestFolder();
    folder.write("old/a.md", NOTE);
    const embedder = new HashEmbedder();
    await indexOnce(folder.path, embedder);
    folder.rename("old/a.md", "new/deep/b.md");
    expect(await indexOnce(folder.path, embedder)).toMatchObject({
      renamed: 1,
      added: 0,
      removed: 0,
      documents: 1,
    });
    expect(embedder.embeddedPassages.length).toBe(1);
    const engine = testEngine(folder.path, embedder);
    const { results } = await engine.search({ query: "nightly backup" });
    await engine.close();
    expect(results[0]).toMatchObject({ path: "new/deep/b.md", category: "new", topic: "deep" });
    expect(results[0]?.scores.dense).toBeDefined();
  });

  test("a deleted document leaves the index", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    folder.write("b.md", MINUTES);
    await indexOnce(folder.path);
    folder.remove("a.md");
    expect(await indexOnce(folder.path)).toMatchObject({ removed: 1, documents: 1 });
    const engine = testEngine(folder.path);
    const { results } = await engine.search({ query: "nightly backup" });
    await engine.close();
    expect(results.map((hit) => hit.path)).toEqual(["b.md"]);
  });

  test("a document that becomes empty or binary leaves the index and is listed with its reason", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    folder.write("b.md", MINUTES);
    await indexOnce(folder.path);
    folder.write("a.md", "");
    folder.write("b.md", new Uint8Array([0, 1, 2, 3, 255]));
    const report = await indexOnce(folder.path);
    expect(report).toMatchObject({ documents: 0, chunks: 0 });
    expect(report.skipped.map(({ path }) => path).sort()).toEqual(["a.md", "b.md"]);
    // Remembered, so that the next run does not read them again.
    expect((await indexOnce(folder.path)).skipped).toHaveLength(2);
  });

  test("what is skipped is forgotten once it can be read or is gone", async () => {
    using folder = new TestFolder();
    folder.write("a.md", new Uint8Array([0, 1, 2]));
    folder.write("b.md", new Uint8Array([0, 1, 2]));
    await indexOnce(folder.path);
    folder.write("a.md", NOTE);
    folder.remove("b.md");
    expect(await indexOnce(folder.path)).toMatchObject({ documents: 1, skipped: [] });
    const engine = testEngine(folder.path);
    expect(engine.status().skipped).toEqual([]);
    await engine.close();
  });

  test("without vectors everything is searchable by its words, and the next run makes them", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    const embedder = new HashEmbedder();
    expect((await indexOnce(folder.path, embedder, { vectors: false })).vectors).toEqual({
      coverage: 0,
      embedded: 0,
      pending: 1,
    });
    const engine = testEngine(folder.path, embedder);
    const answer = await engine.search({ query: "orders database" });
    await engine.close();
    expect(answer.degraded).toBe("dense");
    expect(answer.index).toMatchObject({ state: "ready", vectors: 0, pending: 1 });
    expect(answer.results[0]?.path).toBe("a.md");
    expect((await indexOnce(folder.path, embedder)).vectors).toEqual({
      coverage: 1,
      embedded: 1,
      pending: 0,
    });
  });

  test("stopped between two pages of vectors it is valid, and the next run goes on", async () => {
    using folder = new TestFolder();
    for (let note = 0; note < 150; note++)
      folder.write(`${note}.md`, `# Note ${note}\n\n${NOTE}\nNumber ${note}.\n`);
    const embedder = new HashEmbedder();
    const stop = new AbortController();
    const stopped = await indexOnce(folder.path, embedder, {
      signal: stop.signal,
      onProgress: ({ stage, done }) => stage === "vectors" && done > 0 && stop.abort(),
    });
    expect(stopped.interrupted).toBe(true);
    expect(stopped.vectors.pending).toBeGreaterThan(0);
    const resumed = await indexOnce(folder.path, embedder);
    expect(resumed.vectors).toEqual({ coverage: 1, embedded: stopped.vectors.pending, pending: 0 });
  });

  test("a failing model leaves the text indexed and says why", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    const broken: Embedder = Object.assign(new HashEmbedder(), {
      embedPassages: () => Promise.reject(new AppError("model", "the runtime refused the model")),
      embedQuery: () => Promise.reject(new AppError("model", "the runtime refused the model")),
    });
    const report = await indexOnce(folder.path, broken);
    expect(report).toMatchObject({ documents: 1, vectors: { embedded: 0, pending: 1 } });
    expect(report.vectors.problem).toContain("refused the model");
  });

  test("a search refuses an index made with another model, with both names and the command", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    await indexOnce(folder.path, new HashEmbedder({ revision: "1" }));
    const engine = testEngine(folder.path, new HashEmbedder({ revision: "2" }));
    const failure = await engine.search({ query: "backup" }).catch((thrown) => thrown);
    await engine.close();
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({
      code: "incompatible",
      message: expect.stringContaining("revision 1 / 2"),
      hint: expect.stringContaining("`kb index`"),
    });
  });

  test("a new generation takes the old one's place, and an interrupted one does not", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    await indexOnce(folder.path);
    const stop = new AbortController();
    stop.abort();
    await indexOnce(folder.path, new HashEmbedder(), { force: true, signal: stop.signal });
    expect(folder.read(".kb/current").trim()).toBe("index-1.db");
    await indexOnce(folder.path, new HashEmbedder(), { force: true });
    expect(folder.read(".kb/current").trim()).not.toBe("index-1.db");
    expect(existsSync(folder.at(".kb/index-1.db"))).toBe(false);
  });

  const removals: [what: string, force: boolean, remove: (folder: TestFolder) => void][] = [
    ["the index folder", false, (folder) => folder.remove(".kb")],
    ["the index folder of a new generation", true, (folder) => folder.remove(".kb")],
    ["`current`", false, (folder) => folder.remove(".kb/current")],
    [
      "the index folder, and somebody else made a new one",
      false,
      (folder) => {
        folder.remove(".kb");
        folder.write(".kb/current", "index-1.db\n");
        folder.write(".kb/index-1.db", "");
      },
    ],
  ];
  test.each(removals)("does not claim to be done when it lost %s", async (_what, force, remove) => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    await indexOnce(folder.path);
    folder.write("b.md", MINUTES);
    const onProgress = ({ stage }: { stage: string }) => {
      if (stage === "text") remove(folder);
    };
    await expect(indexOnce(folder.path, new HashEmbedder(), { force, onProgress })).rejects.toMatchObject({
      code: "io",
      hint: expect.stringContaining(`kb index ${folder.path}`),
    });
  });

  test("gives the same chunks and scores twice", async () => {
    const answers = [];
    for (let run = 0; run < 2; run++) {
      using folder = new TestFolder();
      folder.write(run === 0 ? "a.md" : "z.md", NOTE);
      await indexOnce(folder.path);
      folder.write("b.md", MINUTES);
      folder.write("a.md", NOTE);
      if (run === 1) folder.remove("z.md");
      await indexOnce(folder.path);
      const engine = testEngine(folder.path);
      answers.push((await engine.search({ query: "検索基盤 backup" })).results);
      await engine.close();
    }
    expect(answers[0]).toEqual(answers[1]!);
  });
});
