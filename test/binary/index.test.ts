/**
 * `kb index` on a folder that changes: only what changed is read and embedded, and
 * afterwards the index equals one made from nothing.
 *
 * Folders full of traps are in `hostile-folder.test.ts`.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { generateDocument } from "../support/documents.ts";
import { runJson, runKb, startKb, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(180_000);

const index = (folder: TestFolder, ...more: readonly string[]) => runJson(["index", folder.path, ...more]);
const search = (folder: TestFolder, query: string, ...more: readonly string[]) =>
  runJson(["search", query, "--kb", folder.path, ...more]);

/** What a run did, as numbers. */
const changesOf = ({ added, updated, renamed, removed, unchanged, vectors }: WireValue) => ({
  added,
  updated,
  renamed,
  removed,
  unchanged,
  embedded: vectors.embedded,
});

const pathsOf = (answer: WireValue): string[] => answer.results.map((hit: WireValue) => hit.path);

const nothing = { added: 0, updated: 0, renamed: 0, removed: 0, unchanged: 0, embedded: 0 };

describe("kb index", () => {
  test("reports what it did as one JSON document and nothing else on stdout", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const report = await index(folder);
    expect(report).toMatchObject({
      root: folder.path,
      documents: 15,
      added: 15,
      ...{ updated: 0, renamed: 0, removed: 0, unchanged: 0, skipped: [], warnings: [] },
      vectors: { coverage: 1, pending: 0 },
    });
    expect(report.chunks).toBeGreaterThan(15);
    expect(report.vectors.embedded).toBeGreaterThan(15);
    expect(report.duration_ms).toBeGreaterThan(0);
    expect(folder.read(".kb/.gitignore").trim()).toBe("*");
  });

  test("says nothing on stdout but a summary, and nothing at all with --quiet", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const loud = await runKb(["index", folder.path, "--no-vectors"]);
    expect(loud.code).toBe(0);
    expect(loud.stdout + loud.stderr).toContain("15");
    expect(loud.stdout + loud.stderr).not.toContain("\u001b");
    const quiet = await runKb(["index", folder.path, "--no-vectors", "--quiet"]);
    expect(quiet).toEqual({ code: 0, stdout: quiet.stdout, stderr: "" });
  });

  test("follows changed, new, renamed and deleted files, and embeds only new text", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const first = await index(folder);
    expect(changesOf(await index(folder))).toEqual({ ...nothing, unchanged: 15 });

    folder.rename("runbooks/deploy.md", "archive/how-we-release.md");
    expect(changesOf(await index(folder))).toEqual({ ...nothing, renamed: 1, unchanged: 14 });
    expect((await search(folder, "shioctl rollback")).results[0]).toMatchObject({
      path: "archive/how-we-release.md",
    });

    folder.write(
      "new.md",
      "# Parking\n\nVisitors park behind the greenhouse, never in front of the loading dock.\n",
    );
    expect(changesOf(await index(folder))).toEqual({ ...nothing, added: 1, unchanged: 15, embedded: 1 });
    expect(pathsOf(await search(folder, "parking for guests"))).toContain("new.md");

    folder.write(
      "new.md",
      "# Parking\n\nVisitors now park at the station, since the yard is being rebuilt until May.\n",
    );
    expect(changesOf(await index(folder))).toEqual({ ...nothing, updated: 1, unchanged: 15, embedded: 1 });
    expect(
      (await search(folder, "loading dock")).results.map((hit: WireValue) => hit.content).join(),
    ).not.toContain("loading dock");

    folder.remove("new.md");
    const last = await index(folder);
    expect(changesOf(last)).toEqual({ ...nothing, removed: 1, unchanged: 15 });
    expect(last.chunks).toBe(first.chunks);
  });

  test("re-reads but does not re-embed files whose time changed alone", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    await index(folder);
    for (const path of ["runbooks/deploy.md", "handbook/用語集.md"])
      utimesSync(folder.at(path), new Date("2020-01-01"), new Date("2020-01-01"));
    expect(changesOf(await index(folder))).toEqual({ ...nothing, unchanged: 15 });
  });

  test("notices a change that kept size and time", async () => {
    using folder = new TestFolder();
    const time = new Date("2024-05-05T05:05:05Z");
    const file = folder.write("a.md", "# Colour\n\nThe gate in the north wall is painted green.\n");
    utimesSync(file, time, time);
    await index(folder);
    folder.write("a.md", "# Colour\n\nThe gate in the north wall is painted brown.\n");
    utimesSync(file, time, time);
    expect(changesOf(await index(folder))).toMatchObject({ updated: 1 });
  });

  test("forgets the text of a file that was emptied or became unreadable as text", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    await index(folder, "--no-vectors");
    folder.write("runbooks/deploy.md", "");
    folder.write("product/release-notes.md", new Uint8Array([0, 1, 2, 3, 0, 255]));
    const report = await index(folder, "--no-vectors");
    expect(report.skipped.map((item: WireValue) => item.path)).toContain("product/release-notes.md");
    const paths = (await search(folder, "shioctl apply", "--limit", "50")).results.map(
      (hit: WireValue) => hit.path,
    );
    expect(paths).not.toContain("runbooks/deploy.md");
    expect(
      (await search(folder, "humidity curve", "--limit", "50")).results.map((hit: WireValue) => hit.path),
    ).not.toContain("product/release-notes.md");
  });

  test("gives the same answers whatever the history of the index", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    using fresh = TestFolder.copyOf(SAMPLE_FOLDER);
    folder.write("aaa.md", "# Rollback of the first kind\n\nThis one goes away again.\n");
    folder.rename("runbooks", "books");
    await index(folder);
    folder.remove("aaa.md");
    folder.rename("books", "runbooks");
    await index(folder);
    await index(fresh);
    for (const query of ["rollback", "復元の手順", "who locks my computer when it is gone"])
      expect((await search(folder, query)).results).toEqual((await search(fresh, query)).results);
  });

  test("with --no-vectors is searchable by words and says so; the next run makes the vectors", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const report = await index(folder, "--no-vectors");
    expect(report.vectors).toMatchObject({ coverage: 0, embedded: 0, pending: report.chunks });
    const answer = await search(folder, "rollback");
    expect(answer.degraded).toBe("dense");
    expect(answer.index).toMatchObject({ state: "ready", vectors: 0, pending: report.chunks });
    expect(answer.results[0].path).toBe("runbooks/deploy.md");
    expect(answer.results[0].scores.dense).toBeUndefined();

    const second = await index(folder);
    expect(second.vectors).toMatchObject({ coverage: 1, pending: 0 });
    expect(second.unchanged).toBe(15);
    const full = await search(folder, "rollback");
    expect(full.degraded).toBeUndefined();
    expect(full.results[0].scores.dense).toBeDefined();
  });

  test("with --strict ends with 1 when a file was left out", async () => {
    using folder = new TestFolder();
    folder.write("good.md", "# Good\n\nA file that can be read by everybody.\n");
    expect((await index(folder, "--no-vectors", "--strict")).skipped).toEqual([]);
    folder.write("bad.md", new Uint8Array([0, 0, 0, 1]));
    const report = await runJson(["index", folder.path, "--no-vectors", "--strict"], {}, 1);
    expect(report.skipped).toMatchObject([{ path: "bad.md" }]);
    expect((await index(folder, "--no-vectors")).documents).toBe(1);
  });

  test("embeds nothing twice with --force, but all with another index", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const first = await index(folder);
    folder.write("late.md", "# Late\n\nThe zirconium valve arrived while nobody was serving.\n");
    const forced = await index(folder, "--force");
    expect(forced).toMatchObject({ documents: 16, added: 16 });
    expect(forced.vectors).toMatchObject({ coverage: 1, embedded: 1, carried_over: first.chunks });
    const textOnly = await index(folder, "--force", "--no-vectors");
    expect(textOnly.vectors).toMatchObject({
      coverage: 1,
      embedded: 0,
      pending: 0,
      carried_over: forced.chunks,
    });
    const hits = await search(folder, "who locks my computer when it is gone");
    folder.remove(".kb");
    expect((await index(folder)).vectors.embedded).toBe(forced.chunks);
    expect((await search(folder, "who locks my computer when it is gone")).results).toEqual(hits.results);
  });

  test("rebuilds aside with --force", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const first = await index(folder, "--no-vectors");
    const again = await index(folder, "--no-vectors", "--force");
    expect({ added: again.added, chunks: again.chunks }).toEqual({ added: 15, chunks: first.chunks });
  });

  test("never indexes its own folder, and works on an empty one", async () => {
    using folder = new TestFolder();
    folder.write(".kb/planted.md", "# planted\n\nThis text must never be found by anybody.\n");
    expect((await index(folder)).documents).toBe(0);
    const answer = await search(folder, "planted text");
    expect(answer.results).toEqual([]);
  });
});

