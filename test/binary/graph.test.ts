/**
 * `kb graph` and `get_connection_graph` on the compiled program: every format, broken links, and what is refused.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { RawClient } from "../support/mcp-client.ts";
import { runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";
import { elementsOf } from "../support/well-formed-xml.ts";

setDefaultTimeout(120_000);

const EVIL = '"><script>alert(1)</script>';
const folder = new TestFolder();
beforeAll(async () => {
  folder.write(
    "手順/起動.md",
    "# 起動の手順\n\nポンプを起動する前に弁を開く。[停止](停止.md) と [[点検]] を見る。[無い](無い.md)\n",
  );
  folder.write("手順/停止.md", "# 停止の手順\n\nポンプを止めてから弁を閉じる。\n");
  folder.write("点検.md", `# 点検 ${EVIL}\n\n弁とポンプの点検は毎月行う。\n`);
  folder.write("refers.md", "# Refers\n\nSee [start](%E6%89%8B%E9%A0%86/%E8%B5%B7%E5%8B%95.md#x).\n");
  await runJson(["index", folder.path]);
});
afterAll(() => folder[Symbol.dispose]());

const graph = (...args: readonly string[]) => runKb(["graph", ...args, "--kb", folder.path]);
const START = "手順/起動.md";

describe("kb graph", () => {
  test("tells links both ways and what is similar, by stored vectors alone", async () => {
    const answer = await runJson(["graph", START, "--kb", folder.path]);
    const why = Object.fromEntries(answer.nodes.map((node: WireValue) => [node.path, node.why]));
    expect(why).toEqual({
      [START]: "start",
      "手順/停止.md": "links_to",
      "点検.md": "links_to",
      "refers.md": "linked_from",
    });
    expect(answer.broken_links).toEqual([{ line: 3, target: "無い.md" }]);
    const apart = await runJson(["graph", "手順/停止.md", "--kb", folder.path, "--depth", "1"]);
    expect(apart.nodes.map((node: WireValue) => node.why)).toEqual([
      "start",
      "linked_from",
      "similar",
      "similar",
    ]);
    expect(apart.nodes[2].score).toBeGreaterThan(0.3);
  });

  test("prints a tree as text", async () => {
    const { code, stdout } = await graph(START);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `${START}: links to 2, linked from 1, 0 external, 1 broken\nbroken: line 3: 無い.md\n`,
    );
    expect(stdout).toContain("  [links to, line 3] 手順/停止.md:3-3 — 停止の手順\n");
  });

  test("draws, and nothing in a title gets out of its label", async () => {
    const svg = await graph(START, "--format", "svg");
    expect(elementsOf(svg.stdout.trim())[0]).toBe("svg");
    expect(svg.stdout).not.toContain("<script");
    expect((await graph(START, "--format", "dot")).stdout).toStartWith("digraph connections {\n");
    const { stdout: mermaid } = await graph(START, "--format", "mermaid");
    expect(mermaid).toStartWith("flowchart LR\n");
    expect(mermaid).not.toContain("<script");
  });

  test("lists the broken links of the folder, and is done", async () => {
    const { code, stdout, stderr } = await graph("--broken");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${START}:3: 無い.md\n` });
    expect(stderr).toContain("1 broken links");
    expect(await runJson(["graph", "--broken", "--kb", folder.path])).toEqual({
      documents: 4,
      links: 4,
      external: 0,
      broken: [{ path: START, line: 3, target: "無い.md" }],
    });
  });

  test.each<[string, readonly string[], number, string]>([
    ["no path", [], 2, "kb graph --broken"],
    ["a path beside --broken", ["a.md", "--broken"], 2, "takes no path"],
    ["a drawing of broken links", ["--broken", "--format", "svg"], 2, "cannot be drawn as svg"],
    ["an unknown format", ["a.md", "--format", "png"], 2, "mermaid"],
    ["a depth that is no number", ["a.md", "--depth", "two"], 2, "--depth takes a whole number"],
    [
      "a similarity that is no number",
      ["a.md", "--min-similarity", "high"],
      2,
      "--min-similarity takes a number",
    ],
    ["an unknown strategy", ["a.md", "--seed-strategy", "middle"], 2, "all_chunks, all-chunks, centroid"],
    ["an unknown option", ["a.md", "--dept", "2"], 2, "Did you mean --depth?"],
    ["an unknown document", ["手順/起勤.md"], 3, "Did you mean 手順/起動.md?"],
  ])("refuses %s", async (_, args, expectedCode, part) => {
    const { code, stdout, stderr } = await graph(...args);
    expect({ code, stdout }).toEqual({ code: expectedCode, stdout: "" });
    expect(stderr).toContain(part);
  });

  test("needs an index", async () => {
    using empty = new TestFolder();
    const { code, stderr } = await runKb(["graph", "a.md", "--kb", empty.path]);
    expect(code).toBe(3);
    expect(stderr).toContain("kb index");
  });
});

describe("get_connection_graph", () => {
  test("answers as kb graph --json does", async () => {
    await using client = new RawClient(["--kb", folder.path, "--no-index"]);
    await client.initialize();
    const { structuredContent, content } = await client.callTool("get_connection_graph", {
      start: START,
      depth: 1,
    });
    const { stats: _, ...cli } = await runJson(["graph", START, "--depth", "1", "--kb", folder.path]);
    const { stats: __, ...mcp } = structuredContent;
    expect(mcp).toEqual(cli);
    expect(content[0].text).toContain("[links to, line 3] 手順/停止.md:3-3");
    client.checkStdout();
  });

  test("refuses what it cannot do, naming the nearest", async () => {
    await using client = new RawClient(["--kb", folder.path, "--no-index"]);
    await client.initialize();
    const unknown = await client.callTool("get_connection_graph", { start: "refer.md" });
    expect(unknown.isError).toBe(true);
    expect(unknown.content[0].text).toContain("Did you mean refers.md?");
    const misspelt = await client.callTool("get_connection_graph", { start: START, fanout: 2 });
    expect(misspelt.content[0].text).toContain("Did you mean fan_out?");
  });
});
