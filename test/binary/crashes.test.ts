/** A file or a passage that ends the indexing process twice is found out, left out and told; all others are indexed. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { JOURNAL_NAME, type WorkLeft } from "../../src/store/work-journal.ts";
import { crashAt } from "../support/crash-at.ts";
import { generateDocument } from "../support/documents.ts";
import { RawClient } from "../support/mcp-client.ts";
import { runJson, runKb, startKb } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const REASON = "kb ended twice while it was being indexed";
const hasHeavy = ({ files }: WorkLeft) => files.includes("heavy.md");

/** Among small ones a file that takes long enough to be met in the act. */
function heavyFolder(): TestFolder {
  const folder = new TestFolder();
  for (let number = 0; number < 30; number++) folder.write(`${number}.md`, generateDocument(number, 1));
  folder.write("heavy.md", generateDocument(99, 2000));
  return folder;
}

async function crashRun(folder: TestFolder, isInHand: (work: WorkLeft) => boolean, ...more: string[]) {
  const child = startKb(["index", folder.path, "--quiet", ...more]);
  const work = await crashAt(folder.path, isInHand);
  expect(await child.exited).not.toBe(0);
  return work;
}

const skippedOf = (report: { skipped: { path: string; reason: string }[] }) =>
  report.skipped.map(({ path, reason }) => `${path}: ${reason.split(";")[0]}`);

describe("a file at which kb index ends twice", () => {
  test("is skipped and told from then on, and tried again when it changes", async () => {
    using folder = heavyFolder();
    const first = await crashRun(folder, hasHeavy, "--no-vectors");
    expect(first.isAlone).toBe(false);
    const second = await crashRun(folder, hasHeavy, "--no-vectors");
    expect(second).toMatchObject({ files: ["heavy.md"], isAlone: true });

    const third = await runJson(["index", folder.path, "--no-vectors"]);
    expect(third.documents).toBe(30);
    expect(skippedOf(third)).toEqual([`heavy.md: ${REASON}`]);
    expect(folder.has(`.kb/${JOURNAL_NAME}`)).toBe(false);
    expect(skippedOf(await runJson(["index", folder.path, "--no-vectors"]))).toEqual([`heavy.md: ${REASON}`]);
    expect(skippedOf(await runJson(["status", "--kb", folder.path]))).toEqual([`heavy.md: ${REASON}`]);

    folder.write("heavy.md", "# Light\n\nNow it can be read.\n");
    const changed = await runJson(["index", folder.path, "--no-vectors"]);
    expect(changed).toMatchObject({ added: 1, documents: 31, skipped: [] });
  });

  test("is tried again by --verify and by --force", async () => {
    using folder = heavyFolder();
    await crashRun(folder, hasHeavy, "--no-vectors");
    await crashRun(folder, hasHeavy, "--no-vectors");
    const left = await runJson(["index", folder.path, "--no-vectors"]);
    expect(left.documents).toBe(30);
    using copy = TestFolder.copyOf(folder.path);
    expect((await runJson(["index", folder.path, "--no-vectors", "--verify"])).documents).toBe(31);
    expect((await runJson(["index", copy.path, "--no-vectors", "--force"])).documents).toBe(31);
  });

  test("is taken in by the next run if it crashed once only", async () => {
    using folder = heavyFolder();
    await crashRun(folder, hasHeavy, "--no-vectors");
    const next = await runJson(["index", folder.path, "--no-vectors"]);
    expect(next).toMatchObject({ documents: 31, skipped: [] });
    expect(folder.has(`.kb/${JOURNAL_NAME}`)).toBe(false);
  });
});

describe("a file at which a server's run ends twice", () => {
  test("is left out by the third, and the server goes on", async () => {
    using folder = heavyFolder();
    await using client = new RawClient(["--kb", folder.path]);
    await client.initialize();
    const first = await crashAt(folder.path, hasHeavy);
    const second = await crashAt(folder.path, (work) => hasHeavy(work) && work.isAlone);
    expect(second.pid).not.toBe(first.pid);
    let result = await client.callTool("search", { query: "boiler" });
    while (result.structuredContent.index.state !== "ready") {
      await Bun.sleep(200);
      result = await client.callTool("search", { query: "boiler" });
    }
    expect(result.structuredContent.results.length).toBeGreaterThan(0);
    const status = await runJson(["status", "--kb", folder.path]);
    expect(status.documents).toBe(30);
    expect(skippedOf(status)).toEqual([`heavy.md: ${REASON}`]);
    expect(await client.closeInput()).toBe(0);
  });
});

describe("a passage whose embedding ends kb twice", () => {
  test("gets no vector and is told, and all others get theirs", async () => {
    using folder = new TestFolder();
    for (let number = 0; number < 5; number++) folder.write(`${number}.md`, generateDocument(number, 1));
    await crashRun(folder, ({ texts }) => texts.length > 1);
    const { texts } = await crashRun(folder, ({ texts, isAlone }) => isAlone && texts.length === 1);
    const third = await runJson(["index", folder.path]);
    expect(third.vectors).toMatchObject({ pending: 1, crashing: 1 });
    expect(texts).toHaveLength(1);
    const { vectors } = await runJson(["status", "--kb", folder.path]);
    expect(vectors.pending).toBe(1);
    expect(vectors.crashing).toEqual([{ path: expect.stringMatching(/^\d\.md$/), line: expect.any(Number) }]);
    const text = await runKb(["status", "--kb", folder.path]);
    expect(text.stdout).toContain(`1 given up: ${vectors.crashing[0].path}:${vectors.crashing[0].line}`);
    const forced = await runJson(["index", folder.path, "--force"]);
    expect(forced.vectors).toMatchObject({ pending: 0, coverage: 1 });
  });
});

test("a link in the place of the journal is refused, not written through", async () => {
  using folder = new TestFolder();
  using elsewhere = new TestFolder();
  folder.write("a.md", "# A\n\nText.\n");
  folder.mkdir(".kb");
  const file = elsewhere.write("precious.txt", "precious");
  symlinkSync(file, folder.at(".kb", JOURNAL_NAME));
  const { code, stderr } = await runKb(["index", folder.path, "--no-vectors"]);
  expect(code).toBe(3);
  expect(stderr).toContain(`${JOURNAL_NAME} is a symbolic link`);
  expect(elsewhere.read("precious.txt")).toBe("precious");
});
