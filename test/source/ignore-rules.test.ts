import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import ignore from "ignore";
import { type WalkOptions, type WalkResult, walkFolder } from "../../src/source/walk.ts";
import { TestFolder } from "../support/test-folder.ts";
import { unprivileged } from "../support/unprivileged.ts";

const defaults: WalkOptions = {
  extensions: ["md", "txt"],
  excludeDirs: [],
  hidden: false,
  gitignore: false,
};

/** Walks a folder of empty files with an ignore file in its root. */
function walkOver(paths: readonly string[], ignoreFile: string): WalkResult {
  using folder = new TestFolder();
  for (const path of paths) folder.write(path, "");
  folder.write(".kbignore", ignoreFile);
  return walkFolder(folder.path, defaults);
}

describe("walkFolder with ignore files", () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    ["a folder", "logs/\n!logs/keep.md", ["logs/keep.md", "a.md"], ["a.md"]],
    ["a pattern undone", "*.md\n!keep.md", ["keep.md", "a.md"], ["keep.md"]],
    ["any case", "Build/", ["build/x.md"], []],
    ["a folder, not a file", "build.md/", ["build.md"], ["build.md"]],
    ["an anchored name", "/a.md", ["a.md", "x/a.md"], ["x/a.md"]],
    ["everything", "*", ["a.md"], []],
    ["a comment and an escape", "# a.md\n\\#b.md", ["a.md", "#b.md"], ["a.md"]],
    ["CRLF and a byte-order mark", "\uFEFFa.md\r\nb.md\r\n", ["a.md", "b.md", "c.md"], ["c.md"]],
    ["a built-in folder never undone", "!node_modules/", ["node_modules/x.md"], []],
  ])("applies the ignore file: %s", (_, rules, paths, kept) => {
    expect(walkOver(paths, rules).files.map(({ path }) => path)).toEqual([...kept]);
  });

  test.each<[string, Record<string, string>, readonly string[], readonly string[]]>([
    ["below its folder only", { "d/.kbignore": "a.md" }, ["a.md", "d/a.md", "d/e/a.md"], ["a.md"]],
    ["anchored in its folder", { "d/.kbignore": "/a.md" }, ["d/a.md", "d/e/a.md"], ["d/e/a.md"]],
    ["a path from its folder", { "d/.kbignore": "e/a.md" }, ["d/e/a.md", "e/a.md"], ["e/a.md"]],
    [
      "the deeper file wins",
      { ".kbignore": "*.md", "d/.kbignore": "!a.md" },
      ["a.md", "d/a.md", "d/b.md"],
      ["d/a.md"],
    ],
    [
      "an upper file is undone below only",
      { ".kbignore": "!a.md", "d/.kbignore": "a.md" },
      ["a.md", "d/a.md"],
      ["a.md"],
    ],
    [
      "nothing comes back below a folder left out",
      { ".kbignore": "d/", "d/.kbignore": "!a.md" },
      ["d/a.md"],
      [],
    ],
    [
      "a folder name full of pattern characters",
      { "d[1]*?\\/.kbignore": "/a.md" },
      ["d[1]*?\\/a.md", "d1/a.md"],
      ["d1/a.md"],
    ],
    ["a name in another Unicode form", { ".kbignore": "か\u3099.md" }, ["が.md", "a.md"], ["a.md"]],
    ["an escaped space at the end", { ".kbignore": "a\\ \nb.md   " }, ["a /x.md", "b.md", "c.md"], ["c.md"]],
    ["an escaped exclamation mark", { "d/.kbignore": "\\!a.md" }, ["d/!a.md", "d/a.md"], ["d/a.md"]],
    ["broken patterns fit nothing", { ".kbignore": "[\n\\\n!\n/\n[z-a\nb.md" }, ["a.md", "b.md"], ["a.md"]],
    ["git's only if asked", { ".gitignore": "a.md" }, ["a.md"], ["a.md"]],
  ])("applies ignore files: %s", (_, ignoreFiles, paths, kept) => {
    using folder = new TestFolder();
    for (const path of paths) folder.write(path, "");
    for (const [path, rules] of Object.entries(ignoreFiles)) folder.write(path, rules);
    const { files, problems } = walkFolder(folder.path, defaults);
    expect(files.map(({ path }) => path)).toEqual([...kept]);
    expect(problems).toEqual([]);
  });

  test.each<[string, Record<string, string>, readonly string[], readonly string[]]>([
    [
      "at every level",
      { ".gitignore": "a.md", "d/.gitignore": "b.md\n!a.md" },
      ["a.md", "d/a.md", "d/b.md"],
      ["d/a.md"],
    ],
    ["ours wins", { ".gitignore": "*.md", ".kbignore": "!a.md" }, ["a.md", "b.md"], ["a.md"]],
    ["ours wins over a deeper one", { ".kbignore": "!a.md", "d/.gitignore": "a.md" }, ["d/a.md"], ["d/a.md"]],
    [
      "ours brings a folder back",
      { ".gitignore": "d/", ".kbignore": "!d/" },
      ["d/a.md", "d/e/b.md"],
      ["d/a.md", "d/e/b.md"],
    ],
    ["ours leaves more out", { ".gitignore": "!a.md", ".kbignore": "a.md" }, ["a.md", "b.md"], ["b.md"]],
  ])("applies git's ignore files if asked: %s", (_, ignoreFiles, paths, kept) => {
    using folder = new TestFolder();
    for (const path of paths) folder.write(path, "");
    for (const [path, rules] of Object.entries(ignoreFiles)) folder.write(path, rules);
    const { files } = walkFolder(folder.path, { ...defaults, gitignore: true });
    expect(files.map(({ path }) => path)).toEqual([...kept]);
  });

  test.each<[string, (file: string) => void, string]>([
    ["a folder", (file) => mkdirSync(file), "not a regular file"],
    ["a link", (file) => symlinkSync("../a.md", file), "symbolic link"],
    ["one that may not be read", (file) => writeFileSync(file, "a.md", { mode: 0 }), "no permission"],
    ["no text", (file) => writeFileSync(file, new Uint8Array([0, 1, 2])), "binary"],
    [
      "in an encoding nobody can tell",
      (file) => writeFileSync(file, new Uint8Array([0xff, 0x2f, 0xfe])),
      "not applied",
    ],
    ["a megabyte of patterns", (file) => writeFileSync(file, "a.md\n".repeat(200_000)), "too large"],
  ])("leaves everything in and says so if an ignore file is %s", (_, make, reason) => {
    using folder = new TestFolder();
    folder.write("a.md", "");
    folder.write("d/a.md", "");
    for (const path of [".kbignore", "d/.gitignore"]) make(folder.at(path));
    const { files, problems } = unprivileged(() => walkFolder(folder.path, { ...defaults, gitignore: true }));
    expect(files.map(({ path }) => path)).toEqual(["a.md", "d/a.md"]);
    expect(problems).toEqual(
      [".kbignore", "d/.gitignore"].map((path) => ({ path, reason: expect.stringContaining(reason) })),
    );
  });

  test("applies an ignore file in Shift_JIS", () => {
    using folder = new TestFolder();
    folder.write("あい.md", "");
    folder.write(".kbignore", new Uint8Array([0x82, 0xa0, 0x82, 0xa2, 0x2e, 0x6d, 0x64, 0x0a]));
    expect(walkFolder(folder.path, defaults)).toMatchObject({ files: [], problems: [] });
  });

  test("applies the first thousand patterns and says so", () => {
    const rules = `${Array.from({ length: 1000 }, (_, i) => `x${i}`).join("\n")}\na.md\n`;
    const { files, problems } = walkOver(["a.md"], rules);
    expect(files).toHaveLength(1);
    expect(problems).toEqual([{ path: ".kbignore", reason: expect.stringContaining("1000") }]);
  });

  test("applies no ignore file that is too large, and says so", () => {
    const { files, problems } = walkOver(["a.md"], `a.md\n${"#".repeat(70_000)}`);
    expect(files).toHaveLength(1);
    expect(problems).toEqual([{ path: ".kbignore", reason: expect.stringContaining("too large") }]);
  });
});

