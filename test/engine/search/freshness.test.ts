import { describe, expect, test } from "bun:test";
import { chmodSync, symlinkSync, utimesSync } from "node:fs";
import { findChangedDocument } from "../../../src/engine/search/freshness.ts";
import { openIndex } from "../../../src/store/open.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

const NOTE = "# Valve\n\nThe zirconium valve is behind the boiler and needs a key to be opened.\n";

async function indexedFolder(count = 2): Promise<TestFolder> {
  const folder = new TestFolder();
  for (let number = 0; number < count; number++) folder.write(`notes/${number}.md`, NOTE);
  await indexOnce(folder.path);
  return folder;
}

function changedOf(folder: TestFolder, paths: readonly string[]): string | undefined {
  using db = openIndex(folder.at(".kb/index-1.db"), { mode: "read" });
  return findChangedDocument(folder.path, db, paths);
}

describe("findChangedDocument", () => {
  const changes: [what: string, change: (folder: TestFolder) => void][] = [
    ["longer", (folder) => folder.write("notes/1.md", `${NOTE}\nMore.\n`)],
    ["rewritten at the same length", (folder) => folder.write("notes/1.md", NOTE.replace("key", "saw"))],
    ["touched", (folder) => utimesSync(folder.at("notes/1.md"), 1, 1)],
    ["of other permissions", (folder) => chmodSync(folder.at("notes/1.md"), 0o600)],
    ["gone", (folder) => folder.remove("notes/1.md")],
    ["gone with its folder", (folder) => folder.rename("notes/0.md", "0.md")],
    [
      "a link",
      (folder) => {
        folder.rename("notes/1.md", "elsewhere.md");
        symlinkSync(folder.at("elsewhere.md"), folder.at("notes/1.md"));
      },
    ],
  ];
  test.each(changes)("names a file that is %s now", async (what, change) => {
    using folder = await indexedFolder();
    expect(changedOf(folder, ["notes/0.md", "notes/1.md"])).toBeUndefined();
    change(folder);
    const changed = what === "gone with its folder" ? "notes/0.md" : "notes/1.md";
    expect(changedOf(folder, ["notes/0.md", "notes/1.md"])).toBe(changed);
  });

  test("names what is in the index no more", async () => {
    using folder = await indexedFolder();
    expect(changedOf(folder, ["notes/7.md"])).toBe("notes/7.md");
  });

  test("looks at no more than 50 documents, and at each once", async () => {
    using folder = await indexedFolder(51);
    const paths = Array.from({ length: 51 }, (_, number) => `notes/${number}.md`);
    folder.remove("notes/50.md");
    expect(changedOf(folder, paths)).toBeUndefined();
    const repeated = [...Array<string>(80).fill("notes/0.md"), "notes/50.md"];
    expect(changedOf(folder, repeated)).toBe("notes/50.md");
  });
});

describe("search", () => {
  const search = async (folder: TestFolder) => {
    const engine = testEngine(folder.path);
    const changed: string[] = [];
    const { index } = await engine.search(
      { query: "zirconium valve" },
      { onChangedDocument: (path) => changed.push(path) },
    );
    await engine.close();
    return { state: index.state, changed };
  };

  test("is stale while the file of a hit is another, and ready after the next run", async () => {
    using folder = await indexedFolder();
    expect(await search(folder)).toEqual({ state: "ready", changed: [] });
    folder.write("notes/1.md", `${NOTE}\nMore.\n`);
    expect(await search(folder)).toEqual({ state: "stale", changed: ["notes/1.md"] });
    await indexOnce(folder.path);
    expect(await search(folder)).toEqual({ state: "ready", changed: [] });
    utimesSync(folder.at("notes/1.md"), 1, 1);
    expect((await search(folder)).state).toBe("stale");
    await indexOnce(folder.path);
    expect((await search(folder)).state).toBe("ready");
  });

  test("notices that the index was removed and made anew under the same name", async () => {
    using folder = await indexedFolder();
    const engine = testEngine(folder.path);
    const paths = async () =>
      (await engine.search({ query: "zirconium valve" })).results.map(({ path }) => path);
    expect((await paths()).sort()).toEqual(["notes/0.md", "notes/1.md"]);
    folder.remove(".kb");
    folder.rename("notes/0.md", "only.md");
    folder.remove("notes");
    await indexOnce(folder.path);
    expect(await paths()).toEqual(["only.md"]);
    folder.remove(".kb");
    expect((await engine.search({ query: "zirconium valve" })).index.state).toBe("missing");
    await engine.close();
  });
});
