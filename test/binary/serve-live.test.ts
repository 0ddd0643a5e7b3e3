/**
 * `kb serve` follows its folder: what is saved is found, without a new process and without being asked to.
 *
 * Searches would mend a stale index as well; here they ask for words that are new, which makes no
 * hit stale. How events are told apart is in `test/source/folder-watch.test.ts`.
 */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { generateDocument } from "../support/documents.ts";
import { RawClient } from "../support/mcp-client.ts";
import { BINARY, runJson, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

let folder: TestFolder;
let client: RawClient;

beforeEach(async () => {
  folder = new TestFolder();
  folder.write(
    "notes/boiler.md",
    "# Boiler\n\nThe boiler is in the cellar, and its key hangs in the office.\n",
  );
  folder.write("notes/plans/roof.md", "# Roof\n\nThe copper roof will be mended in spring.\n");
  folder.write("outside/trip/coast.md", "# Coast\n\nA lighthouse keeper told us about whales.\n");
  client = new RawClient(["--kb", folder.at("notes")]);
  await client.initialize();
  await settled();
});
afterEach(async () => {
  client.checkStdout();
  await client[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function search(query: string): Promise<WireValue> {
  return (await client.callTool("search", { query })).structuredContent;
}

/** Paths of the passages that hold `word`. */
async function pathsWith(word: string): Promise<string[]> {
  const { results } = await search(word);
  return results.filter((hit: WireValue) => hit.content.includes(word)).map((hit: WireValue) => hit.path);
}

/** Asks again until the answer is `paths`; fails by the test's timeout. */
async function untilFound(word: string, ...paths: readonly string[]): Promise<void> {
  while ((await pathsWith(word)).toString() !== paths.toString()) await Bun.sleep(25);
}

/** Until no run goes on or is about to begin; a run that comes later would be told by `indexed_at`. */
async function settled(): Promise<string> {
  let before = "";
  for (;;) {
    const { state, indexed_at: indexedAt, vectors } = (await search("boiler")).index;
    if (state === "ready" && vectors === 1 && indexedAt === before) return indexedAt;
    before = indexedAt;
    await Bun.sleep(600);
  }
}

describe("a mistake in kb.toml", () => {
  test("under a running server makes its answers say stale, until it is mended", async () => {
    using changed = TestFolder.copyOf(SAMPLE_FOLDER);
    await runJson(["index", changed.path]);
    await using client = new RawClient(["--kb", changed.path]);
    await client.initialize();
    const ask = async () => (await client.callTool("search", { query: "iguana" })).structuredContent;
    changed.write("kb.toml", "[index]\nbogus = 1\n");
    changed.write("late.md", "# Late\n\nThe iguana sleeps on the warm printer.\n");
    while ((await ask()).index.state !== "stale") await Bun.sleep(200);
    changed.remove("kb.toml");
    for (let answer = await ask(); answer.results[0]?.path !== "late.md"; answer = await ask()) {
      changed.write("other.md", "# Other\n\nSomething else again.\n");
      await Bun.sleep(500);
    }
  });
});

describe("without a new process", () => {
  test("a new document is found, then its new text, then no more", async () => {
    folder.write("notes/pump.md", "# Pump\n\nThe quokka pump hums.\n");
    await untilFound("quokka", "pump.md");
    appendFileSync(folder.at("notes/pump.md"), "\nSince May it rattles like a wombat.\n");
    await untilFound("wombat", "pump.md");
    folder.remove("notes/pump.md");
    await untilFound("wombat");
  });

  test("a document saved by a rename over the old one is found", async () => {
    folder.write("notes/.boiler.tmp", "# Boiler\n\nThe boiler was replaced by a heat pump.\n");
    folder.rename("notes/.boiler.tmp", "notes/boiler.md");
    await untilFound("replaced", "boiler.md");
  });

  test("renamed documents and folders are found by their new names", async () => {
    folder.rename("notes/boiler.md", "notes/cellar/ボイラー.md");
    await untilFound("cellar", "cellar/ボイラー.md");
    folder.rename("notes/plans", "notes/計画");
    await untilFound("copper", "計画/roof.md");
    folder.write("notes/計画/roof.md", "# Roof\n\nThe numbat roof will be mended in autumn.\n");
    await untilFound("numbat", "計画/roof.md");
  });

  test("a folder that is moved in is found, its later changes too, and not after it was moved out", async () => {
    folder.rename("outside/trip", "notes/trip");
    await untilFound("lighthouse", "trip/coast.md");
    folder.write("notes/trip/deep/er/island.md", "# Island\n\nNobody but a dunnart lives there.\n");
    await untilFound("dunnart", "trip/deep/er/island.md");
    folder.rename("notes/trip", "outside/trip");
    await untilFound("lighthouse");
  });

  test("the ignore file takes documents out and lets them in again", async () => {
    folder.write("notes/.kbignore", "plans/\n");
    await untilFound("copper");
    folder.remove("notes/.kbignore");
    await untilFound("copper", "plans/roof.md");
  });

  test("new text is found by its meaning as well", async () => {
    folder.write("notes/pump.md", "# Pump\n\nSomebody forgot to close the umbrella in the ballroom.\n");
    for (;;) {
      const { results } = await search("a person did not shut the parasol in the dancing hall");
      const hit = results.find((found: WireValue) => found.path === "pump.md");
      if (hit?.scores.dense !== undefined) return;
      await Bun.sleep(25);
    }
  });

  test("many documents at once are all found", async () => {
    for (let number = 0; number < 200; number++)
      folder.write(`notes/many/${number}.md`, `# Note ${number}\n\nThe bilby${number} sleeps.\n`);
    await untilFound("bilby0", "many/0.md");
    await untilFound("bilby199", "many/199.md");
  });
});

describe("while vectors are made for minutes", () => {
  test("a new document is found by its words", async () => {
    for (let number = 0; number < 300; number++)
      folder.write(`notes/logs/${number}.md`, generateDocument(number, 6));
    while ((await search("boiler")).index.pending === undefined) await Bun.sleep(50);
    folder.write("notes/pump.md", "# Pump\n\nThe quokka pump hums.\n");
    await untilFound("quokka", "pump.md");
    expect((await search("quokka")).index.pending).toBeGreaterThan(0);
  });
});

describe("no run begins", () => {
  test("after all has settled", async () => {
    folder.write("notes/pump.md", "# Pump\n\nThe quokka pump hums.\n");
    await untilFound("quokka", "pump.md");
    const indexedAt = await settled();
    await Bun.sleep(2000);
    expect((await search("boiler")).index.indexed_at).toBe(indexedAt);
  });

  test("for what is left out", async () => {
    folder.write("notes/.kbignore", "private/\n");
    folder.write("notes/private/diary.md", "Dear diary");
    folder.write("notes/node_modules/x/README.md", "one");
    const indexedAt = await settled();
    folder.write("notes/private/diary.md", "Dear diary, again");
    folder.write("notes/node_modules/x/README.md", "two");
    folder.write("notes/.kb/note.md", "one");
    folder.write("notes/photo.png", "one");
    await Bun.sleep(1500);
    expect((await search("boiler")).index.indexed_at).toBe(indexedAt);
  });
});

describe("a root that goes away", () => {
  test("is said once, and followed again when it is back or made anew", async () => {
    const stderr = new Response(client.process.stderr).text();
    folder.rename("notes", "away");
    while ((await search("boiler")).index.state !== "missing") await Bun.sleep(50);
    await Bun.sleep(3000);
    folder.rename("away", "notes");
    await untilFound("copper", "plans/roof.md");
    folder.write("notes/pump.md", "# Pump\n\nThe quokka pump hums.\n");
    await untilFound("quokka", "pump.md");
    folder.remove("notes");
    folder.write("notes/new.md", "# New\n\nA wombat lives here now.\n");
    await untilFound("wombat", "new.md");
    folder.write("notes/new.md", "# New\n\nA numbat lives here now.\n");
    await untilFound("numbat", "new.md");
    expect(await client.closeInput()).toBe(0);
    const said = (await stderr).split("\n");
    expect(said.filter((line) => line.includes("it is not there")).length).toBeLessThanOrEqual(2);
  });
});

/** Whether this system lets a test have a limit of its own. */
const LIMITED = [
  "unshare",
  "-Ur",
  "sh",
  "-c",
  'echo 2 > /proc/sys/user/max_inotify_watches && exec "$@"',
  "-",
];
const canLimit = Bun.spawnSync([...LIMITED, "true"]).success;

describe.if(canLimit)("a system that watches no more folders", () => {
  test("costs nothing but the speed, and is told in one sentence", async () => {
    await using limited = new RawClient(["--kb", folder.at("notes")], { command: [...LIMITED, BINARY] });
    const stderr = new Response(limited.process.stderr).text();
    await limited.initialize();
    folder.mkdir("notes/one/more");
    await Bun.sleep(1000);
    const { structuredContent } = await limited.callTool("search", { query: "copper" });
    expect(structuredContent.results[0].path).toBe("plans/roof.md");
    expect(await limited.closeInput()).toBe(0);
    const lines = (await stderr).trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("fs.inotify.max_user_watches");
    expect(lines[0]).toContain("every 30 seconds");
  });
});
