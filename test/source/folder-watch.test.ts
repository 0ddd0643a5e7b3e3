import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { FolderWatch } from "../../src/source/folder-watch.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(60_000);

let folder: TestFolder;
let watch: FolderWatch;
let hints = 0;
let failures: string[] = [];

beforeEach(async () => {
  folder = new TestFolder();
  folder.write("notes/a.md", "one");
  folder.write("notes/sub/deep/b.md", "one");
  folder.write("notes/sub/c.md", "one");
  folder.write("notes/.kb/index-1.db", "one");
  folder.write("notes/node_modules/x/README.md", "one");
  folder.write("outside/in/d.md", "one");
  await begin(folder.at("notes"));
});
afterEach(() => {
  watch.close();
  folder[Symbol.dispose]();
});

async function begin(root: string): Promise<void> {
  failures = [];
  const armed = Promise.withResolvers<void>();
  watch = new FolderWatch(root, {
    extensions: ["md"],
    excludeDirs: ["build"],
    hidden: false,
    gitignore: false,
    onChange: () => hints++,
    onArmed: () => armed.resolve(),
    onFailure: (reason) => {
      failures.push(reason);
      armed.resolve();
    },
  });
  await armed.promise;
  hints = 0;
}

/** Fails by the test's timeout. */
async function hinted(act: () => void): Promise<void> {
  await quiet();
  hints = 0;
  act();
  while (hints === 0) await Bun.sleep(5);
}

/** No event waits any more; a slow machine can only let a test pass that should fail. */
async function quiet(): Promise<void> {
  for (let before = -1; before !== hints; await Bun.sleep(60)) before = hints;
}

async function ignored(act: () => void): Promise<void> {
  await quiet();
  hints = 0;
  act();
  await quiet();
  expect(hints).toBe(0);
}

describe("FolderWatch hints at", () => {
  const changes: readonly [what: string, act: () => void][] = [
    ["a document written in place", () => folder.write("notes/a.md", "two")],
    ["an appended one, deep below", () => appendFileSync(folder.at("notes/sub/deep/b.md"), "two")],
    [
      "one that is written aside and moved over the old",
      () => {
        folder.write("notes/.a.tmp", "two");
        folder.rename("notes/.a.tmp", "notes/a.md");
      },
    ],
    ["a new one", () => folder.write("notes/sub/new.md", "one")],
    ["a new one with a Japanese name", () => folder.write("notes/議事録.md", "one")],
    ["one in new folders", () => folder.write("notes/x/y/z/new.md", "one")],
    ["a removed one", () => folder.remove("notes/a.md")],
    ["a renamed one", () => folder.rename("notes/a.md", "notes/sub/e.md")],
    ["a folder that was moved in", () => folder.rename("outside/in", "notes/in")],
    ["a folder that was moved out", () => folder.rename("notes/sub", "outside/sub")],
    ["a renamed folder", () => folder.rename("notes/sub", "notes/pub")],
    ["a removed folder", () => folder.remove("notes/sub")],
    ["the ignore file", () => folder.write("notes/.kbignore", "sub/\n")],
    ["an ignore file below", () => folder.write("notes/sub/.kbignore", "deep/\n")],
  ];
  test.each(changes)("%s", async (_what, act) => {
    await hinted(act);
    expect(failures).toEqual([]);
  });

  test("what an ignore file below no longer leaves out", async () => {
    await hinted(() => folder.write("notes/sub/.kbignore", "b.md\n"));
    await ignored(() => folder.write("notes/sub/deep/b.md", "two"));
    await hinted(() => folder.write("notes/sub/.kbignore", "\n"));
    await hinted(() => folder.write("notes/sub/deep/b.md", "three"));
  });

  test("documents in folders that came after it", async () => {
    await hinted(() => folder.write("notes/x/y/new.md", "one"));
    await hinted(() => folder.write("notes/x/y/new.md", "two"));
    await hinted(() => folder.rename("outside/in", "notes/x/in"));
    await hinted(() => folder.write("notes/x/in/d.md", "two"));
    await hinted(() => folder.rename("notes/x", "notes/日本語"));
    await hinted(() => folder.write("notes/日本語/y/new.md", "three"));
    await hinted(() => folder.write("notes/日本語/in/d.md", "three"));
  });

  test("documents in a folder that took another's name", async () => {
    await hinted(() => {
      renameSync(folder.at("notes/sub"), folder.at("outside/sub"));
      mkdirSync(folder.at("notes/sub"));
    });
    await hinted(() => folder.write("notes/sub/new.md", "one"));
    await ignored(() => folder.write("outside/sub/c.md", "two"));
  });

  test("documents behind a root that is a link", async () => {
    watch.close();
    symlinkSync(folder.at("notes"), folder.at("link"));
    await begin(folder.at("link"));
    await hinted(() => folder.write("notes/sub/deep/b.md", "two"));
  });

  test("what a changed ignore file lets in, and no longer at what it leaves out", async () => {
    await hinted(() => folder.write("notes/.kbignore", "sub/deep/\n"));
    await ignored(() => folder.write("notes/sub/deep/b.md", "two"));
    await ignored(() => folder.write("notes/sub/deep/deeper/b.md", "two"));
    await hinted(() => folder.write("notes/sub/c.md", "two"));
    await hinted(() => folder.remove("notes/.kbignore"));
    await hinted(() => folder.write("notes/sub/deep/deeper/b.md", "three"));
  });
});

