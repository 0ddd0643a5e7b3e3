import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Engine } from "../../src/engine/engine.ts";
import { createServer, TOOLS } from "../../src/mcp/server.ts";
import { HashEmbedder } from "../support/hash-embedder.ts";
import { indexOnce, testEngine } from "../support/test-engine.ts";
import { TestFolder } from "../support/test-folder.ts";

const NOTE =
  "# Backups\n\nThe nightly backup of the orders database runs at two and is kept for thirty days.\n";

async function connect(engine: Engine, bugs: string[] = []): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([
    createServer({ engine, reportBug: (text) => bugs.push(text) }).connect(serverSide),
    client.connect(clientSide),
  ]);
  return client;
}

describe("createServer", () => {
  let folder: TestFolder;
  let engine: Engine;
  let client: Client;
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })) as CallToolResult;

  beforeAll(async () => {
    folder = new TestFolder();
    folder.write("ops/backups.md", NOTE);
    folder.write("ops/休暇.md", "# 休暇\n\n年次有給休暇は、入社から六か月たった日に十日が付与される。\n");
    await indexOnce(folder.path);
    engine = testEngine(folder.path);
    client = await connect(engine);
  });
  afterAll(async () => {
    await client.close();
    await engine.close();
    folder[Symbol.dispose]();
  });

  test("lists every tool with strict schemas, and says which only read", async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      "search",
      "get_document",
      "list_topics",
      "get_best_practice",
      "get_connection_graph",
      "rebuild_index",
    ]);
    expect(TOOLS.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));
    for (const tool of tools) {
      expect(tool.inputSchema).not.toHaveProperty("anyOf");
      expect(tool.inputSchema).not.toHaveProperty("oneOf");
      expect(tool.inputSchema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(tool.annotations).toMatchObject({
        readOnlyHint: tool.name !== "rebuild_index",
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(tool.description?.length).toBeGreaterThan(100);
    }
  });

  test("answers a search in two forms that agree, and that the client finds valid", async () => {
    const result = await call("search", { query: "nightly backup", limit: 1 });
    const answer = result.structuredContent as {
      results: { path: string; content: string; lines: { start: number } }[];
    };
    expect(answer.results[0]).toMatchObject({ path: "ops/backups.md", lines: { start: 3, end: 3 } });
    const [block] = result.content;
    const text = block?.type === "text" ? block.text : "";
    expect(text).toContain("ops/backups.md:3-3");
    expect(text).toContain(answer.results[0]?.content ?? "missing");
  });

  test("says that a quoted text occurs nowhere, in both forms", async () => {
    const result = await call("search", { query: '"thirty-one days" backup' });
    expect(result.structuredContent).toMatchObject({ query_info: { not_found: ["thirty-one days"] } });
    expect(JSON.stringify(result.content)).toContain("occurs in no passage");
  });

  test("groups, widens and explains in both forms, and the client finds them valid", async () => {
    const pumps = ["one", "two"].map(
      (name) => `## Pump ${name}\n\n${"The pump is drained in spring. ".repeat(20)}`,
    );
    using other = new TestFolder();
    other.write("pumps.md", `# Pumps\n\n${pumps.join("\n\n")}\n`);
    await indexOnce(other.path);
    const own = testEngine(other.path);
    const asking = await connect(own);
    const result = (await asking.callTool({
      name: "search",
      arguments: {
        query: '"pump is drained"',
        group_by: "document",
        mmr: true,
        parent_retriever: true,
        explain: true,
      },
    })) as CallToolResult;
    const narrow = (await asking.callTool({
      name: "search",
      arguments: { query: "pump", group_by: "document" },
    })) as CallToolResult;
    await asking.close();
    await own.close();
    const found = narrow.structuredContent as {
      results: { grouped: { lines: { start: number; end: number } }[] }[];
    };
    const { start, end } = found.results[0]!.grouped[0]!.lines;
    expect(JSON.stringify(narrow.content)).toContain(`lines ${start}-${end}`);
    const { results, explain } = result.structuredContent as {
      results: { content: string }[];
      explain: unknown;
    };
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ expanded_from: expect.anything(), explain: expect.anything() });
    expect(explain).toMatchObject({ order: "mmr" });
    const [block] = result.content;
    const text = block?.type === "text" ? block.text : "";
    expect(text).toContain(results[0]!.content);
    expect(results[0]!.content).toContain("## Pump one");
    expect(text).toContain("quoted text 0.500");
  });

  test("says which argument has no effect, in both forms", async () => {
    const result = await call("search", { query: "backup", mmr_lambda: 0.5 });
    expect(result.structuredContent).toMatchObject({ query_info: { ignored: ["mmr_lambda"] } });
    expect(JSON.stringify(result.content)).toContain("mmr_lambda has no effect without mmr");
  });

  test("says in both forms that an answer is unsure, and leaves it empty where that is asked for", async () => {
    const unsure = await call("search", { query: "volcanoes of Kenya" });
    expect(unsure.structuredContent).toMatchObject({
      low_confidence: true,
      confidence: { score: expect.any(Number), coverage: 0 },
    });
    expect(JSON.stringify(unsure.content)).toContain("Note: low confidence.");
    const sure = await call("search", { query: "nightly backup" });
    expect(sure.structuredContent).toMatchObject({ low_confidence: false, confidence: { coverage: 1 } });
    expect(JSON.stringify(sure.content)).not.toContain("low confidence");
    const empty = await call("search", { query: "volcanoes of Kenya", min_confidence_ratio: 0.5 });
    expect(empty.structuredContent).toMatchObject({
      results: [],
      filter_applied: { min_confidence_ratio: 0.5 },
    });
    expect(JSON.stringify(empty.content)).toContain("below the 0.5 asked for");
  });

  test("reads a document, in Japanese too", async () => {
    const result = await call("get_document", { path: "ops/休暇.md", start_line: 3 });
    expect(result.structuredContent).toMatchObject({
      lines: { start: 3, end: 3 },
      total_lines: 3,
      truncated: false,
    });
  });

  test.each([
    ["search", { querry: "x" }, ["querry", "Did you mean query?"]],
    ["search", { query: "x", limt: 3 }, ["limt", "Did you mean limit?"]],
    ["search", { query: "x", limit: "5" }, ["limit", '"5"']],
    ["search", { query: "x", limit: -1 }, ["limit", "-1"]],
    ["search", { query: "x", limit: 1.5 }, ["limit", "1.5"]],
    ["search", { query: "x", mmr_lambda: 2 }, ["mmr_lambda", "2"]],
    ["search", { query: "x", group_by: "path" }, ["group_by", "path"]],
    ["search", { query: 7 }, ["query", "7"]],
    ["search", { query: "x", min_confidence_ratio: 2 }, ["min_confidence_ratio", "2"]],
    ["search", {}, ["query"]],
    ["search", { query: "x", path_globs: ["["] }, ["glob", "["]],
    ["search", { query: "x".repeat(20_000) }, ["20000 bytes", "16384"]],
    ["get_document", { path: "ops/backups.md", start_line: 0 }, ["start_line", "0"]],
    ["get_document", { path: "ops/backups.md", lines: "1:2" }, ["lines"]],
    ["get_connection_graph", { start: "ops/backups.md", dept: 2 }, ["dept", "Did you mean depth?"]],
    ["get_connection_graph", { start: "ops/backups.md", depth: -1 }, ["depth", "-1"]],
    [
      "get_connection_graph",
      { start: "ops/backups.md", seed_strategy: "middle" },
      ["seed_strategy", "middle", "all_chunks, all-chunks, centroid"],
    ],
    [
      "get_connection_graph",
      { start: "ops/backups.md", exclude_paths: ["x".repeat(70_000)] },
      ["exclude_paths", "65536"],
    ],
  ])("refuses %s with %p, naming what is wrong", async (tool, input, parts) => {
    const result = await call(tool, input);
    expect(result.isError).toBe(true);
    const [block] = result.content;
    const text = block?.type === "text" ? block.text : "";
    expect(text.startsWith("usage: ")).toBe(true);
    for (const part of parts) expect(text).toContain(part);
    expect(text.length).toBeLessThan(1000);
  });

  test("shows what is connected with a document in two forms that agree, and that the client finds valid", async () => {
    const result = await call("get_connection_graph", { start: "ops/backups.md", min_similarity: 0 });
    const { nodes, start_path } = result.structuredContent as {
      nodes: { path: string }[];
      start_path: string;
    };
    expect(start_path).toBe("ops/backups.md");
    const [block] = result.content;
    const text = block?.type === "text" ? block.text : "";
    for (const { path } of nodes) expect(text).toContain(path);
    const unknown = await call("get_connection_graph", { start: "ops/backup.md" });
    expect(unknown.isError).toBe(true);
    expect(JSON.stringify(unknown.content)).toContain("Did you mean ops/backups.md?");
  });

  test("refuses an unknown tool by naming the nearest", async () => {
    expect(client.callTool({ name: "serach", arguments: {} })).rejects.toThrow("Did you mean search?");
  });

  test("a failure reaches the agent with its code and remedy", async () => {
    const result = await call("get_document", { path: "ops/backup.md" });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain("Did you mean ops/backups.md?");
  });

  test("a bug reaches the agent as one neutral sentence, and its stack the owner", async () => {
    const bugs: string[] = [];
    const broken = testEngine(
      folder.path,
      Object.assign(new HashEmbedder(), {
        embedQuery: () => Promise.reject(new TypeError(`boom in ${folder.path}`)),
      }),
    );
    const other = await connect(broken, bugs);
    const result = (await other.callTool({
      name: "search",
      arguments: { query: "backup" },
    })) as CallToolResult;
    await other.close();
    await broken.close();
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain("boom");
    expect(JSON.stringify(result)).not.toContain(folder.path);
    expect(bugs.join()).toContain("boom");
  });

  test("a failure that names the folder does not tell the agent where it lies", async () => {
    using damaged = new TestFolder();
    damaged.write("a.md", NOTE);
    await indexOnce(damaged.path);
    damaged.write(".kb/current", "nonsense\n");
    const unreadable = testEngine(damaged.path);
    const other = await connect(unreadable);
    const result = (await other.callTool({ name: "search", arguments: { query: "x" } })) as CallToolResult;
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain(damaged.path);
    expect(JSON.stringify(result)).toContain("the folder");
    await other.close();
    await unreadable.close();
  });

  test("without an index it answers so, and lists its tools", async () => {
    using empty = new TestFolder();
    const unindexed = testEngine(empty.path);
    const other = await connect(unindexed);
    expect((await other.listTools()).tools).toHaveLength(TOOLS.length);
    const result = (await other.callTool({ name: "search", arguments: { query: "x" } })) as CallToolResult;
    expect(result.structuredContent).toMatchObject({ results: [], index: { state: "missing" } });
    await other.close();
    await unindexed.close();
  });
});
