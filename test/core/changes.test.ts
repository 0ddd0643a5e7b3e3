import { describe, expect, test } from "bun:test";
import { classifyByHash, classifyByStat, type FileStat, type IndexedFile } from "../../src/core/changes.ts";

function file(path: string, mtimeNs = 1n): FileStat {
  return { path, rawPath: path, size: 10, mtimeNs, ctimeNs: 1n, inode: 7n };
}

function row(path: string, contentHash: string, isCurrent = true): IndexedFile {
  return { ...file(path), contentHash, readAtNs: 10_000_000_000n, isCurrent };
}

/** Plans as if every file had to be hashed; null stands for one that cannot be read now. */
function plan(rows: Record<string, string>, disk: Record<string, string | null>, unreadable: string[] = []) {
  const classes = classifyByStat(
    Object.keys(disk).map((path) => file(path, 2n)),
    Object.entries(rows).map(([path, hash]) => row(path, hash)),
    unreadable,
  );
  const { add, update, touch, renames, removes, kept } = classifyByHash(
    classes,
    new Map(Object.entries(disk)),
  );
  return {
    add: add.map(({ path }) => path),
    update: update.map((pair) => pair.file.path),
    touch: touch.map((pair) => pair.file.path),
    renames: renames.map((pair) => `${pair.row.path} -> ${pair.file.path}`),
    removes: removes.map(({ path }) => path),
    kept: kept.map(({ path }) => path),
  };
}

const NOTHING = { add: [], update: [], touch: [], renames: [], removes: [], kept: [] };

describe("classifyByStat", () => {
  test.each<[string, Partial<FileStat>]>([
    ["size", { size: 11 }],
    ["mtime", { mtimeNs: 2n }],
    ["ctime", { ctimeNs: 2n }],
    ["inode", { inode: 8n }],
  ])("asks for the hash when %s differs", (_, difference) => {
    const classes = classifyByStat([{ ...file("a.md"), ...difference }], [row("a.md", "H")], []);
    expect(classes.unchanged).toEqual([]);
    expect(classes.changed.map((pair) => pair.row.path)).toEqual(["a.md"]);
  });

  test("takes a file with the same stat for unchanged", () => {
    const classes = classifyByStat([file("a.md")], [row("a.md", "H")], []);
    expect(classes.unchanged.map(({ path }) => path)).toEqual(["a.md"]);
    expect(classes.changed).toEqual([]);
  });

  test("never trusts the stat of a row made by an older parser", () => {
    const classes = classifyByStat([file("a.md")], [row("a.md", "H", false)], []);
    expect(classes.unchanged).toEqual([]);
    expect(classes.changed).toHaveLength(1);
  });

  test("orders every list by code points of the path", () => {
    const classes = classifyByStat(
      [file("𠮷.md"), file("\uFF5E.md"), file("b.md")],
      [row("z.md", "H"), row("c.md", "H")],
      [],
    );
    expect(classes.fresh.map(({ path }) => path)).toEqual(["b.md", "\uFF5E.md", "𠮷.md"]);
    expect(classes.gone.map(({ path }) => path)).toEqual(["c.md", "z.md"]);
  });

  test("takes nothing at or below an unreadable key for gone", () => {
    const rows = ["a.md", "box/b.md", "box/in/c.md", "boxes/d.md"].map((path) => row(path, path));
    expect(classifyByStat([], rows, ["box", "a.md"]).gone.map(({ path }) => path)).toEqual(["boxes/d.md"]);
    expect(classifyByStat([], rows, [""]).gone).toEqual([]);
  });
});

describe("classifyByHash", () => {
  test.each<
    [string, Record<string, string>, Record<string, string | null>, Partial<typeof NOTHING> | object]
  >([
    ["a rename", { "a.md": "H" }, { "b.md": "H" }, { renames: ["a.md -> b.md"] }],
    [
      "two renames of the same content in path order",
      { "b.md": "H", "a.md": "H" },
      { "d.md": "H", "c.md": "H" },
      { renames: ["a.md -> c.md", "b.md -> d.md"] },
    ],
    [
      "two rows for one new file",
      { "a.md": "H", "b.md": "H" },
      { "c.md": "H" },
      { renames: ["a.md -> c.md"], removes: ["b.md"] },
    ],
    [
      "a copy of a file that cannot be read now",
      { "a.md": "H" },
      { "a.md": null, "b.md": "H" },
      { add: ["b.md"], kept: ["a.md"] },
    ],
    ["a copy", { "a.md": "H" }, { "a.md": "H", "b.md": "H" }, { add: ["b.md"], touch: ["a.md"] }],
    ["another file", { "a.md": "H1" }, { "b.md": "H2" }, { add: ["b.md"], removes: ["a.md"] }],
    ["new content", { "a.md": "H1" }, { "a.md": "H2" }, { update: ["a.md"] }],
    ["an empty folder", { "a.md": "H" }, {}, { removes: ["a.md"] }],
    ["a new file that cannot be read", {}, { "a.md": null }, {}],
  ])("plans %s", (_, rows, disk, expected) => {
    expect(plan(rows, disk)).toEqual({ ...NOTHING, ...expected });
  });

  test("removes nothing below an unreadable folder and renames nothing out of it", () => {
    expect(plan({ "box/a.md": "H" }, { "b.md": "H" }, ["box"])).toEqual({ ...NOTHING, add: ["b.md"] });
  });

  test("updates a row made by an older parser although its content is the same", () => {
    const classes = classifyByStat([file("a.md")], [row("a.md", "H", false)], []);
    expect(classifyByHash(classes, new Map([["a.md", "H"]])).update).toHaveLength(1);
  });

  test("takes a fresh file that was not hashed for new", () => {
    const classes = classifyByStat([file("a.md")], [], []);
    expect(classifyByHash(classes, new Map()).add).toHaveLength(1);
  });

  test("refuses a changed file without a hash", () => {
    const classes = classifyByStat([file("a.md", 2n)], [row("a.md", "H")], []);
    expect(() => classifyByHash(classes, new Map())).toThrow(RangeError);
  });
});
