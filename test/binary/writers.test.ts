/**
 * Several writers of one index: they take turns, whatever happens to the one before and to the
 * lock between them.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { findInconsistencies } from "../../src/store/consistency.ts";
import { openIndex } from "../../src/store/open.ts";
import { generateDocument } from "../support/documents.ts";
import { runJson, runKb, startKb } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const current = (folder: TestFolder) => folder.at(".kb", folder.read(".kb/current").trim());

function expectSound(folder: TestFolder): void {
  using db = openIndex(current(folder), { mode: "read" });
  expect(findInconsistencies(db)).toEqual([]);
}

/** Starts a run that takes a while, and waits until it has stored its text. */
async function startLongRun(folder: TestFolder) {
  for (let number = 0; number < 24; number++) folder.write(`log-${number}.md`, generateDocument(number, 4));
  const child = startKb(["index", folder.path, "--json"]);
  const stdout = new Response(child.stdout).text();
  const log = folder.at(".kb", "index-1.db-wal");
  while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < 100_000) await Bun.sleep(5);
  return { child, stdout };
}

describe("six runs that start at the same instant", () => {
  test.each([1, 2, 3])("all succeed in making one index (round %d)", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const runs = Array.from({ length: 6 }, () => runKb(["index", folder.path, "--json", "--no-vectors"]));
    const results = await Promise.all(runs);
    expect(results.filter(({ code }) => code !== 0)).toEqual([]);
    const added = results.map(({ stdout }) => JSON.parse(stdout).added).sort((a, b) => a - b);
    expect(added).toEqual([0, 0, 0, 0, 0, 15]);
    expect(folder.list(".kb")).toEqual([".gitignore", "current", "index-1.db", "writer.lock"]);
    expectSound(folder);
  });
});

describe("a run that was stopped, not killed", () => {
  test("keeps its turn, is named to others, and finishes when it goes on", async () => {
    using folder = new TestFolder();
    const { child, stdout } = await startLongRun(folder);
    child.kill("SIGSTOP");
    const { error } = await runJson(["index", folder.path], {}, 3);
    expect(error.code).toBe("busy");
    expect(error.message).toContain(`process ${child.pid} on `);
    expect(error.message).toMatch(/ since \d{4}-\d\d-\d\dT/);
    const answer = await runJson(["search", "boiler", "--kb", folder.path]);
    expect(answer.index.state).toBe("indexing");
    child.kill("SIGCONT");
    expect(await child.exited).toBe(0);
    expect(JSON.parse(await stdout).documents).toBe(24);
  });

  test("does not hold up others once it is killed", async () => {
    using folder = new TestFolder();
    const { child } = await startLongRun(folder);
    child.kill("SIGSTOP");
    child.kill("SIGKILL");
    await child.exited;
    expect((await runJson(["index", folder.path, "--no-vectors"])).documents).toBe(24);
    expectSound(folder);
  });
});

describe("a lock file that is removed while it is held", () => {
  test.each([["--quiet"], ["--force"]])(
    "leaves the index to the later run, and stops the earlier (%s)",
    async (how) => {
      using folder = new TestFolder();
      const { child, stdout } = await startLongRun(folder);
      folder.remove(".kb/writer.lock");
      const later = await runJson(["index", folder.path, how]);
      expect(later).toMatchObject({ documents: 24, interrupted: false, vectors: { coverage: 1 } });
      expect(await child.exited).toBe(3);
      const { error } = JSON.parse(await stdout);
      expect(error).toMatchObject({ code: "busy", hint: expect.stringContaining("kb index") });
      expect(error.message).toContain("writer.lock was removed");
      expectSound(folder);
      expect(await runJson(["index", folder.path])).toMatchObject({ unchanged: 24, documents: 24 });
    },
  );
});
