/**
 * What the compiled program says when it cannot do what was asked: code, value, next command.
 *
 * Refusals of arguments and questions are in `arguments.test.ts`, damaged indexes in
 * `damage.test.ts`.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { generateDocument } from "../support/documents.ts";
import { asPlainUser, BINARY, type RunOptions, type RunResult, runKb } from "../support/run-binary.ts";
import { canMount, SmallDisk } from "../support/small-disk.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const COMMANDS_WITH_ROOT: [args: string[]][] = [
  [["index"]],
  [["search", "x"]],
  [["status"]],
  [["get", "a.md"]],
  [["serve"]],
];

function expectFailure(result: RunResult, code: number, ...parts: readonly string[]): void {
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: "" });
  expect(result.stderr).toStartWith("kb: ");
  for (const part of parts) expect(result.stderr).toContain(part);
  expect(result.stderr).not.toMatch(/\n {4}at /);
}

describe("a root that cannot be used", () => {
  test.each(COMMANDS_WITH_ROOT)("is refused by %j when it does not exist", async (args) => {
    expectFailure(await runKb([...args, "--kb", "/nowhere/notes"]), 3, "no such folder: /nowhere/notes");
  });

  test.each(COMMANDS_WITH_ROOT)("is refused by %j when it is a file", async (args) => {
    using folder = new TestFolder();
    const file = folder.write("note.md", "# note");
    expectFailure(await runKb([...args, "--kb", file]), 2, `${file} is a file`, folder.path);
  });

  test.each(COMMANDS_WITH_ROOT.slice(0, -1))("is refused by %j when it may not be read", async (args) => {
    using folder = new TestFolder();
    using open = new TestFolder();
    folder.write("notes/a.md", "# a");
    chmodSync(folder.at("notes"), 0);
    try {
      expectFailure(
        await runKb([...args, "--kb", folder.at("notes")], asPlainUser(open.path)),
        3,
        folder.at("notes"),
      );
    } finally {
      chmodSync(folder.at("notes"), 0o755);
    }
  });

  test("is taken from KB_PATH, which the message then shows", async () => {
    const options: RunOptions = { env: { KB_PATH: "/nowhere/by-variable" } };
    expectFailure(await runKb(["search", "x"], options), 3, "/nowhere/by-variable");
  });

  test.each([["index"], ["serve"]])(
    "is never the filesystem root or the home unless named: %s",
    async (command) => {
      using folder = new TestFolder();
      expectFailure(await runKb([command], { cwd: "/" }), 2, "--kb");
      expectFailure(await runKb([command], { cwd: folder.path, env: { HOME: folder.path } }), 2, "--kb");
    },
  );
});

describe("a folder without an index", () => {
  test.each([[["search", "x"]], [["get", "a.md"]]])("says which command makes one: %j", async (args) => {
    using folder = new TestFolder();
    folder.write("a.md", "# a");
    expectFailure(await runKb(args, { cwd: folder.path }), 3, "kb index");
    expectFailure(await runKb([...args, "--kb", folder.path]), 3, "kb index");
    expect(folder.list()).toEqual(["a.md"]);
  });
});

describe("errors under --json", () => {
  const rows: [args: string[], code: number, failure: string][] = [
    [["search", "x", "--kb", "/nowhere"], 3, "missing"],
    [["index", "/nowhere"], 3, "missing"],
    [["search", "x", "--limit", "abc", "--kb", "/"], 2, "usage"],
    [["frobnicate"], 2, "usage"],
    [["search", "x", "--config", "/nowhere/kb.toml", "--kb", "/tmp"], 2, "config"],
    [[], 2, "usage"],
  ];
  test.each(rows)("are one object on stdout, with the same exit code: %j", async (args, code, failure) => {
    const result = await runKb([...args, "--json"]);
    expect(result.code).toBe(code);
    const { error } = JSON.parse(result.stdout);
    expect(error.code).toBe(failure);
    expect(error.message).toBeString();
    expect(error.hint).toBeString();
    expect(result.stderr).toBe("");
  });
});

describe("a wrong configuration file", () => {
  test("is refused with every problem, the nearest key and the file", async () => {
    using folder = new TestFolder();
    folder.write("a.md", "# a");
    const file = folder.write("kb.toml", "[search]\nlimt = 3\n[chunk]\nmax_tokens = 1\n");
    const result = await runKb(["index", folder.path]);
    expectFailure(result, 2, file, "Did you mean search.limit?", "chunk.max_tokens");
  });
});

describe("a full disk", () => {
  test.skipIf(!canMount)(
    "ends indexing with a plain message, and the next run with space completes",
    async () => {
      using disk = new SmallDisk("size=3m");
      for (let number = 0; number < 60; number++)
        writeFileSync(`${disk.path}/log-${number}.md`, generateDocument(number, 20));
      expectFailure(await runKb(["index", disk.path, "--no-vectors", "--quiet"]), 3, "full");
      disk.remount("size=200m");
      const result = await runKb(["index", disk.path, "--no-vectors", "--json"]);
      expect(result.code).toBe(0);
      expect(JSON.parse(result.stdout).documents).toBe(60);
    },
  );
});

describe("stdout on a full device", () => {
  const commands = [
    ["search", "rollback"],
    ["status"],
    ["get", "runbooks/deploy.md"],
    ["--help"],
    ["--version"],
  ];
  for (const json of [[], ["--json"]])
    test.each(commands)(`is told on stderr, and is no bug: ${json} %s`, async (...args) => {
      using folder = TestFolder.copyOf(SAMPLE_FOLDER);
      await runKb(["index", folder.path, "--no-vectors"]);
      const result = await runKb([...args, ...json], {
        cwd: folder.path,
        command: ["/bin/sh", "-c", '"$0" "$@" >/dev/full', BINARY],
      });
      expectFailure(result, 3, "stdout", "no space left");
    });

  test("ends kb serve with the same words", async () => {
    using folder = new TestFolder();
    const hello = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const result = await runKb(["serve", "--no-index", "--kb", folder.path], {
      command: ["/bin/sh", "-c", `(echo '${hello}'; sleep 20) | "$0" "$@" >/dev/full`, BINARY],
    });
    expectFailure(result, 3, "stdout", "no space left");
  });
});
