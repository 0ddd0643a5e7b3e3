/**
 * Searches over HTTP run in processes of their own: one that hangs or dies costs only its own search.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { HttpServer } from "../support/http-server.ts";
import { runJson } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const outer = new TestFolder();
const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path]);
});
afterAll(() => {
  folder[Symbol.dispose]();
  outer[Symbol.dispose]();
});

const start = (settings: string, ...more: readonly string[]) => {
  outer.write("kb.toml", `[http]\n${settings}\n`);
  return HttpServer.start(["--kb", folder.path, "--no-index", "--config", outer.at("kb.toml"), ...more]);
};

/** Error code of the protocol; `undefined` for an answer. */
async function search(server: HttpServer, query = "backup"): Promise<number | undefined> {
  const params = { name: "search", arguments: { query } };
  const response = await server.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const { error, result } = (await response.json()) as {
    error?: { code: number };
    result?: { isError?: boolean };
  };
  expect(result?.isError).toBeFalsy();
  return error?.code;
}

/** The processes that search for a server. */
function readersOf(server: HttpServer): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
        return (
          parent === server.process.pid &&
          readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("answer-searches")
        );
      } catch {
        return false; // ended meanwhile
      }
    });
}

async function startBoth(server: HttpServer): Promise<number[]> {
  while (readersOf(server).length < 2) await Promise.all([search(server), search(server)]);
  return readersOf(server);
}

describe.if(process.platform === "linux")("readers", () => {
  test("are started by the first search, and end with the server", async () => {
    await using server = await start("readers = 2");
    await (await server.get("/healthz")).text();
    expect(readersOf(server)).toEqual([]);
    const pids = await startBoth(server);
    await server.stop();
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  });

  test("answer others while one of them hangs, which the deadline ends", async () => {
    await using server = await start("readers = 2\ndeadline_seconds = 4");
    const [hanging] = await startBoth(server);
    process.kill(hanging!, "SIGSTOP");
    const codes = await Promise.all(Array.from({ length: 8 }, () => search(server)));
    expect(codes.filter((code) => code === undefined)).toHaveLength(7);
    expect(codes.filter((code) => code === -32_001)).toHaveLength(1);
    while (readersOf(server).includes(hanging!)) await Bun.sleep(10);
    expect(await Promise.all([search(server), search(server), search(server)])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await (await server.get("/metrics")).text()).toContain(
      'kb_calls_total{tool="search",outcome="deadline"} 1',
    );
  });

  test("that die cost a search one more try", async () => {
    await using server = await start("readers = 2");
    const pids = await startBoth(server);
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const answers = Promise.all([search(server), search(server), search(server)]);
    await (await server.get("/healthz")).text();
    for (const pid of pids) process.kill(pid, "SIGKILL");
    expect(await answers).toEqual([undefined, undefined, undefined]);
  });

  test("are not kept busy for a client that is gone", async () => {
    await using server = await start("readers = 1");
    await search(server);
    const [pid] = readersOf(server);
    process.kill(pid!, "SIGSTOP");
    const abort = new AbortController();
    const params = { name: "search", arguments: { query: "backup" } };
    const left = fetch(server.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      signal: abort.signal,
    }).catch(() => "left");
    const metric = async () => (await server.get("/metrics")).text();
    while (!(await metric()).includes("kb_calls_in_flight 1")) await Bun.sleep(10);
    abort.abort();
    expect(await left).toBe("left");
    expect(await search(server)).toBeUndefined();
    expect(readersOf(server)).not.toContain(pid!);
  });

  test("see what is indexed later", async () => {
    using own = new TestFolder();
    own.write("a.md", "# One\n\nThe first note is about herons.\n");
    await runJson(["index", own.path]);
    await using server = await HttpServer.start(["--kb", own.path, "--no-index"]);
    const found = async (query: string) => {
      const params = { name: "search", arguments: { query } };
      const response = await server.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      return JSON.stringify(await response.json());
    };
    expect(await found("herons")).toContain("a.md");
    own.write("b.md", "# Two\n\nThe second note is about kingfishers.\n");
    await runJson(["index", own.path, "--force"]);
    expect(await found("kingfishers")).toContain("b.md");
  });

  test("leave no more calls in than are allowed", async () => {
    await using server = await start("readers = 1\nmax_calls = 2");
    await search(server);
    const [pid] = readersOf(server);
    process.kill(pid!, "SIGSTOP");
    const held = [search(server), search(server)];
    while (!(await (await server.get("/metrics")).text()).includes("kb_calls_in_flight 2"))
      await Bun.sleep(10);
    const params = { name: "search", arguments: { query: "backup" } };
    const refused = await server.post({ jsonrpc: "2.0", id: 9, method: "tools/call", params });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await server.post({ jsonrpc: "2.0", id: 9, method: "ping" })).status).toBe(200);
    process.kill(pid!, "SIGCONT");
    expect(await Promise.all(held)).toEqual([undefined, undefined]);
  });
});
