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
function walkOver(paths: readonly string[], options: Partial<WalkOptions> = {}): WalkResult {
  using folder = new TestFolder();
  for (const path of paths) folder.write(path, "");
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
