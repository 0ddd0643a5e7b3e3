/**
 * `kb serve` and the process that embeds its questions: one may die, the other answers on.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { RawClient } from "../support/mcp-client.ts";
import { runJson, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path]);
});
afterAll(() => folder[Symbol.dispose]());

const QUESTION = "what do I do if a thief takes my laptop?";

async function ask(client: RawClient): Promise<WireValue> {
  return (await client.callTool("search", { query: QUESTION })).structuredContent;
}

/** Processes that a process has started and that still run. */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // Behind the name in brackets come the state and the parent.
        const [state, parent] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)!.split(" ");
        return state !== "Z" && Number(parent) === pid;
      } catch {
        return false; // It has just ended.
      }
    })
    .map(Number);
}

describe.skipIf(process.platform !== "linux")("the process that embeds questions", () => {
  test("is not there before the first question, and one for all of them", async () => {
    await using client = new RawClient(["--kb", folder.path, "--no-index"]);
    await client.initialize();
    expect(childrenOf(client.process.pid)).toEqual([]);
    await Promise.all([ask(client), ask(client), ask(client)]);
    expect(childrenOf(client.process.pid)).toHaveLength(1);
  });

  test("is started again when it was killed, and the next question is answered by meaning too", async () => {
    await using client = new RawClient(["--kb", folder.path, "--no-index"]);
    await client.initialize();
    const before = await ask(client);
    const [child] = childrenOf(client.process.pid);
    process.kill(child!, "SIGKILL");
    const after = await ask(client);
    expect(after).toEqual(before);
    expect(after.degraded).toBeUndefined();
    expect(childrenOf(client.process.pid)).not.toContain(child);
  });

  test("ends with its server, however that ends", async () => {
    const client = new RawClient(["--kb", folder.path, "--no-index"]);
    await client.initialize();
    await ask(client);
    const [child] = childrenOf(client.process.pid);
    client.process.kill("SIGKILL");
    const isRunning = () => {
      try {
        return process.kill(child!, 0);
      } catch {
        return false;
      }
    };
    while (isRunning()) await Bun.sleep(20);
    await client[Symbol.asyncDispose]().catch(() => undefined);
  });
});
