import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Engine } from "../../src/engine/engine.ts";
import { createServer } from "../../src/mcp/server.ts";
import { indexOnce, testEngine } from "../support/test-engine.ts";
import { TestFolder } from "../support/test-folder.ts";

const NOTE = "# Note\n\nThe nightly backup runs at two.\n";

async function connect(engine: Engine): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  const server = createServer({ engine, reportBug: (text) => expect(text).toBe("no bug") });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return client;
}

describe("addResources", () => {
  const folder = new TestFolder();
  let engine: Engine;
  let client: Client;

  beforeAll(async () => {
    folder.write("top.md", NOTE);
    folder.write("ops/backups.md", NOTE);
    folder.write("ops/db/restore [1].md", "# Restoring\n\nAsk first.\n");
    folder.write("ops/db/deep/er.md", NOTE);
    folder.write("plain.txt", "Nothing but text.\n");
    for (let at = 0; at < 120; at += 1) folder.write(`many/${String(at).padStart(3, "0")}/note.md`, NOTE);
    folder.write("big/long.md", `# Long\n\n${"A line of a long document.\n".repeat(5000)}`);
    await indexOnce(folder.path);
    engine = testEngine(folder.path);
    client = await connect(engine);
  });
  afterAll(async () => {
    await client.close();
    await engine.close();
    folder[Symbol.dispose]();
  });

  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return content as { uri: string; mimeType: string; text: string };
  };

  test("lists every group of documents once, a page at a time", async () => {
    const first = await client.listResources();
    expect(first.resources).toHaveLength(100);
    const second = await client.listResources({ cursor: first.nextCursor });
    expect(second.nextCursor).toBeUndefined();
    const all = [...first.resources, ...second.resources];
    expect(all).toHaveLength(124);
    expect(all[0]).toEqual({
      uri: "kb://topic/",
      name: "(root)",
      description: "2 indexed documents under (root)",
      mimeType: "text/markdown",
    });
    expect(all.find(({ name }) => name === "ops/db")).toMatchObject({
      uri: "kb://topic/ops/db",
      description: "2 indexed documents under ops/db",
    });
    expect(all.find(({ name }) => name === "ops")?.description).toBe("1 indexed document under ops");
  });

  test.each(["x", "-1", "100000", "1.5"])("refuses the cursor %j", async (cursor) => {
    await expect(client.listResources({ cursor })).rejects.toThrow("which no answer has given");
  });

  test("has one template, for documents", async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["kb://doc/{path}"]);
  });

  test("reads a group as a list of its documents, whose URIs can be read", async () => {
    const { text, mimeType } = await read("kb://topic/ops/db");
    expect(mimeType).toBe("text/markdown");
    expect(text).toContain("# ops/db\n\n2 indexed documents under ops/db");
    const uris = [...text.matchAll(/<(kb:[^>]+)>/g)].map(([, uri]) => uri!);
    expect(uris).toEqual(["kb://doc/ops/db/deep/er.md", "kb://doc/ops/db/restore%20%5B1%5D.md"]);
    expect((await read(uris[1]!)).text).toBe("# Restoring\n\nAsk first.");
  });

  test("tells Markdown from plain text", async () => {
    expect((await read("kb://doc/plain.txt")).mimeType).toBe("text/plain");
  });

  test("says where a long document goes on", async () => {
    const { text } = await read("kb://doc/big/long.md");
    expect(text.length).toBeLessThan(70_000);
    expect(text).toMatch(
      /\[kb: the document goes on\. The tool get_document has the rest: path "big\/long\.md", next "/,
    );
  });

  test.each(["kb://topic/none", "kb://doc/none.md", "kb://other", "file:///etc/passwd"])(
    "knows nothing under %s",
    async (uri) => {
      const failure = await client.readResource({ uri }).catch((error: Error) => error);
      expect(failure).toMatchObject({ code: -32002, data: { uri } });
    },
  );

  test("tells a client that has listed resources when the list is another, once", async () => {
    using other = new TestFolder();
    other.write("a/note.md", NOTE);
    await indexOnce(other.path);
    const followed = testEngine(other.path);
    const listener = await connect(followed);
    let told = 0;
    listener.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      told += 1;
    });
    const runEnds = async () => {
      await indexOnce(other.path);
      followed.rebuilds.noteRunEnded();
      await listener.ping();
    };
    other.write("b/note.md", NOTE);
    await runEnds();
    expect(told).toBe(0);
    await listener.listResources();
    await runEnds();
    expect(told).toBe(0);
    other.write("c/note.md", NOTE);
    await runEnds();
    await runEnds();
    expect(told).toBe(1);
    await listener.close();
    await followed.close();
  });

  test("lists nothing while there is no index", async () => {
    using empty = new TestFolder();
    const unindexed = testEngine(empty.path);
    const other = await connect(unindexed);
    expect((await other.listResources()).resources).toEqual([]);
    await other.close();
    await unindexed.close();
  });
});
