/**
 * `kb serve` answers whatever a client sends, and tells nothing that it should not.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { connectClient } from "../support/mcp-client.ts";
import { fuzzServer } from "../support/mcp-fuzz.ts";
import { runJson, startKb } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(300_000);

test("answers 2,000 mutated messages without a crash, a leak or a bug", async () => {
  using folder = TestFolder.copyOf(SAMPLE_FOLDER);
  await runJson(["index", folder.path, "--no-vectors"]);
  const { problems, answered } = await fuzzServer(folder.path, 2000, 20_261_201);
  expect(problems).toEqual([]);
  expect(answered).toBeGreaterThan(1500);
});

test("answers what is no message with the error that the standard has for it", async () => {
  using folder = TestFolder.copyOf(SAMPLE_FOLDER);
  const lines = [
    "garbage",
    '{"jsonrpc":"2.0","id":3,"method":5}',
    '{"id":"x","method":"ping"}',
    '[{"jsonrpc":"2.0","id":5,"method":"ping"}]',
    "",
    '{"jsonrpc":"2.0","id":6,"method":"ping"}',
    '{"jsonrpc":"2.0","id":7,',
  ];
  const child = startKb(["serve", "--kb", folder.path, "--no-index"], { stdin: lines.join("\n") });
  const answers = (await new Response(child.stdout).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual(
    expect.arrayContaining([
      [null, -32700],
      [3, -32600],
      ["x", -32600],
      [null, -32600],
    ]),
  );
});

test.each([
  ["2024-11-05", "2024-11-05"],
  ["2025-03-26", "2025-03-26"],
  ["2025-06-18", "2025-06-18"],
  ["2025-11-25", "2025-11-25"],
  ["2099-01-01", "2025-11-25"],
])("negotiates version %s to %s", async (asked, given) => {
  using folder = TestFolder.copyOf(SAMPLE_FOLDER);
  const request = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: asked, capabilities: {}, clientInfo: { name: "x", version: "1" } },
  };
  const child = startKb(["serve", "--kb", folder.path, "--no-index"], {
    stdin: `${JSON.stringify(request)}\n`,
  });
  expect(JSON.parse(await new Response(child.stdout).text()).result.protocolVersion).toBe(given);
});

test("answers a cheap request before an expensive one that came first, and takes log levels", async () => {
  using folder = TestFolder.copyOf(SAMPLE_FOLDER);
  await runJson(["index", folder.path]);
  const client = await connectClient(["--kb", folder.path, "--no-index"]);
  const order: string[] = [];
  const search = client
    .callTool({ name: "search", arguments: { query: "how long are backups kept" } })
    .then(() => order.push("search"));
  const ping = client.ping().then(() => order.push("ping"));
  await Promise.all([search, ping]);
  expect(order).toEqual(["ping", "search"]);
  expect(await client.setLoggingLevel("warning")).toEqual({});
  await client.close();
});
