/** A kb.toml that comes, changes or goes while a server runs counts from then on; one with mistakes is told and does not. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { RawClient } from "../support/mcp-client.ts";
import { runJson, type WireValue } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

test("settings reach a running server, its searches and its index", async () => {
  using folder = new TestFolder();
  folder.write("valve.md", "# Valves\n\nThe valve is green.\n");
  folder.write("old/valve.md", "# Valves\n\nThe valve was blue.\n");
  await runJson(["index", folder.path]);
  await using client = new RawClient(["--kb", folder.path]);
  const said = new Response(client.process.stderr).text();
  await client.initialize();
  const search = async () => (await client.callTool("search", { query: "valve" })).structuredContent;
  const searchUntil = async (isDone: (answer: WireValue) => boolean) => {
    for (;;) {
      const answer = await search();
      if (isDone(answer)) return answer;
      await Bun.sleep(100);
    }
  };
  const paths = ({ results }: WireValue) => results.map(({ path }: { path: string }) => path).sort();
  const has = (count: number) => (answer: WireValue) =>
    answer.index.state === "ready" && answer.results.length === count;
  await searchUntil(has(2));

  folder.write("kb.toml", '[index]\nexclude_dirs = ["old"]\n[search.fusion]\nmethod = "rrf"\n');
  expect((await search()).engine.fusion).toBe("rrf");
  expect(paths(await searchUntil(has(1)))).toEqual(["valve.md"]);

  folder.write("kb.toml", "[index]\nexclude_dirs = 7\n");
  const mistaken = await search();
  expect(mistaken).toMatchObject({ engine: { fusion: "rrf" }, results: [{ path: "valve.md" }] });
  expect(mistaken.index.state).toBe("stale");
  expect(mistaken.index.reason).toContain("kb.toml: index.exclude_dirs");
  expect(mistaken.index.reason).not.toContain(folder.path);
  const { content } = await client.callTool("search", { query: "valve" });
  expect(content[0].text).toContain("the settings have a mistake. kb.toml: index.exclude_dirs");

  folder.remove("kb.toml");
  const mended = await searchUntil(has(2));
  expect(mended.engine.fusion).toBe("convex");
  expect(mended.index.reason).toBeUndefined();
  expect(await client.closeInput()).toBe(0);
  const mistakes = (await said).split("\n").filter((line) => line.includes("stay in force"));
  expect(mistakes).toHaveLength(1);
});

test("settings that change the folder of the index move a running server along", async () => {
  using folder = new TestFolder();
  folder.write("valve.md", "# Valves\n\nThe valve is green.\n");
  await runJson(["index", folder.path]);
  const configFile = folder.write("own.toml", "");
  await using client = new RawClient(["--kb", folder.path, "--config", configFile]);
  await client.initialize();
  folder.write("own.toml", '[index]\nindex_dir = "elsewhere"\n');
  for (let state = ""; state !== "ready" || !folder.has("elsewhere"); await Bun.sleep(100))
    ({ state } = (await client.callTool("search", { query: "valve" })).structuredContent.index);
  const answer = await client.callTool("search", { query: "valve" });
  expect(answer.structuredContent.results).toHaveLength(1);
  expect(await client.closeInput()).toBe(0);
});
