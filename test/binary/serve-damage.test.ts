/** A server whose index is damaged makes it anew by itself, and answers from the new one. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { generateDocument } from "../support/documents.ts";
import { RawClient } from "../support/mcp-client.ts";
import { runJson } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

async function indexedFolder(): Promise<TestFolder> {
  const folder = new TestFolder();
  for (let number = 0; number < 8; number++) folder.write(`${number}.md`, generateDocument(number, 1));
  await runJson(["index", folder.path]);
  return folder;
}

const indexFile = (folder: TestFolder) => folder.at(".kb", folder.read(".kb/current").trim());

const lastRun = async (folder: TestFolder) => (await runJson(["status", "--kb", folder.path])).last_run;

async function hasRunAgain(folder: TestFolder, startedBefore: string): Promise<void> {
  for (;;) {
    const { started_at, result } = await lastRun(folder);
    if (started_at !== startedBefore && result === "done") return;
    await Bun.sleep(50);
  }
}

/** All pages but the first, which says what kind of file it is. */
function damagePages(file: string): void {
  const descriptor = openSync(file, "r+");
  const bytes = statSync(file).size - 4096;
  writeSync(descriptor, Buffer.alloc(bytes, "garbage"), 0, bytes, 4096);
  closeSync(descriptor);
}

async function searchUntil(client: RawClient, isDone: (result: { isError?: boolean }) => boolean) {
  for (;;) {
    const result = await client.callTool("search", { query: "boiler" });
    if (isDone(result)) return result;
    await Bun.sleep(100);
  }
}

const isReady = (result: { isError?: boolean; structuredContent?: { index: { state: string } } }) =>
  !result.isError && result.structuredContent?.index.state === "ready";

describe("a server", () => {
  test("mends an index that is damaged while it runs, and says so meanwhile", async () => {
    using folder = await indexedFolder();
    const { started_at } = await lastRun(folder);
    await using client = new RawClient(["--kb", folder.path]);
    await client.initialize();
    // It has read nothing yet, and keeps nothing in its memory, of what is damaged once its first run is over.
    await hasRunAgain(folder, started_at);
    damagePages(indexFile(folder));
    const failure = await searchUntil(client, ({ isError }) => isError === true);
    expect(failure.content[0].text).toStartWith("corrupt: ");
    expect(failure.content[0].text).toContain("made anew now");
    const answer = await searchUntil(client, isReady);
    expect(answer.structuredContent.results.length).toBeGreaterThan(0);
    expect(indexFile(folder)).toBe(folder.at(".kb/index-2.db"));
    expect(await client.closeInput()).toBe(0);
  });

  test("mends an index that was damaged before it started", async () => {
    using folder = await indexedFolder();
    damagePages(indexFile(folder));
    await using client = new RawClient(["--kb", folder.path]);
    await client.initialize();
    const answer = await searchUntil(client, isReady);
    expect(answer.structuredContent.results.length).toBeGreaterThan(0);
    expect((await runJson(["index", folder.path, "--verify"])).documents).toBe(8);
  });
});