describe("an interrupted kb index", () => {
  const fill = (folder: TestFolder) => {
    for (let number = 0; number < 60; number++) folder.write(`log-${number}.md`, generateDocument(number, 6));
  };

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 130],
  ] as const)(
    "by %s ends with %d and leaves a valid index that the next run completes",
    async (signal, code) => {
      using folder = new TestFolder();
      fill(folder);
      const child = startKb(["index", folder.path, "--quiet"]);
      while (!(folder.has(".kb/current") && (await pendingOf(folder)) > 0)) await Bun.sleep(50);
      child.kill(signal);
      expect(await child.exited).toBe(code);
      await expectCompletedByNextRun(folder);
    },
  );

  test("by SIGKILL leaves a valid index that the next run completes", async () => {
    using folder = new TestFolder();
    fill(folder);
    const child = startKb(["index", folder.path, "--quiet"]);
    while (!folder.has(".kb/current")) await Bun.sleep(5);
    await Bun.sleep(150);
    child.kill("SIGKILL");
    await child.exited;
    await expectCompletedByNextRun(folder);
  });

  async function expectCompletedByNextRun(folder: TestFolder): Promise<void> {
    expect((await runKb(["search", "boiler", "--kb", folder.path])).code).toBe(0);
    const report = await index(folder);
    expect(report).toMatchObject({ documents: 60, vectors: { coverage: 1, pending: 0 } });
    expect((await search(folder, "boiler")).index).toMatchObject({ state: "ready", vectors: 1 });
  }

  async function pendingOf(folder: TestFolder): Promise<number> {
    const result = await runKb(["search", "boiler", "--kb", folder.path, "--json"]);
    return result.code === 0 ? (JSON.parse(result.stdout).index.pending ?? 0) : 0;
  }
});

