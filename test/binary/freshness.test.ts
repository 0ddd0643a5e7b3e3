/**
 * Whether answers say that a document has changed, and whether a server mends it by itself.
 *
 * How changes are noticed is in `test/engine/search/freshness.test.ts`.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { RawClient } from "../support/mcp-client.ts";
import { runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const OLD = "# Valve\n\nThe zirconium valve is behind the boiler, and its key is in the office.\n";
const NEW = "# Valve\n\nThe zirconium valve is now on the roof, and its key is in the lighthouse.\n";

async function indexedFolder(): Promise<TestFolder> {
  const folder = new TestFolder();
  folder.write("valve.md", OLD);
  await runJson(["index", folder.path, "--no-vectors"]);
  return folder;
}

async function connected(folder: TestFolder, ...more: readonly string[]): Promise<RawClient> {
  const client = new RawClient(["--kb", folder.path, ...more]);
  await client.initialize();
  return client;
}

const search = (client: RawClient): Promise<WireValue> =>
  client.callTool("search", { query: "zirconium valve" });

async function untilReady(client: RawClient): Promise<WireValue> {
  for (;;) {
    const { structuredContent } = await search(client);
    if (structuredContent.index.state === "ready") return structuredContent;
    await Bun.sleep(50);
  }
}

describe("kb search", () => {
  test("says which file changed, and what to type", async () => {
    using folder = await indexedFolder();
    const ask = ["search", "zirconium valve", "--kb", folder.path, "--refresh", "never"];
    expect((await runJson(ask)).index.state).toBe("ready");
    folder.write("valve.md", NEW);
    expect((await runJson(ask)).index.state).toBe("stale");
    const { code, stderr } = await runKb(ask);
    expect(code).toBe(0);
    expect(stderr).toContain("valve.md has changed");
    expect(stderr).toContain(`kb index ${folder.path}`);
    await runJson(["index", folder.path, "--no-vectors"]);
    expect((await runJson(ask)).index.state).toBe("ready");
  });
});

describe("kb serve", () => {
  test("says from its first answer on that the index is being made", async () => {
    using folder = new TestFolder();
    folder.write("valve.md", OLD);
    await using client = await connected(folder);
    expect((await search(client)).structuredContent.index.state).toBe("indexing");
    expect((await untilReady(client)).results[0].content).toContain("office");
  });

  test("indexes a changed document after a search has found it, also if it does not watch", async () => {
    using folder = await indexedFolder();
    folder.write("kb.toml", "[watch]\nenabled = false\n");
    await using client = await connected(folder);
    await untilReady(client);
    folder.write("valve.md", NEW);
    const { structuredContent, content } = await search(client);
    expect(structuredContent.index.state).toBe("stale");
    expect(content[0].text).toContain('"valve.md" has changed');
    expect(content[0].text).toContain("ask again");
    expect((await untilReady(client)).results[0].content).toContain("lighthouse");
  });

  test("makes an index again that was removed", async () => {
    using folder = await indexedFolder();
    await using client = await connected(folder);
    await untilReady(client);
    folder.remove(".kb");
    expect((await untilReady(client)).results[0].path).toBe("valve.md");
    expect(folder.has(".kb/current")).toBe(true);
  });

  test("only says so with --no-index, and whom to ask", async () => {
    using folder = await indexedFolder();
    await using client = await connected(folder, "--no-index");
    folder.write("valve.md", NEW);
    for (let times = 0; times < 2; times++) {
      const { structuredContent, content } = await search(client);
      expect(structuredContent.index.state).toBe("stale");
      expect(content[0].text).toContain("Its owner brings the index up to date with: kb index");
    }
    folder.remove(".kb");
    for (let times = 0; times < 2; times++) {
      const { structuredContent, content } = await search(client);
      expect(structuredContent.index.state).toBe("missing");
      expect(content[0].text).toContain("Its owner makes one with: kb index");
      await Bun.sleep(100);
    }
    expect(folder.has(".kb")).toBe(false);
  });
});

describe("kb search --refresh", () => {
  test("auto, the default, answers from a file that was written a moment ago", async () => {
    using changed = TestFolder.copyOf(SAMPLE_FOLDER);
    await runJson(["index", changed.path]);
    changed.write("late.md", "# Late\n\nThe zirconium valve arrived this morning.\n");
    const asked = ["search", "zirconium valve", "--kb", changed.path];
    const before = await runJson([...asked, "--refresh", "never"]);
    expect(before.results.map((hit: WireValue) => hit.path)).not.toContain("late.md");
    const answer = await runJson(asked);
    expect(answer.results[0]).toMatchObject({ path: "late.md", scores: { dense: expect.anything() } });
    expect(answer.index).toMatchObject({ state: "ready", vectors: 1 });
  });

  test("refuses another word, naming what there is", async () => {
    const result = await runKb(["search", "x", "--kb", "/tmp", "--refresh", "often"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('--refresh is "often"');
    expect(result.stderr).toContain("auto, never or always");
  });
});
