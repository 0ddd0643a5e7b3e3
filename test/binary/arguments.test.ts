/**
 * Command lines as people and scripts type them: refused with the nearest name, or answered.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { generateDocument } from "../support/documents.ts";
import { BINARY, isolatedEnvironment, runJson, runKb } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path, "--no-vectors"]);
});
afterAll(() => folder[Symbol.dispose]());

const search = (query: string, ...more: readonly string[]) =>
  runKb(["search", query, "--kb", folder.path, ...more]);
const searchJson = (query: string, ...more: readonly string[]) =>
  runJson(["search", query, "--kb", folder.path, ...more]);

describe("kb", () => {
  test("prints its version", async () => {
    const result = await runKb(["--version"]);
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/^kb \d+\.\d+\.\d+ \([0-9a-z-]+\)\n$/);
    expect(await runJson(["--version"])).toHaveProperty("version");
  });

  test.each([[["--help"]], [["search", "--help"]], [["index", "-h"]], [["serve", "--help"]]])(
    "prints help without escape codes into a pipe: %j",
    async (args) => {
      const result = await runKb(args);
      expect(result.code).toBe(0);
      expect(result.stdout).toContain("kb");
      expect(result.stdout).not.toContain("\u001b");
    },
  );

  test.each([[["help"]], [["help", "search"]], [["help", "--json"]], [["help", "help"]]])(
    "takes %j for --help",
    async (args) => {
      const flags = args.filter((argument) => argument !== "help");
      expect(await runKb(args)).toEqual(await runKb([...flags, "--help"]));
    },
  );

  test.each([[["--help"]], [["search", "--help"]]])("prints help as it is typed: %j", async (args) => {
    const { stdout } = await runKb(args);
    expect(stdout).toContain("--kb=<dir>");
    expect(stdout).toContain("--kb-path=<dir>");
    expect(stdout).not.toMatch(/(?<!-)-kb-path/);
    expect(stdout).not.toMatch(/[ \t]$/m);
  });

  const refused: [args: string[], part: string][] = [
    [["help", "serach"], "Did you mean kb search?"],
    [["search", "x", "--kb="], "--kb <folder>"],
    [["-v"], "See: kb --help"],
    [["serach", "x"], "Did you mean kb search?"],
    [["frobnicate"], 'unknown command "frobnicate"'],
    [["search", "x", "--limt", "3"], "Did you mean --limit?"],
    [["search", "x", "--limit"], "--limit needs a value"],
    [["search"], "needs QUERY"],
    [["search", "two", "words"], 'unexpected argument "words"'],
    [["search", "-x"], 'kb search -- "-x"'],
    [["index", "--vectors=maybe"], '"maybe"'],
    [["get", "a.md", "--lines", "x:y"], '"x:y"'],
    [["toString"], "unknown command"],
    [[], "no command given"],
  ];
  test.each(refused)("refuses %j", async (args, part) => {
    const result = await runKb(args);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: "" });
    expect(result.stderr).toContain(part);
  });
});

describe("--limit", () => {
  test.each(["-1", "abc", "2.5", "", "1e400"])("refuses %j, naming it", async (limit) => {
    const result = await search("rollback", "--limit", limit);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("limit");
    expect(result.stderr).toContain(limit);
  });

  test("of 0 gives no hits and is no error", async () => {
    expect((await searchJson("rollback", "--limit", "0")).results).toEqual([]);
  });

  test.each(["1000000000", "1e9"])("of %s is cut to 1000, and the answer says so", async (limit) => {
    const answer = await searchJson("rollback", "--limit", limit);
    expect(answer.query_info.limit_clamped_from).toBe(1_000_000_000);
    expect(answer.results.length).toBeGreaterThan(0);
  });

  test("of 1 gives one hit", async () => {
    expect((await searchJson("rollback", "-n", "1")).results).toHaveLength(1);
  });
});

describe("a question", () => {
  test.each(["", "   ", "\u3000", "!!! ???", "・・・", "🎉🎊", "()", "\u200b"])(
    "of nothing to search for is answered, not refused: %j",
    async (query) => {
      const answer = await searchJson(query);
      if (answer.results.length === 0) expect(answer.query_info.reason).toBeString();
      const text = await search(query);
      expect(text.code).toBe(0);
      expect(text.stdout.trim()).not.toBe("");
    },
  );

  const hostile = [
    ...'" * ( { ^ % \\ \' ; : + - ~ | & AND OR NOT NEAR( OR,OR {} "" a:b don\'t C++ GB/s 1.0.21'.split(" "),
    ...[
      "multi-agent",
      '"unclosed',
      "col : x",
      "^start",
      "a AND NOT",
      "'; DROP TABLE chunks; --",
      "$1 ?1 :x @y",
    ],
    ...["\t\n", "title:東京", "東京OR大阪", "データ*"],
  ];
  test.each(hostile)("is never syntax of the index: %j", async (query) => {
    expect(Array.isArray((await searchJson(query)).results)).toBe(true);
  });

  test.each(["x", "あ", "🎉", "a "])("may be long: two thousand times %j", async (text) => {
    expect(Array.isArray((await searchJson(text.repeat(2000))).results)).toBe(true);
  });

  test("that begins with a hyphen comes after --", async () => {
    const result = await runKb(["search", "--kb", folder.path, "--json", "--", "--env production"]);
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout).results[0].path).toBe("runbooks/deploy.md");
  });

  test("comes from stdin as -", async () => {
    const options = { stdin: "rollback\n" };
    const fromStdin = await runJson(["search", "-", "--kb", folder.path], options);
    expect(fromStdin).toEqual(await searchJson("rollback"));
    const empty = await runJson(["search", "-", "--kb", folder.path], { stdin: "" });
    expect(empty.results).toEqual([]);
  });

  test("of a megabyte is refused with its size", async () => {
    const result = await runKb(["search", "-", "--kb", folder.path], { stdin: "a ".repeat(524_288) });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/\d{5,} bytes/);
  });

  test("that is no UTF-8 is answered or refused, not a bug", async () => {
    for (const bytes of ["\\377\\376abc", "abc\\200", "\\343\\201"]) {
      const script = `exec "$0" search "$(printf '${bytes}')" --kb "$1" --json`;
      const result = await runKb([folder.path], { command: ["/bin/sh", "-c", script, BINARY] });
      expect([0, 2]).toContain(result.code);
      expect(() => JSON.parse(result.stdout)).not.toThrow();
    }
  });
});

describe("a reader that goes away", () => {
  test.each(["--json", "--no-color"])("ends the program quietly with 0: %s", async (flag) => {
    using large = new TestFolder();
    for (let number = 0; number < 160; number++) large.write(`log-${number}.md`, generateDocument(number, 6));
    await runJson(["index", large.path, "--no-vectors"]);
    const args = ["search", "boiler valve", "--limit", "1000", "--kb", large.path, "--quiet", flag];
    expect((await runKb(args)).stdout.length).toBeGreaterThan(100_000); // more than a pipe holds
    const child = Bun.spawn(
      ["bash", "-c", `"$0" "$@" | head -n 1 > /dev/null; echo "\${PIPESTATUS[0]}"`, BINARY, ...args],
      {
        env: isolatedEnvironment(),
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    expect(await new Response(child.stdout).text()).toBe("0\n");
    expect(await new Response(child.stderr).text()).toBe("");
  });

  test("of stderr does not cost the answer", async () => {
    const script = `"$0" search rollback --kb "$1" --json 2>&-`;
    const result = await runKb([folder.path], { command: ["/bin/sh", "-c", script, BINARY] });
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout).results.length).toBeGreaterThan(0);
  });
});
