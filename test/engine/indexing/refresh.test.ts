/** Searches that bring the index up to date first, over a real folder. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Engine } from "../../../src/engine/engine.ts";
import type { RefreshPolicy } from "../../../src/engine/indexing/refresh.ts";
import { acquireWriterLock } from "../../../src/store/writer-lock.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

let folder: TestFolder;
let engine: Engine;
let embedder: HashEmbedder;
beforeEach(async () => {
  folder = new TestFolder();
  folder.write("old.md", "The boiler is in the cellar, behind the door.\n");
  folder.write("other.md", "The keys are with the caretaker in room seven.\n");
  await indexOnce(folder.path);
  embedder = new HashEmbedder();
  engine = testEngine(folder.path, embedder);
});
afterEach(async () => {
  await engine.close();
  folder[Symbol.dispose]();
});

async function search(refresh: RefreshPolicy, query = "zirconium valve") {
  const { results, index } = await engine.search({ query }, { refresh });
  return { paths: results.map(({ path }) => path), index, hits: results };
}

describe("a search with refresh", () => {
  test("auto takes a few changes in, vectors included, before it answers", async () => {
    folder.write("new.md", "The zirconium valve is on the roof since May.\n");
    folder.remove("old.md");
    const { paths, index, hits } = await search("auto");
    expect(paths).toEqual(["new.md", "other.md"]);
    expect(hits[0]!.scores.dense).toBeDefined();
    expect(index).toMatchObject({ state: "ready", vectors: 1 });
    expect(index.changed_files).toBeUndefined();
  });

  test("auto makes only the text searchable where vectors are still to be made", async () => {
    folder.write("unembedded.md", "A long list of parts follows here, one a line.\n");
    await indexOnce(folder.path, new HashEmbedder(), { vectors: false });
    folder.write("new.md", "The zirconium valve is on the roof since May.\n");
    const { paths, index } = await search("auto");
    expect(paths[0]).toBe("new.md");
    expect(index).toMatchObject({ state: "ready", pending: 2 });
    expect(embedder.embeddedPassages).toEqual([]);
  });

  test("auto only tells of many changes", async () => {
    for (let number = 0; number < 21; number++)
      folder.write(`new-${number}.md`, `The zirconium valve number ${number} is on the roof.\n`);
    const { paths, index } = await search("auto");
    expect(paths.toSorted()).toEqual(["old.md", "other.md"]);
    expect(index).toMatchObject({ state: "stale", changed_files: 21 });
  });

  test("auto answers from what is there while somebody else writes", async () => {
    using _lock = await acquireWriterLock(folder.at(".kb"));
    folder.write("new.md", "The zirconium valve is on the roof since May.\n");
    const { paths, index } = await search("auto");
    expect(paths.toSorted()).toEqual(["old.md", "other.md"]);
    expect(index).toMatchObject({ state: "indexing", changed_files: 1 });
  });

  test("auto writes nothing when nothing has changed", async () => {
    const before = folder.read(".kb/current");
    const { index } = await search("auto", "boiler");
    expect(index.indexed_at).toBe((await search("never", "boiler")).index.indexed_at);
    expect(folder.read(".kb/current")).toBe(before);
  });

  test("always takes all changes in, and makes the first index", async () => {
    for (let number = 0; number < 30; number++)
      folder.write(`new-${number}.md`, `The zirconium valve number ${number} is on the roof.\n`);
    expect((await search("always")).paths[0]).toStartWith("new-");
    using fresh = new TestFolder();
    fresh.write("a.md", "The zirconium valve.\n");
    const other = testEngine(fresh.path);
    expect((await other.search({ query: "valve" }, { refresh: "always" })).results).toHaveLength(1);
    await other.close();
  });

  test("never looks at the files of hits only", async () => {
    folder.write("new.md", "The zirconium valve is on the roof since May.\n");
    const { paths, index } = await search("never", "boiler");
    expect(paths).not.toContain("new.md");
    expect(index.state).toBe("ready");
  });
});
