import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Engine } from "../../src/engine/engine.ts";
import { createServer } from "../../src/mcp/server.ts";
import { indexOnce, testEngine } from "../support/test-engine.ts";
import { TestFolder } from "../support/test-folder.ts";

describe("addCompletions", () => {
  const folder = new TestFolder();
  let engine: Engine;
  let client: Client;

  beforeAll(async () => {
    for (let at = 0; at < 130; at += 1)
      folder.write(`many/n/${String(at).padStart(3, "0")}.md`, "# A\n\nSome text here.\n");
    folder.write("ops/backups.md", "# B\n\nSome text here.\n");
    folder.write("ops/db/restore.md", "# B\n\nSome text here.\n");
    folder.write("notes/ガイド/手順.md", "# B\n\nSome text here.\n");
    await indexOnce(folder.path);
    engine = testEngine(folder.path);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    client = new Client({ name: "test", version: "1" });
    await Promise.all([
      createServer({ engine, reportBug() {} }).connect(serverSide),
      client.connect(clientSide),
    ]);
  });
  afterAll(async () => {
    await client.close();
    await engine.close();
    folder[Symbol.dispose]();
  });

  const complete = async (ref: Parameters<Client["complete"]>[0]["ref"], name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion;
  const template = { type: "ref/resource", uri: "kb://doc/{path}" } as const;
  const prompt = { type: "ref/prompt", name: "summarize_topic" } as const;

  test.each([
    ["ops/", ["ops/backups.md", "ops/db/restore.md"]],
    ["OPS/B", ["ops/backups.md"]],
    ["restore", ["ops/db/restore.md"]],
    ["カ\u3099イト\u3099", ["notes/ガイド/手順.md"]],
    ["../", []],
    ["/etc", []],
  ])("completes the path %j", async (typed, values) => {
    expect((await complete(template, "path", typed)).values).toEqual(values);
  });

  test("gives at most a hundred values, and says how many there are", async () => {
    expect(await complete(template, "path", "many")).toMatchObject({ total: 130, hasMore: true });
    expect((await complete(template, "path", "")).values).toHaveLength(100);
  });

  test("completes topics and languages of prompts", async () => {
    expect((await complete(prompt, "topic", "")).values).toEqual(["db", "n", "ガイド"]);
    expect((await complete(prompt, "language", "j")).values).toEqual(["ja"]);
  });

  test("has nothing for what it does not know", async () => {
    expect((await complete(prompt, "question", "x")).values).toEqual([]);
    expect((await complete({ type: "ref/resource", uri: "file:///{path}" }, "path", "o")).values).toEqual([]);
  });

  test("has nothing while there is no index", async () => {
    using empty = new TestFolder();
    const unindexed = testEngine(empty.path);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const other = new Client({ name: "test", version: "1" });
    const server = createServer({ engine: unindexed, reportBug() {} });
    await Promise.all([server.connect(serverSide), other.connect(clientSide)]);
    const { completion } = await other.complete({ ref: template, argument: { name: "path", value: "" } });
    expect(completion.values).toEqual([]);
    await other.close();
    await unindexed.close();
  });
});
