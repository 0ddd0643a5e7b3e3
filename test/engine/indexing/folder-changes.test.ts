import { describe, expect, test } from "bun:test";
import { appendFileSync, utimesSync } from "node:fs";
import { findFolderChanges } from "../../../src/engine/indexing/folder-changes.ts";
import { findIndexFile } from "../../../src/store/index-location.ts";
import { openIndex } from "../../../src/store/open.ts";
import { indexOnce } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

const WALK = { extensions: ["md"], excludeDirs: [], hidden: false, gitignore: false };

function changesOf(folder: TestFolder, budgetMs = Number.POSITIVE_INFINITY) {
  using db = openIndex(findIndexFile(folder.at(".kb"))!, { mode: "read" });
  return findFolderChanges(folder.path, db, WALK, budgetMs);
}

async function indexedFolder(): Promise<TestFolder> {
  const folder = new TestFolder();
  folder.write("a.md", "# A\n\nThe first text.\n");
  folder.write("b/b.md", "# B\n\nThe second text.\n");
  folder.write("nul.md", "a\u0000b");
  folder.write("empty.md", "");
  await indexOnce(folder.path);
  return folder;
}

const NONE = { added: 0, changed: 0, removed: 0, samples: [] };

describe("findFolderChanges", () => {
  test("finds none right after a run, skipped files and files just written included", async () => {
    using folder = await indexedFolder();
    expect(changesOf(folder)).toEqual(NONE);
  });

  test("counts new, changed and removed files, and names changed ones first", async () => {
    using folder = await indexedFolder();
    folder.write("c.md", "# C\n\nNew.\n");
    appendFileSync(folder.at("a.md"), "More.\n");
    folder.remove("b");
    expect(changesOf(folder)).toEqual({
      added: 1,
      changed: 1,
      removed: 1,
      samples: ["a.md", "c.md", "b/b.md"],
    });
  });

  test("counts a moved file as removed and added", async () => {
    using folder = await indexedFolder();
    folder.rename("a.md", "moved.md");
    expect(changesOf(folder)).toMatchObject({ added: 1, changed: 0, removed: 1 });
  });

  test("counts a touched file as changed, since it reads nothing", async () => {
    using folder = await indexedFolder();
    utimesSync(folder.at("a.md"), 1_600_000_000, 1_600_000_000);
    expect(changesOf(folder)).toMatchObject({ added: 0, changed: 1, removed: 0 });
  });

  test("counts a skipped file that was mended", async () => {
    using folder = await indexedFolder();
    folder.write("nul.md", "# Now\n\nIt is a text.\n");
    expect(changesOf(folder)).toMatchObject({ added: 1, changed: 0, removed: 0 });
  });

  test("does not count what an ignore file leaves out", async () => {
    using folder = await indexedFolder();
    folder.write("draft.md", "# Draft\n");
    folder.write(".kbignore", "draft.md\n");
    expect(changesOf(folder)).toEqual(NONE);
  });

  test("answers nothing when its time is over", async () => {
    using folder = await indexedFolder();
    expect(changesOf(folder, 0)).toBeUndefined();
  });
});
