/**
 * `kb serve` over stdio, as MCP clients meet it: the handshake, searching, the protocol.
 *
 * Reading documents is in `serve-document.test.ts`, start and end in `serve-life.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connectClient, RawClient } from "../support/mcp-client.ts";
import { runJson, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path]);
});
afterAll(() => folder[Symbol.dispose]());

const serve = (...more: readonly string[]) => new RawClient(["--kb", folder.path, ...more]);

const TOOL_NAMES = ["search", "get_document", "list_topics", "get_best_practice", "rebuild_index"];

describe("the handshake", () => {
  test("is answered before any index exists", async () => {
    using empty = new TestFolder();
    empty.write("a.md", "# a\n\nThe only valve of the house.\n");
    await using client = new RawClient(["--kb", empty.path, "--no-index"]);
    const { serverInfo, capabilities, instructions } = await client.initialize();
    expect(serverInfo.name).toBe("kb");
    expect(capabilities.tools).toBeDefined();
    expect(instructions).toBeString();
    const { tools } = await client.request("tools/list");
    expect(tools.map((tool: WireValue) => tool.name)).toEqual(TOOL_NAMES);
    expect(empty.has(".kb")).toBe(false);
  });

  test("publishes strict schemas without what clients stumble over", async () => {
    await using client = serve("--no-index");
    await client.initialize();
    const { tools } = await client.request("tools/list");
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description.length).toBeGreaterThan(40);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema.type).toBe("object");
      for (const keyword of ["anyOf", "oneOf", "allOf"]) expect(inputSchema).not.toHaveProperty(keyword);
      for (const property of Object.values<WireValue>(inputSchema.properties))
        expect(property.description).toBeString();
    }
  });

  test("works with the SDK's own client, which checks answers against the schemas", async () => {
    const client = await connectClient(["--kb", folder.path]);
    try {
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(TOOL_NAMES);
      const result = await client.callTool({ name: "search", arguments: { query: "rollback", limit: 2 } });
      expect((result.structuredContent as WireValue).results).toHaveLength(2);
      const document = await client.callTool({
        name: "get_document",
        arguments: { path: "runbooks/deploy.md" },
      });
      expect(document.isError).toBeFalsy();
    } finally {
      await client.close();
    }
  });
});

describe("search", () => {
  test.each(["rollback", "間違って消したデータを元に戻したい", "", "a:b", '"put the previous"', "E-4012"])(
    "equals kb search --json: %j",
    async (query) => {
      await using client = serve("--no-index");
      await client.initialize();
      const { structuredContent, isError } = await client.callTool("search", { query });
      expect(isError).toBeFalsy();
      const answer = await runJson(["search", query, "--kb", folder.path]);
      expect(withoutUris(structuredContent)).toEqual(answer);
    },
  );

  test("says the same in its text: path, lines and the whole passage of each hit", async () => {
    await using client = serve("--no-index");
    await client.initialize();
    const { content, structuredContent } = await client.callTool("search", { query: "rollback", limit: 3 });
    expect(content).toHaveLength(1);
    for (const { path, lines, content: passage } of structuredContent.results) {
      expect(content[0].text).toContain(`${path}:${lines.start}`);
      expect(content[0].text).toContain(passage);
    }
  });

  test("takes filters", async () => {
    await using client = serve("--no-index");
    await client.initialize();
    const { structuredContent } = await client.callTool("search", {
      query: "data",
      path_globs: ["product/**"],
    });
    for (const { path } of structuredContent.results) expect(path).toStartWith("product/");
  });

  const refused: [tool: string, input: unknown, part: string][] = [
    ["search", { querry: "x" }, "Did you mean query?"],
    ["search", { query: "x", limt: 3 }, "Did you mean limit?"],
    ["search", { query: "x", limit: "5" }, "limit"],
    ["search", { query: "x", limit: -1 }, "limit"],
    ["search", {}, "query"],
    ["search", { query: "x".repeat(100_000) }, "100000 bytes"],
    ["get_document", { path: "a.md", lines: "1:2" }, "lines"],
    ["get_document", { path: "a.md", start_line: 0 }, "start_line"],
  ];
  test.each(refused)("refuses wrong arguments as a tool error: %s %j", async (tool, input, part) => {
    await using client = serve("--no-index");
    await client.initialize();
    const { isError, content, structuredContent } = await client.callTool(tool, input);
    expect(isError).toBe(true);
    expect(structuredContent).toBeUndefined();
    expect(content[0].text).toStartWith("usage: ");
    expect(content[0].text).toContain(part);
    expect(content[0].text.length).toBeLessThan(1000);
  });

  test("answers many calls at once, each with its own answer", async () => {
    await using client = serve("--no-index");
    await client.initialize();
    const queries = ["rollback", "E-4012", "電子請求書", "CSV export", "バックアップ"];
    const calls = [...queries, ...queries, ...queries].map(async (query) => {
      const { structuredContent } = await client.callTool("search", { query });
      expect(structuredContent.query_info.phrases.join(" ")).toContain(
        query.split(" ")[0]!.slice(0, 3).toLowerCase(),
      );
    });
    await Promise.all(calls);
    client.checkStdout();
  });
});

describe("the protocol", () => {
  test("answers unknown tools and methods, and survives lines that are no messages", async () => {
    await using client = serve("--no-index");
    await client.initialize();
    expect(client.callTool("serach", {})).rejects.toThrow("Did you mean search?");
    expect(client.request("nonsense/method")).rejects.toThrow("-32601");
    const input = client.process.stdin as Bun.FileSink;
    input.write('this is no JSON\n\n{"jsonrpc":"2.0"}\n[]\n');
    input.flush();
    const { structuredContent } = await client.callTool("search", { query: "rollback" });
    expect(structuredContent.results.length).toBeGreaterThan(0);
    client.checkStdout();
  });
});

describe("a message that is too large", () => {
  test("is reported on stderr, and the session goes on", async () => {
    await using client = serve("--no-index");
    await client.initialize();
    const stderr = new Response(client.process.stderr as ReadableStream).text();
    const input = client.process.stdin as Bun.FileSink;
    for (const megabytes of [9, 11, 30]) {
      const query = "x".repeat(megabytes * 1024 * 1024);
      input.write(`{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"query":"${query}"}}\n`);
      await input.flush();
    }
    const { isError, content } = await client.callTool("search", { query: "x".repeat(7 * 1024 * 1024) });
    expect(isError).toBe(true);
    expect(content[0].text).toContain("bytes");
    const { structuredContent } = await client.callTool("search", { query: "rollback" });
    expect(structuredContent.results.length).toBeGreaterThan(0);
    expect(await client.closeInput()).toBe(0);
    expect((await stderr).match(/^kb: a message of more than \d+ bytes .*$/gm)).toHaveLength(3);
    client.checkStdout();
  });
});

function withoutUris(answer: WireValue): WireValue {
  return { ...answer, results: answer.results.map(({ uri: _uri, ...hit }: WireValue) => hit) };
}
