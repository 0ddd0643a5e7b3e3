/**
 * `kb get` and `kb status`: reading a document, and what the index says of itself.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { BINARY, runJson, runKb } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
folder.write("broken.md", new Uint8Array([0, 1, 2, 3]));
beforeAll(async () => {
  await runJson(["index", folder.path]);
});
afterAll(() => folder[Symbol.dispose]());

const get = (path: string, ...more: readonly string[]) => runKb(["get", path, "--kb", folder.path, ...more]);

describe("kb get", () => {
  test("prints a document as it is", async () => {
    const result = await get("runbooks/deploy.md");
    expect(result.code).toBe(0);
    expect(result.stdout.trimEnd()).toBe(folder.read("runbooks/deploy.md").trimEnd());
  });

  const ranges: [lines: string, from: number, to: number][] = [
    ["3:5", 3, 5],
    ["4", 4, 4],
    [":2", 1, 2],
    ["30:", 30, 999],
  ];
  test.each(ranges)("prints lines %s", async (lines, from, to) => {
    const result = await get("runbooks/deploy.md", "--lines", lines);
    const expected = folder
      .read("runbooks/deploy.md")
      .split("\n")
      .slice(from - 1, to);
    expect(result.stdout.trimEnd()).toBe(expected.join("\n").trimEnd());
  });

  test("hands control characters on to a pipe, and shows them to a terminal as text", async () => {
    using hostile = new TestFolder();
    const text = "# Title\n\n\tThe valve \u001b[31mred\u001b[0m and \u202etext.\n";
    hostile.write("a.md", text);
    await runJson(["index", hostile.path, "--no-vectors"]);
    const args = ["get", "a.md", "--kb", hostile.path];
    expect((await runKb(args)).stdout.trimEnd()).toBe(text.trimEnd());
    const onTerminal = await runKb([], {
      command: ["/usr/bin/script", "-qec", [BINARY, ...args].join(" "), "/dev/null"],
    });
    expect(onTerminal.stdout).toContain("\tThe valve <U+001B>[31mred<U+001B>[0m and <U+202E>text.\r\n");
  });

  test("takes a path in any normal form", async () => {
    const result = await get("runbooks/バックアップ.md".normalize("NFD"));
    expect(result.code).toBe(0);
  });

  test("prints the same text as JSON, with what is known of the document", async () => {
    const answer = await runJson(["get", "runbooks/deploy.md", "--lines", "1:3", "--kb", folder.path]);
    expect(answer).toMatchObject({
      path: "runbooks/deploy.md",
      title: "Releasing the cloud service",
      lines: { start: 1, end: 3 },
    });
    expect(answer.content).toBe(folder.read("runbooks/deploy.md").split("\n").slice(0, 3).join("\n"));
  });

  test.each(["nowhere.md", "../deploy.md", "/etc/passwd", "broken.md", "runbooks"])(
    "refuses %s",
    async (path) => {
      const result = await get(path);
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 3, stdout: "" });
    },
  );

  test("names what was probably meant", async () => {
    expect((await get("runbook/deploi.md")).stderr).toContain("runbooks/deploy.md");
  });

  test.each(["900:901", "5:3", "0:3"])("refuses lines %s", async (lines) => {
    const result = await get("runbooks/deploy.md", "--lines", lines);
    expect(result.code).not.toBe(0);
    expect(result.code).not.toBe(70);
  });
});

describe("kb status", () => {
  test("says what is in the index, how fresh it is, and what was left out", async () => {
    const status = await runJson(["status", "--kb", folder.path]);
    expect(status).toMatchObject({ root: folder.path, documents: 15 });
    expect(JSON.stringify(status)).toContain("broken.md");
    const text = await runKb(["status", "--kb", folder.path]);
    expect(text.code).toBe(0);
    for (const part of ["15", "broken.md"]) expect(text.stdout).toContain(part);
  });

  test("of a folder without an index says which command makes one", async () => {
    using fresh = new TestFolder();
    const result = await runKb(["status", "--kb", fresh.path]);
    expect([0, 3]).toContain(result.code);
    expect(result.stdout + result.stderr).toContain("kb index");
  });
});
