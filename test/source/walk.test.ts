import { describe, expect, test } from "bun:test";
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { readDocument } from "../../src/source/read.ts";
import { type WalkOptions, type WalkResult, walkFolder } from "../../src/source/walk.ts";
import { TestFolder } from "../support/test-folder.ts";
import { unprivileged } from "../support/unprivileged.ts";

const defaults: WalkOptions = {
  extensions: ["md", "markdown", "mdx", "txt"],
  excludeDirs: [".obsidian", "target"],
  hidden: false,
  gitignore: false,
};

/** Walks a folder of empty files. */
function walkOver(
  paths: readonly string[],
  options: Partial<WalkOptions> = {},
  ignoreFile?: string,
): WalkResult {
  using folder = new TestFolder();
  for (const path of paths) folder.write(path, "");
  if (ignoreFile !== undefined) folder.write(".kbignore", ignoreFile);
  return walkFolder(folder.path, { ...defaults, ...options });
}

function keysOver(...args: Parameters<typeof walkOver>): string[] {
  return walkOver(...args).files.map(({ path }) => path);
}

describe("walkFolder", () => {
  test("orders component by component, by code points", () => {
    const inOrder = [
      "B.md",
      "a/b/c.md",
      "a/b.md",
      "a.md",
      "a-b/c.md",
      "é.md",
      "日本/x.md",
      "\uFF5E.md",
      "𠮷.md",
    ];
    const byCodePoint = [
      "B.md",
      "a/b/c.md",
      "a/b.md",
      "a-b/c.md",
      "a.md",
      "é.md",
      "日本/x.md",
      "\uFF5E.md",
      "𠮷.md",
    ];
    expect(keysOver(inOrder.toReversed())).toEqual(byCodePoint);
  });

  test("takes the extensions it is told, in any case", () => {
    expect(keysOver(["a.MD", "b.markdown", "c.mdx", "d.txt", "e.html", "md", "f.md.bak"])).toEqual([
      "a.MD",
      "b.markdown",
      "c.mdx",
      "d.txt",
    ]);
    expect(keysOver(["a.md", "b.rst"], { extensions: ["RST"] })).toEqual(["b.rst"]);
  });

  test("leaves hidden names out unless told otherwise", () => {
    const paths = [".a.md", ".b/c.md", "d.md"];
    expect(keysOver(paths)).toEqual(["d.md"]);
    expect(keysOver(paths, { hidden: true })).toEqual([".a.md", ".b/c.md", "d.md"]);
  });

  test("always leaves folders of tools and of the index out, and the listed ones in any case", () => {
    const built = [".git/a.md", ".svn/a.md", ".hg/a.md", "Node_Modules/a.md", ".KB/a.md"];
    const paths = [...built, "Target/a.md", "target.md", "x/target/y.md"];
    expect(keysOver(paths, { hidden: true })).toEqual(["target.md"]);
    expect(keysOver(paths, { hidden: true, excludeDirs: [] })).toEqual([
      "Target/a.md",
      "target.md",
      "x/target/y.md",
    ]);
    expect(keysOver(["ａ/Über/b.md"], { excludeDirs: ["u\u0308ber"] })).toEqual([]);
  });

  test("leaves lock files of office programs out", () => {
    expect(keysOver(["~$a.md", ".~lock.a.md#", "a.md"], { hidden: true, extensions: ["md", "md#"] })).toEqual(
      ["a.md"],
    );
  });

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
    expect(keysOver(paths, {}, rules)).toEqual([...kept]);
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

  test("lists odd names as they are", () => {
    const names = [
      " a .md",
      "'.md",
      '"q".md',
      "A.md",
      "a.md",
      "b\\c.md",
      "line\nbreak.md",
      "tab\t.md",
      `${"x".repeat(252)}.md`,
      `${"あ".repeat(84)}.md`,
      "😀.md",
    ];
    expect(keysOver(names).toSorted()).toEqual(names.toSorted());
  });

  test("reports what lies deeper than the system can name, and goes on", () => {
    using folder = new TestFolder();
    folder.write("a.md", "");
    // From the inside out, since no call takes the whole path.
    folder.write("deep/b.md", "");
    for (let depth = 0; depth < 25; depth++) {
      folder.write("outer/b.md", "");
      folder.rename("deep", `outer/${"x".repeat(200)}`);
      folder.rename("outer", "deep");
    }
    const { files, problems, unreadable } = walkFolder(folder.path, defaults);
    expect(Bun.spawnSync(["rm", "-rf", folder.at("deep")]).exitCode).toBe(0);
    expect(files.length).toBeGreaterThan(3);
    expect(problems.map(({ path }) => path)).toEqual([...unreadable]);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.reason).toContain("ENAMETOOLONG");
  });

  test("applies the first thousand patterns and says so", () => {
    const rules = `${Array.from({ length: 1000 }, (_, i) => `x${i}`).join("\n")}\na.md\n`;
    const { files, problems } = walkOver(["a.md"], {}, rules);
    expect(files).toHaveLength(1);
    expect(problems).toEqual([{ path: ".kbignore", reason: expect.stringContaining("1000") }]);
  });

  test("applies no ignore file that is too large, and says so", () => {
    const { files, problems } = walkOver(["a.md"], {}, `a.md\n${"#".repeat(70_000)}`);
    expect(files).toHaveLength(1);
    expect(problems).toEqual([{ path: ".kbignore", reason: expect.stringContaining("too large") }]);
  });

  test("follows no links and reports those that stand for documents or folders", () => {
    using folder = new TestFolder();
    folder.write("real/a.md", "a");
    folder.write("data.bin", "");
    symlinkSync(folder.at("real/a.md"), folder.at("link.md"));
    symlinkSync("nowhere", folder.at("dangling.md"));
    symlinkSync(folder.at("real"), folder.at("linked"));
    symlinkSync(folder.path, folder.at("real/loop"));
    symlinkSync(folder.at("data.bin"), folder.at("other.bin"));
    symlinkSync(folder.at("real"), folder.at("target"));
    const { files, problems, unreadable } = walkFolder(folder.path, defaults);
    expect(files.map(({ path }) => path)).toEqual(["real/a.md"]);
    expect(problems).toEqual(
      ["dangling.md", "link.md", "linked", "real/loop"].map((path) => ({ path, reason: "symbolic link" })),
    );
    expect(unreadable).toEqual([]);
  });

  test("opens no pipes and sockets", async () => {
    using folder = new TestFolder();
    expect(Bun.spawnSync(["mkfifo", folder.at("pipe.md")]).exitCode).toBe(0);
    const server = createServer().listen(folder.at("socket.md"));
    await new Promise((resolve) => server.once("listening", resolve));
    const { files, problems } = walkFolder(folder.path, defaults);
    server.close();
    expect(files).toEqual([]);
    expect(problems.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      "pipe.md: not a regular file",
      "socket.md: not a regular file",
    ]);
  });

  test("gives NFC keys and the raw names for opening", () => {
    using folder = new TestFolder();
    const raw = "か\u3099/カ\u3099.md";
    folder.write(raw, "text");
    const [file] = walkFolder(folder.path, defaults).files;
    expect(file).toMatchObject({ path: "が/ガ.md", rawPath: raw, size: 4 });
    expect(readDocument(folder.path, file!, { maxBytes: 100 })).toMatchObject({ kind: "text", text: "text" });
  });

  test("keeps names apart that are one text in NFC, and reports them", () => {
    const { files, problems } = walkOver(["が.md", "か\u3099.md"]);
    expect(files.map(({ path }) => path).toSorted()).toEqual(["か\u3099.md", "が.md"]);
    expect(problems).toEqual([{ path: "か\u3099.md", reason: expect.stringContaining("が.md") }]);
  });

  test("reports names that are not UTF-8, and keeps a name with the replacement character", () => {
    using folder = new TestFolder();
    const named = (...parts: (string | number[])[]) =>
      Buffer.concat([folder.path, "/", ...parts].map((part) => Buffer.from(part as string)));
    writeFileSync(named([0x83, 0x65], ".md"), "");
    writeFileSync(named([0xff], ".bin"), "");
    mkdirSync(named("x", [0xff]));
    folder.write("\uFFFD.md", "");
    const { files, problems } = walkFolder(folder.path, defaults);
    expect(files.map(({ path }) => path)).toEqual(["\uFFFD.md"]);
    expect(problems.map(({ path }) => path).toSorted()).toEqual(["\\x83e.md", "x\\xff"]);
    expect(problems[0]!.reason).toBe("its name is not UTF-8");
  });

  test("lists both names of a hard link", () => {
    using folder = new TestFolder();
    folder.write("a.md", "");
    linkSync(folder.at("a.md"), folder.at("b.md"));
    expect(walkFolder(folder.path, defaults).files).toHaveLength(2);
  });

  test("goes on past a folder it may not read, and names it", () => {
    using folder = new TestFolder();
    folder.write("a.md", "");
    folder.write("closed/b.md", "");
    folder.write("listed/c.md", "");
    chmodSync(folder.at("closed"), 0o000);
    chmodSync(folder.at("listed"), 0o444);
    const { files, problems, unreadable } = unprivileged(() => walkFolder(folder.path, defaults));
    expect(files.map(({ path }) => path)).toEqual(["a.md"]);
    expect(unreadable).toEqual(["closed", "listed/c.md"]);
    expect(problems).toEqual(unreadable.map((path) => ({ path, reason: "no permission to read it" })));
    chmodSync(folder.at("closed"), 0o700);
    chmodSync(folder.at("listed"), 0o700);
  });

  test("refuses a root it cannot list", () => {
    using folder = new TestFolder();
    expect(() => walkFolder(folder.at("nowhere"), defaults)).toThrow(expect.objectContaining({ code: "io" }));
    const file = folder.write("a.md", "");
    expect(() => walkFolder(file, defaults)).toThrow(expect.objectContaining({ code: "io" }));
  });
});
