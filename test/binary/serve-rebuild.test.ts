/**
 * The tool `rebuild_index` of `kb serve`: one run at a time, in a child process, that can be called off.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { connectClient } from "../support/mcp-client.ts";
import { runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(180_000);

const rebuild = (client: Client, input: object = {}, options: object = {}) =>
  client.callTool({ name: "rebuild_index", arguments: { ...input } }, undefined, {
    timeout: 150_000,
    ...options,
  }) as Promise<WireValue>;

const search = async (client: Client, query: string) =>
  ((await client.callTool({ name: "search", arguments: { query, limit: 1 } })) as WireValue)
    .structuredContent;

/** So many passages that making their vectors takes a while. */
function largeFolder(): TestFolder {
  const folder = new TestFolder();
  for (let at = 0; at < 90; at += 1)
    folder.write(
      `notes/${at}.md`,
      `# Note ${at}\n\n${`Sentence ${at} about the harbour and its ${at * 7} lanterns. `.repeat(8)}\n`,
    );
  return folder;
}

describe("rebuild_index", () => {
  test("brings the index up to date, reports what the run did, and tells how far it is", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const client = await connectClient(["--kb", folder.path, "--no-index"]);
    const seen: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    const first = await rebuild(
      client,
      {},
      { onprogress: (progress: (typeof seen)[number]) => seen.push(progress) },
    );
    expect(first.structuredContent).toMatchObject({ skipped: 0, deleted: 0, pending_vectors: 0 });
    expect(first.structuredContent.total_documents).toBe(first.structuredContent.added);
    for (const [name, value] of Object.entries(first.structuredContent))
      expect(first.content[0].text).toContain(`${name}: ${value}`);
    expect(seen.length).toBeGreaterThan(1);
    expect(
      seen.every(({ progress, total }, at) => total === 1 && progress > (seen[at - 1]?.progress ?? -1)),
    ).toBe(true);
    expect(seen.at(-1)?.message).toContain("vectors of passages");

    folder.write("new.md", "# Zebra\n\nThe zebra crossing in front of the office is closed.\n");
    folder.remove("runbooks/deploy.md");
    expect((await rebuild(client)).structuredContent).toMatchObject({ added: 1, deleted: 1, updated: 0 });
    expect((await search(client, "zebra crossing")).results[0].path).toBe("new.md");
    const forced = (await rebuild(client, { force: true })).structuredContent;
    expect(forced).toMatchObject({ added: forced.total_documents, unchanged: 0 });
    expect((await search(client, "zebra crossing")).results[0].path).toBe("new.md");
    await client.close();
  });

  test("refuses a second run at once, saying how long the first has taken, and answers searches meanwhile", async () => {
    using folder = largeFolder();
    const client = await connectClient(["--kb", folder.path, "--no-index"]);
    const called = new AbortController();
    const started = Promise.withResolvers<void>();
    const first = rebuild(
      client,
      {},
      {
        signal: called.signal,
        onprogress: ({ message }: { message?: string }) => {
          if (message?.startsWith("vectors")) started.resolve();
        },
      },
    );
    await started.promise;
    const second = await rebuild(client);
    expect(second.isError).toBe(true);
    expect(second.content[0].text).toMatch(/^busy: the index is being rebuilt already, since \d+ seconds/);
    const answer = await search(client, "harbour lanterns");
    expect(answer.index.state).toBe("indexing");
    expect(answer.results).toHaveLength(1);

    called.abort("enough");
    await expect(first).rejects.toThrow("enough");
    // The run that was called off ends soon, and what it stored stays.
    for (;;) {
      const third = await rebuild(client);
      if (third.isError && third.content[0].text.startsWith("busy: ")) continue;
      expect(third.structuredContent).toMatchObject({ total_documents: 90, pending_vectors: 0 });
      break;
    }
    await client.close();
  });

  test("takes the place of the run at the server's start, and tells of documents that came", async () => {
    using folder = largeFolder();
    await runJson(["index", folder.path, "--no-vectors"]);
    const client = await connectClient(["--kb", folder.path]);
    const told = Promise.withResolvers<void>();
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => told.resolve());
    await client.listResources();
    folder.write("another/folder.md", "# Another\n\nA document in a folder of its own.\n");
    const report = await rebuild(client);
    expect(report.structuredContent).toMatchObject({ total_documents: 91, pending_vectors: 0 });
    await told.promise;
    expect((await client.listResources()).resources.map(({ name }) => name)).toContain("another");
    await client.close();
  });

  test("is told why a run fails, without the places of the server", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    await runKb(["index", folder.path, "--no-vectors"]);
    folder.write(".kb/current", "nonsense\n");
    const client = await connectClient(["--kb", folder.path, "--no-index"]);
    const result = await rebuild(client);
    if (result.isError) expect(JSON.stringify(result)).not.toContain(folder.path);
    else expect(result.structuredContent.total_documents).toBeGreaterThan(0);
    await client.close();
  });
});
