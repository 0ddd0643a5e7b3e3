import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { guardIndexFolder } from "../../src/store/folder-guard.ts";
import { createIndexLocation, findIndexFile, startGeneration } from "../../src/store/index-location.ts";
import { TestFolder } from "../support/test-folder.ts";

const USERS: [name: string, use: (directory: string) => unknown][] = [
  ["findIndexFile", findIndexFile],
  ["createIndexLocation", createIndexLocation],
  ["startGeneration", startGeneration],
];

describe("guardIndexFolder", () => {
  const used = [
    "current",
    ".gitignore",
    "writer.lock",
    "writer.lock-journal",
    "index-1.db",
    "index-1.db-wal",
    "index-27.db-shm",
    "index-1.db-journal",
  ];
  for (const name of used)
    test.each(USERS)(`lets %s refuse a link named ${name} before anything is written`, (_user, use) => {
      using folder = new TestFolder();
      const target = folder.write("outside/target", "index-1.db");
      folder.mkdir(".kb");
      symlinkSync(target, folder.at(".kb", name));
      expect(() => use(folder.at(".kb"))).toThrow(
        expect.objectContaining({
          code: "corrupt",
          message: expect.stringContaining(folder.at(".kb", name)),
          hint: expect.stringContaining(`rm ${folder.at(".kb", name)}`),
        }),
      );
      expect(folder.read("outside/target")).toBe("index-1.db");
      expect(folder.list(".kb")).toEqual([name]);
      expect(folder.list("outside")).toEqual(["target"]);
    });

  test.each(USERS)("lets %s refuse a folder that is a link, also one that leads nowhere", (_user, use) => {
    using folder = new TestFolder();
    folder.mkdir("outside");
    for (const target of ["outside", "nowhere"]) {
      symlinkSync(folder.at(target), folder.at(".kb"));
      expect(() => use(folder.at(".kb"))).toThrow(expect.objectContaining({ code: "corrupt" }));
      folder.remove(".kb");
    }
    expect(folder.list("outside")).toEqual([]);
    expect(folder.has("nowhere")).toBe(false);
  });

  test.each(USERS)("lets %s refuse a pipe instead of waiting for it", (_user, use) => {
    using folder = new TestFolder();
    Bun.spawnSync(["mkfifo", folder.at("current")]);
    expect(() => use(folder.path)).toThrow(expect.objectContaining({ code: "corrupt" }));
  });

  test("names what is in the way so that a shell takes the name as it is", () => {
    using folder = new TestFolder();
    folder.mkdir("it's here");
    symlinkSync("x", folder.at("it's here/current"));
    expect(() => guardIndexFolder(folder.at("it's here"))).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`'${folder.path}/it'\\''s here/current'`) }),
    );
  });

  test("lets be what does not exist, what is in order, and what is not used", () => {
    using folder = new TestFolder();
    guardIndexFolder(folder.at("nowhere"));
    for (const name of ["current", "index-1.db", "writer.lock"]) folder.write(name, "");
    symlinkSync("/etc/passwd", folder.at("notes.md"));
    guardIndexFolder(folder.path);
  });
});
