/**
 * The life of `kb serve`: the index it makes in the background, and how it ends.
 *
 * It ends whenever its client is gone, and leaves no process behind.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { generateDocument } from "../support/documents.ts";
import { RawClient } from "../support/mcp-client.ts";
import { runJson, startKb, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path]);
});
afterAll(() => folder[Symbol.dispose]());

const serve = (...more: readonly string[]) => new RawClient(["--kb", folder.path, ...more]);

describe("the first index", () => {
  test("is made in the background, and answers say so meanwhile", async () => {
    using fresh = new TestFolder();
    for (let number = 0; number < 12; number++) fresh.write(`log-${number}.md`, generateDocument(number, 5));
    fresh.write("needle.md", "# Needle\n\nThe zirconium valve is behind the boiler.\n");
    await using client = new RawClient(["--kb", fresh.path]);
    await client.initialize();
    const states: string[] = [];
    let answer: WireValue;
    do {
      answer = (await client.callTool("search", { query: "zirconium valve" })).structuredContent;
      if (states.at(-1) !== answer.index.state) states.push(answer.index.state);
      await Bun.sleep(200); // Vectors are made at the lowest priority: asking all the time would keep them waiting.
    } while (answer.index.state !== "ready");
    expect(states).toEqual(["indexing", "ready"]);
    expect(answer.results[0].path).toBe("needle.md");
    expect(answer.index.vectors).toBe(1);
    client.checkStdout();
  });

  test("is brought up to date at the start", async () => {
    using changed = TestFolder.copyOf(folder.path);
    changed.write("late.md", "# Late\n\nThe zirconium valve arrived while nobody was serving.\n");
    await using client = new RawClient(["--kb", changed.path]);
    await client.initialize();
    let paths: string[] = [];
    while (!paths.includes("late.md")) {
      const { structuredContent } = await client.callTool("search", { query: "zirconium valve" });
      paths = structuredContent.results.map((hit: WireValue) => hit.path);
      await Bun.sleep(50);
    }
  });
});

describe("a new generation", () => {
  test("made by kb index --force is noticed by a running server", async () => {
    using changed = TestFolder.copyOf(folder.path);
    await using client = new RawClient(["--kb", changed.path, "--no-index"]);
    await client.initialize();
    const bestFor = async (query: string) =>
      (await client.callTool("search", { query })).structuredContent.results[0]?.path;
    expect(await bestFor("rollback")).toBe("runbooks/deploy.md");
    changed.write("late.md", "# Late\n\nThe zirconium valve arrives on a Friday afternoon.\n");
    for (let times = 0; times < 2; times++) {
      await runJson(["index", changed.path, "--force", "--no-vectors"]);
      expect(await bestFor("zirconium")).toBe("late.md");
    }
  });

  test("that is interrupted leaves the old one in use", async () => {
    using large = new TestFolder();
    for (let number = 0; number < 60; number++) large.write(`log-${number}.md`, generateDocument(number, 6));
    await runJson(["index", large.path, "--no-vectors"]);
    const current = large.read(".kb/current");
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      const child = startKb(["index", large.path, "--force", "--quiet"]);
      while (!large.has(".kb/index-2.db")) await Bun.sleep(5);
      await Bun.sleep(300);
      child.kill(signal);
      await child.exited;
      expect(large.read(".kb/current")).toBe(current);
      const answer = await runJson(["search", "boiler", "--kb", large.path]);
      expect(answer.index.state).toBe("ready");
      expect(answer.results).toHaveLength(5);
    }
  });
});

describe("the end", () => {
  test("comes with 0 when stdin closes, at once or after a search", async () => {
    await using early = serve();
    expect(await early.closeInput()).toBe(0);
    await using late = serve("--no-index");
    await late.initialize();
    await late.callTool("search", { query: "rollback" });
    expect(await late.closeInput()).toBe(0);
    late.checkStdout();
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("comes with 0 on %s", async (signal) => {
    await using client = serve("--no-index");
    await client.initialize();
    await client.callTool("search", { query: "rollback" });
    expect(await client.kill(signal)).toBe(0);
    client.checkStdout();
  });

  test.each(["close", "SIGTERM", "SIGKILL"] as const)(
    "takes a running index process along: %s",
    async (how) => {
      using large = new TestFolder();
      for (let number = 0; number < 80; number++)
        large.write(`log-${number}.md`, generateDocument(number, 6));
      await using client = new RawClient(["--kb", large.path]);
      await client.initialize();
      while (processesAbout(large.path).length < 2) await Bun.sleep(10);
      await Bun.sleep(200);
      if (how === "close") await client.closeInput();
      else await client.kill(how);
      while (processesAbout(large.path).length > 0) await Bun.sleep(20);
      const report = await runJson(["index", large.path, "--no-vectors"]);
      expect(report.documents).toBe(80);
    },
  );
});

describe("an index process that does not stop", () => {
  test("is killed, and the server ends", async () => {
    using large = new TestFolder();
    for (let number = 0; number < 80; number++) large.write(`log-${number}.md`, generateDocument(number, 6));
    await using client = new RawClient(["--kb", large.path]);
    await client.initialize();
    // A process that has just been forked still shows its parent's arguments.
    const findChild = () => readdirSync("/proc").find((name) => isIndexProcess(name, large.path));
    while (findChild() === undefined) await Bun.sleep(10);
    const child = Number(findChild());
    process.kill(child, "SIGSTOP"); // takes no other signal until it goes on
    expect(await client.closeInput()).toBe(0);
    while (processesAbout(large.path).length > 0) await Bun.sleep(20);
    expect((await runJson(["index", large.path, "--no-vectors"])).documents).toBe(80);
  });
});

function isIndexProcess(name: string, path: string): boolean {
  if (!/^\d+$/.test(name)) return false;
  try {
    const [, command, root] = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
    return command === "index" && root === path;
  } catch {
    return false; // it ended meanwhile
  }
}

/** Command lines of running processes that name `path`. */
function processesAbout(path: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return command.includes(path) ? [command] : [];
      } catch {
        return []; // it ended meanwhile
      }
    });
}