describe.skipIf(process.platform !== "linux")("kb index --while-stdin-open", () => {
  test("runs at low priority, its workers too, and stops when stdin closes", async () => {
    using folder = new TestFolder();
    for (let number = 0; number < 200; number++)
      folder.write(`log-${number}.md`, generateDocument(number, 4));
    const child = startKb(["index", folder.path, "--while-stdin-open", "--json"]);
    const stdout = new Response(child.stdout).text();
    const niceOfThreads = () =>
      readdirSync(`/proc/${child.pid}/task`).map((thread) =>
        // Behind the name in brackets, from field 3 on: nice is field 19.
        Number(
          readFileSync(`/proc/${child.pid}/task/${thread}/stat`, "utf8").split(") ").at(-1)!.split(" ")[16],
        ),
      );
    while (!folder.has(".kb/current")) await Bun.sleep(5);
    while (niceOfThreads().filter((nice) => nice === 19).length < 3) await Bun.sleep(5);
    (child.stdin as Bun.FileSink).end();
    expect(await child.exited).toBe(130);
    expect(JSON.parse(await stdout).interrupted).toBe(true);
  });
});

describe("several processes at once", () => {
  test("index one folder: one finishes, the other waits for it or is refused as busy", async () => {
    using folder = new TestFolder();
    for (let number = 0; number < 20; number++) folder.write(`log-${number}.md`, generateDocument(number, 4));
    const results = await Promise.all([1, 2, 3].map(() => runKb(["index", folder.path, "--json"])));
    expect(results.filter((result) => result.code === 0).length).toBeGreaterThan(0);
    for (const result of results.filter(({ code }) => code !== 0)) {
      expect(result.code).toBe(3);
      expect(JSON.parse(result.stdout).error.code).toBe("busy");
    }
    expect(await index(folder)).toMatchObject({ documents: 20, unchanged: 20, vectors: { coverage: 1 } });
  });

  test("search while one indexes, and all are answered", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    await index(folder, "--no-vectors");
    for (let number = 0; number < 20; number++) folder.write(`log-${number}.md`, generateDocument(number, 4));
    const indexing = index(folder);
    const answers = await Promise.all(Array.from({ length: 6 }, () => search(folder, "rollback")));
    for (const answer of answers) expect(answer.results[0].path).toBe("runbooks/deploy.md");
    await indexing;
  });
});
