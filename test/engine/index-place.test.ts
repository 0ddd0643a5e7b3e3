import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { openEngine } from "../../src/engine/engine.ts";
import { HashEmbedder } from "../support/hash-embedder.ts";
import { TestFolder } from "../support/test-folder.ts";

describe("an index whose folder cannot be made in the root", () => {
  test("is kept elsewhere, and leaves nothing there once it can be in the root", async () => {
    using home = new TestFolder();
    using folder = new TestFolder();
    const variables = { HOME: home.path, XDG_DATA_HOME: home.at("data") };
    const index = async (vectors: boolean) => {
      const engine = openEngine({
        root: { named: folder.path, mayUseCwd: false },
        configFile: undefined,
        environment: { variables, cwd: folder.path, platform: process.platform },
        embedder: new HashEmbedder(),
      });
      const signal = new AbortController().signal;
      const report = await engine.index({ force: false, verify: false, vectors, onProgress() {}, signal });
      await engine.close();
      return report;
    };
    folder.write("a.md", "# A\n\nSome words.\n");
    folder.write(".kb", "a file that is in the way");
    expect((await index(true)).index_file).toStartWith(home.at("data"));
    const places = () => readdirSync(home.at("data/kb/indexes"));
    expect(places()).toHaveLength(1);

    rmSync(folder.at(".kb"));
    expect((await index(false)).index_file).toStartWith(folder.at(".kb"));
    expect(places()).toHaveLength(1); // it has vectors that the new one still lacks
    await index(true);
    expect(places()).toEqual([]);
    expect(existsSync(folder.at(".kb/current"))).toBe(true);
  });
});
