/**
 * Who is let in over HTTP, and what a request may not be: raw sockets against the real binary.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync } from "node:fs";
import { HttpServer, INITIALIZE } from "../support/http-server.ts";
import { runJson, runKb } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const TOKEN = "t".repeat(43);
const folder = new TestFolder();
folder.write("notes/a.md", "# Backups\n\nThe nightly backup runs at two.\n");
folder.write("token", `${TOKEN}\n`);
chmodSync(folder.at("token"), 0o600);
const root = folder.at("notes");
beforeAll(async () => {
  await runJson(["index", root]);
});
afterAll(() => folder[Symbol.dispose]());

const start = (...more: readonly string[]) => HttpServer.start(["--kb", root, "--no-index", ...more]);
const configured = (name: string, text: string) => {
  folder.write(name, text);
  return ["--config", folder.at(name)];
};
const bearer = { Authorization: `Bearer ${TOKEN}` };

describe("the gates", () => {
  test("keep out other names and pages, whatever is asked for", async () => {
    await using server = await start();
    const rows: [headers: string[], status: number][] = [
      [[`Host: localhost:${server.port}`], 400], // a GET without a session
      [["Host: evil.example"], 403],
      [[`Host: evil.example:${server.port}`], 403],
      [["Host: user@localhost"], 400],
      [["Host: [::1"], 400],
      [["Host: []"], 400],
      [["Host: localhost:99999"], 400],
      [["Host: l\u00e9"], 400],
      [["Host:"], 400],
      [[], 400],
      [["Host: localhost", "Host: evil.example"], 400],
      [["Host: localhost", "Origin: https://evil.example"], 403],
      [["Host: localhost", "Origin: null"], 403],
      [["Host: localhost", "Origin: nonsense"], 400],
      [["Host: localhost", `Origin: http://localhost:${server.port}`], 400], // passes, as the first
    ];
    for (const [headers, status] of rows)
      expect([headers, await server.statusOf("/mcp", ...headers)]).toEqual([headers, status]);
    expect(await server.statusOf("/metrics", "Host: evil.example")).toBe(403);
    expect(await server.statusOf("/elsewhere", "Host: evil.example")).toBe(403);
    expect(await server.statusOf("/elsewhere", "Host: localhost")).toBe(404);
    expect(await server.statusOf("http://evil.example/healthz", "Host: evil.example")).toBe(200);
    expect(server.stderr.match(/refused a request: this Host is not allowed/g)).toHaveLength(1);
    expect(await (await server.get("/metrics")).text()).toMatch(/^kb_refusals_total\{gate="host"\} \d+$/m);
  });

  test("take the lists of a trusted file, for /healthz too if it is not public", async () => {
    await using server = await start(
      ...configured(
        "lists.toml",
        '[http]\nallowed_hosts = ["notes.example"]\nallowed_origins = ["https://notes.example"]\nhealthz_public = false\n',
      ),
    );
    expect(await server.statusOf("/healthz", "Host: notes.example:8443")).toBe(200);
    expect(await server.statusOf("/healthz", "Host: localhost")).toBe(403);
    const answer = await server.raw(
      "OPTIONS /mcp HTTP/1.1\r\nHost: notes.example\r\nOrigin: https://notes.example\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toStartWith("HTTP/1.1 204");
    expect(answer.toLowerCase()).toContain("access-control-allow-origin: https://notes.example\r\n");
  });

  test("send headers that make nothing of an answer a page, and allow no other origin", async () => {
    await using server = await start();
    for (const path of ["/healthz", "/mcp", "/metrics", "/elsewhere"]) {
      const { headers } = await server.get(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("the token", () => {
  test("is asked of everything but /healthz, and wrong ones are told without their text", async () => {
    await using server = await start("--token-file", folder.at("token"));
    const refused = await server.post(INITIALIZE);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await server.post(INITIALIZE, { Authorization: "Bearer wrong-secret" })).status).toBe(401);
    expect((await server.get("/metrics")).status).toBe(401);
    expect((await server.get("/healthz")).status).toBe(200);
    expect((await server.get("/metrics", bearer)).status).toBe(200);
    const client = await server.connect(bearer);
    expect((await client.listTools()).tools.length).toBeGreaterThan(1);
    await client.close();
    expect(server.stderr).toContain("the token is missing or wrong");
    expect(server.stderr).not.toContain("wrong-secret");
    expect(server.stderr).not.toContain(TOKEN);
  });

  test("is needed beyond this machine, and the refusal names the command that makes one", async () => {
    const { code, stderr } = await runKb([
      ...["serve", "--transport", "http", "--kb", root, "--bind", "0.0.0.0:0"],
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("kb init --token");
    await using server = await start("--bind", "0.0.0.0:0", "--token-file", folder.at("token"));
    expect((await server.get("/metrics", bearer)).status).toBe(200);
    expect((await server.get("/metrics")).status).toBe(401);
  });

  test("is not looked for, and nothing is opened, where a planted kb.toml says", async () => {
    folder.write(
      "notes/kb.toml",
      '[http]\nbind = "0.0.0.0:3100"\nallowed_hosts = []\nallowed_origins = []\n',
    );
    await using server = await start();
    folder.remove("notes/kb.toml");
    expect(server.stderr).toContain("http.bind");
    expect(server.stderr).toContain(`listening on 127.0.0.1:${server.port}`);
    expect(await server.statusOf("/mcp", "Host: evil.example")).toBe(403);
    expect(await server.statusOf("/mcp", "Host: localhost", "Origin: https://evil.example")).toBe(403);
  });
});

describe("the limits", () => {
  test("stop large bodies, declared or not, and large headers", async () => {
    await using server = await start();
    expect((await server.post("x".repeat(1024 * 1024 + 1))).status).toBe(413);
    const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${`10000\r\n${"x".repeat(0x1_00_00)}\r\n`.repeat(20)}0\r\n\r\n`;
    expect(await server.raw(chunked)).toStartWith("HTTP/1.1 413");
    expect(await server.statusOf("/mcp", "Host: localhost", `X-A: ${"a".repeat(100_000)}`)).toBe(431);
    const many = Array.from({ length: 1000 }, (_, at) => `X-${at}: 1`);
    expect(await server.statusOf("/mcp", "Host: localhost", ...many)).toBe(431);
    expect((await server.get("/healthz")).status).toBe(200);
  });

  test("end requests whose body or headers never end, and connections without any", async () => {
    await using server = await start(...configured("slow.toml", "[http]\nbody_seconds = 0.3\n"));
    const stalled = Array.from({ length: 50 }, () => server.raw("POST /mcp HTTP/1.1\r\nHost: local"));
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const accept = "Content-Type: application/json\r\nAccept: application/json, text/event-stream";
    const unused = server.raw(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${accept}\r\nContent-Length: ${ping.length}\r\n\r\n${ping}`,
    );
    const body = await server.raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    expect(body).toStartWith("HTTP/1.1 408");
    expect((await server.get("/healthz")).status).toBe(200);
    expect(new Set(await Promise.all(stalled))).toEqual(new Set([""]));
    expect(await unused).toStartWith("HTTP/1.1 200"); // and closed, since nothing more came
  });

  test("hold at a number of sessions, however many are asked for", async () => {
    await using server = await start(...configured("few.toml", "[http]\nmax_sessions = 5\n"));
    const counts = new Map<number, number>();
    for (let round = 0; round < 100; round++)
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          const response = await server.post(INITIALIZE);
          await response.text();
          if (response.status === 429) expect(response.headers.get("retry-after")).toBe("30");
          counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
        }),
      );
    expect([counts.get(200), counts.get(429)]).toEqual([5, 9995]);
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    expect((await server.post(list)).status).toBe(200);
  });
});
