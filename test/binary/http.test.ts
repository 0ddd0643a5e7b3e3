/**
 * MCP over HTTP with the public SDK's client: sessions, streams, stateless calls, and the end.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { HttpServer, INITIALIZE, JSON_HEADERS } from "../support/http-server.ts";
import { runJson, runKb } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path]);
});
afterAll(() => folder[Symbol.dispose]());

const start = (...more: readonly string[]) => HttpServer.start(["--kb", folder.path, "--no-index", ...more]);
const callOf = (name: string, args: unknown, id = 2) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

describe("kb serve --transport http", () => {
  test("answers the SDK's client as it does over stdio", async () => {
    await using server = await start();
    const client = await server.connect();
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("search");
    const query = "間違って消したデータを元に戻したい";
    const found = await client.callTool({ name: "search", arguments: { query } });
    const { results } = found.structuredContent as { results: { path: string }[] };
    const { results: expected } = await runJson(["search", query, "--kb", folder.path]);
    expect(results.map(({ path }) => path)).toEqual(expected.map(({ path }: { path: string }) => path));
    await client.close();
  });

  test("answers calls outside of a session as JSON", async () => {
    await using server = await start();
    const response = await server.post(callOf("search", { query: "backup", limit: 1 }));
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.headers.get("mcp-session-id")).toBeNull();
    expect(((await response.json()) as { result: { isError?: boolean } }).result.isError).toBeFalsy();
  });

  test("keeps sessions apart, ends them on request, and does not know them then", async () => {
    await using server = await start();
    const ids: string[] = [];
    for (let count = 0; count < 2; count++) {
      const response = await server.post(INITIALIZE);
      expect(response.headers.get("content-type")).toContain("text/event-stream");
      await response.text();
      ids.push(response.headers.get("mcp-session-id")!);
    }
    expect(ids[0]).not.toBe(ids[1]);
    const session = { "Mcp-Session-Id": ids[0]! };
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    expect((await server.post(list, session)).status).toBe(200);
    expect((await server.post(list, { ...session, "Mcp-Protocol-Version": "1999-01-01" })).status).toBe(400);
    expect((await fetch(server.url, { method: "DELETE", headers: session })).status).toBe(200);
    expect((await server.post(list, session)).status).toBe(404);
    expect((await server.post(list, { "Mcp-Session-Id": ids[1]! })).status).toBe(200);
  });

  test("sends again what a client has missed, after the last event it has", async () => {
    await using server = await start();
    const opened = await server.post(INITIALIZE);
    await opened.text();
    const session = {
      "Mcp-Session-Id": opened.headers.get("mcp-session-id")!,
      "Mcp-Protocol-Version": "2025-11-25",
    };
    const answer = await (await server.post(callOf("search", { query: "backup", limit: 1 }), session)).text();
    const [first, last] = [...answer.matchAll(/^id: (.*)$/gm)].map((match) => match[1]!);
    expect(last).toBeDefined();
    const headers = { ...session, Accept: "text/event-stream", "Last-Event-ID": first! };
    const stream = await fetch(server.url, { headers });
    const reader = stream.body!.getReader();
    let replayed = "";
    while (!replayed.includes("id: ")) replayed += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    expect(replayed).toContain(`id: ${last}`);
    expect(replayed).toContain('"structuredContent"');
    const unknown = await fetch(server.url, { headers: { ...headers, "Last-Event-ID": "nobody.7" } });
    expect(unknown.status).toBe(400);
  });

  test("ends a session that nobody uses, but not one with an open stream", async () => {
    folder.write("../http-idle.toml", "[http]\nsession_idle_minutes = 0.05\n");
    await using server = await start("--config", folder.at("../http-idle.toml"));
    const open = async () => {
      const response = await server.post(INITIALIZE);
      await response.text();
      return { "Mcp-Session-Id": response.headers.get("mcp-session-id")! };
    };
    const [idle, streaming] = [await open(), await open()];
    const abort = new AbortController();
    const stream = await fetch(server.url, {
      headers: { ...streaming, Accept: "text/event-stream" },
      signal: abort.signal,
    });
    const reader = stream.body!.getReader(); // A stream that nobody holds is closed by the collector of garbage.
    await reader.read();
    const sessions = async () =>
      /^kb_sessions (\d+)$/m.exec(await (await server.get("/metrics")).text())?.[1];
    while ((await sessions()) !== "1") await Bun.sleep(50);
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    expect((await server.post(list, idle)).status).toBe(404);
    expect((await server.post(list, streaming)).status).toBe(200);
    abort.abort();
    await reader.read().catch(() => undefined);
    while ((await sessions()) !== "0") await Bun.sleep(50);
    folder.remove("../http-idle.toml");
  });

  test("hides tools that change something, and those that are not named", async () => {
    await using server = await start("--read-only", "--tools", "search,rebuild_index");
    const client = await server.connect();
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["search"]);
    expect(client.callTool({ name: "rebuild_index", arguments: {} })).rejects.toThrow("unknown tool");
    await client.close();
    const { code, stderr } = await runKb(["serve", "--kb", folder.path, "--tools", "serch"]);
    expect(code).toBe(2);
    expect(stderr).toContain("search");
  });

  test("serves one folder twice, and says who has the address", async () => {
    await using one = await start();
    await using two = await start();
    for (const server of [one, two])
      expect((await server.post(callOf("search", { query: "backup" }))).status).toBe(200);
    const { code, stderr } = await runKb([
      ...[
        "serve",
        "--transport",
        "http",
        "--kb",
        folder.path,
        "--no-index",
        "--bind",
        `127.0.0.1:${one.port}`,
      ],
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain(`another program listens on 127.0.0.1:${one.port}`);
    expect(stderr).toContain("--port 0");
  });

  test("answers what it is working on before it ends, and leaves nothing behind", async () => {
    await using server = await start();
    const opened = await server.post(INITIALIZE);
    await opened.text();
    const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id")! };
    const stream = await fetch(server.url, { headers: { ...session, Accept: "text/event-stream" } });
    const answers = Array.from({ length: 4 }, (_, id) =>
      server.post(callOf("search", { query: "backup restore" }, id)).then((response) => response.text()),
    );
    const inFlight = async () =>
      Number(/^kb_calls_in_flight (\d+)$/m.exec(await (await server.get("/metrics")).text())?.[1]);
    while ((await inFlight()) < 4) if (await allSettled(answers)) break;
    expect(await server.stop()).toBe(0);
    for (const answer of await Promise.all(answers)) expect(answer).toContain("structuredContent");
    await stream.text().catch(() => "");
    expect(fetch(`http://127.0.0.1:${server.port}/healthz`)).rejects.toThrow();
  });

  test("says what is wrong with a body, in the protocol's form", async () => {
    await using server = await start();
    const broken = await server.post("{");
    expect([broken.status, ((await broken.json()) as { error: { code: number } }).error.code]).toEqual([
      400, -32_700,
    ]);
    expect((await server.post([INITIALIZE])).status).toBe(400);
    const plain = await fetch(server.url, {
      method: "POST",
      body: "{}",
      headers: { ...JSON_HEADERS, "Content-Type": "text/plain" },
    });
    expect(plain.status).toBe(415);
    expect((await fetch(server.url, { method: "PUT", headers: JSON_HEADERS, body: "{}" })).status).toBe(405);
    expect((await server.get("/mcp", JSON_HEADERS)).status).toBe(400);
  });
});

async function allSettled(answers: readonly Promise<unknown>[]): Promise<boolean> {
  return Promise.race([Promise.all(answers).then(() => true), Bun.sleep(1).then(() => false)]);
}