describe("FolderWatch gives no hint at", () => {
  const others: readonly [what: string, act: () => void][] = [
    ["the index", () => folder.write("notes/.kb/index-1.db", "two")],
    ["an index that is made", () => folder.write("notes/sub/.kb/index-1.db", "one")],
    ["a folder of packages", () => folder.write("notes/node_modules/x/README.md", "two")],
    ["a folder left out by name", () => folder.write("notes/build/out.md", "one")],
    ["hidden names", () => folder.write("notes/.draft.md", "one")],
    ["lock files of an office", () => folder.write("notes/~$a.md", "one")],
    ["files that are no documents", () => folder.write("notes/sub/photo.png", "one")],
    ["a document that is read", () => folder.read("notes/a.md")],
  ];
  test.each(others)("%s", async (_what, act) => {
    await ignored(act);
  });

  test("anything once it is closed", async () => {
    watch.close();
    await ignored(() => folder.write("notes/a.md", "two"));
  });
});

describe("FolderWatch", () => {
  test("says why it cannot watch", async () => {
    watch.close();
    await begin(folder.at("nowhere"));
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain("nowhere");
  });

  test("watches a folder once, however often its name came and went at a stroke", async () => {
    for (const name of ["notes/x", "notes/x/y", "notes/x/y/z"]) {
      for (let time = 0; time < 10; time++) {
        mkdirSync(folder.at(name));
        folder.remove(name);
      }
      mkdirSync(folder.at(name));
      await quiet();
    }
    folder.write("notes/.kbignore", "a\n");
    folder.write("notes/.kbignore", "b\n");
    await hinted(() => folder.write("notes/x/y/z/new.md", "one"));
    await quiet();
    // Made, written, closed: an event or two each, for one watch; every further watch tells all of it again.
    expect(hints).toBeLessThan(8);
  });

  test("follows a folder that came back as soon as it had gone", async () => {
    for (let round = 0; round < 6; round++) {
      const name = `notes/again-${round}`;
      for (let time = 0; time < 10; time++) {
        mkdirSync(folder.at(name));
        renameSync(folder.at(name), folder.at(`outside/${round}-${time}`));
        await Bun.sleep(1);
      }
      mkdirSync(folder.at(name));
      await Bun.sleep(150);
      await hinted(() => folder.write(`${name}/new.md`, "one"));
    }
  });

  test("goes on after a flood of events", async () => {
    for (let number = 0; number < 9000; number++) folder.write(`notes/many/${number}.md`, "");
    await quiet();
    await hinted(() => folder.write("notes/late/new.md", "one"));
    await hinted(() => folder.write("notes/late/new.md", "two"));
  });
});