describe("patterns with many wildcards", () => {
  test.each([
    `${"a/**/".repeat(12)}b.md`,
    `${"**/a/".repeat(12)}b.md`,
    `${"*a".repeat(12)}b.md`,
    `!/x/${"**a".repeat(9)}`,
  ])("are listed and not applied: %s", (pattern) => {
    const deep = `${"a/".repeat(40)}c.md`;
    const { files, problems } = walkOver(
      [deep, `${"a".repeat(200)}.md`, "b.md", "z.md"],
      `z.md\n${pattern}\n`,
    );
    expect(files).toHaveLength(3);
    expect(problems).toEqual([
      { path: ".kbignore", reason: `patterns with too many wildcards are not applied: ${pattern}` },
    ]);
  });

  test("mean the same when they repeat each other", () => {
    const part = fc.constantFrom("**/", "**/**/", "**/**/**/", "a/", "b*/", "/");
    const name = fc.constantFrom("a", "b.md", "*.md", "**", "c*");
    const pattern = fc
      .tuple(fc.constantFrom("", "!"), fc.array(part, { maxLength: 3 }), name)
      .map(([sign, parts, last]) => `${sign}${parts.join("")}${last}`);
    const paths = ["a.md", "a/b.md", "a/a/b.md", "b/a/c.md", "bb/b.md", "a/b/c/b.md", "c/c.md"];
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), (patterns) => {
        const slow = ignore().add(patterns);
        const expected = paths.filter((path) => !slow.ignores(path));
        const found = walkOver(paths, patterns.join("\n"));
        expect(found.problems).toEqual([]);
        expect(found.files.map((file) => file.path).sort()).toEqual(expected.sort());
      }),
      { numRuns: 60 },
    );
  });
});
