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
