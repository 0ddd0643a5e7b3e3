import { describe, expect, test } from "bun:test";
import { existsSync, truncateSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import {
  createIndexLocation,
  discardGeneration,
  findFileIdentity,
  findIndexFile,
  publishGeneration,
  removeUnused,
  startGeneration,
} from "../../src/store/index-location.ts";
import { openIndex } from "../../src/store/open.ts";
import { TestFolder } from "../support/test-folder.ts";

const make = (file: string) => openIndex(file, { mode: "write" }).close();

describe("createIndexLocation", () => {
  test("makes the folder, hides it from git, and names the first generation", async () => {
    using folder = new TestFolder();
    const directory = folder.at("deep", ".kb");
    expect(findIndexFile(directory)).toBeUndefined();
    const file = createIndexLocation(directory);
    expect(file).toBe(folder.at("deep", ".kb", "index-1.db"));
    expect(await Bun.file(folder.at("deep", ".kb", "current")).text()).toBe("index-1.db\n");
    expect(await Bun.file(folder.at("deep", ".kb", ".gitignore")).text()).toBe("*\n");
    expect(folder.list("deep/.kb")).toEqual([".gitignore", "current"]);
    expect(createIndexLocation(directory)).toBe(file);
    expect(findIndexFile(directory)).toBe(file);
  });

  test("keeps an index whose `current` was lost", () => {
    using folder = new TestFolder();
    for (const name of ["index-2.db", "index-10.db", "index-x.db"]) folder.write(name, "");
    expect(basename(createIndexLocation(folder.path))).toBe("index-10.db");
  });

  test("says that the folder cannot be made", () => {
    using folder = new TestFolder();
    const file = folder.write("file", "");
    expect(() => createIndexLocation(`${file}/.kb`)).toThrow(expect.objectContaining({ code: "io" }));
  });
});

describe("findIndexFile", () => {
  test.each(["", "../other.db", "index-0.db", "index-1.db\nindex-2.db", "index-1.db/x", "/etc/passwd"])(
    "refuses a `current` of %p",
    (content) => {
      using folder = new TestFolder();
      folder.write("current", content);
      expect(() => findIndexFile(folder.path)).toThrow(
        expect.objectContaining({ code: "corrupt", hint: expect.stringContaining("--force") }),
      );
    },
  );
});

describe("findIndexFile of a huge `current`", () => {
  test("reads no more than a name can have", () => {
    using folder = new TestFolder();
    truncateSync(folder.write("current", "index-1.db"), 1e12);
    expect(() => findIndexFile(folder.path)).toThrow(expect.objectContaining({ code: "corrupt" }));
  });
});

describe("publishGeneration", () => {
  test("switches at once and removes what nobody uses", () => {
    using folder = new TestFolder();
    make(createIndexLocation(folder.path));
    const next = startGeneration(folder.path);
    make(next);
    expect(basename(findIndexFile(folder.path)!)).toBe("index-1.db");
    publishGeneration(folder.path, next);
    expect(findIndexFile(folder.path)).toBe(next);
    expect(folder.list()).toEqual([".gitignore", "current", "index-2.db"]);
  });

  test("leaves an old generation to its reader, and removes it the next time", () => {
    using folder = new TestFolder();
    const first = createIndexLocation(folder.path);
    make(first);
    {
      using reader = openIndex(first, { mode: "read" });
      reader.get("SELECT count(*) FROM documents");
      const second = startGeneration(folder.path);
      make(second);
      publishGeneration(folder.path, second);
      expect(existsSync(first)).toBe(true);
      expect(reader.get<object>("SELECT count(*) AS n FROM documents")).toEqual({ n: 0 });
    }
    const third = startGeneration(folder.path);
    make(third);
    publishGeneration(folder.path, third);
    expect(folder.list()).toEqual([".gitignore", "current", "index-3.db"]);
  });

  test("removes a damaged old generation, and is the remedy for a damaged `current`", () => {
    using folder = new TestFolder();
    writeFileSync(createIndexLocation(folder.path), "garbage ".repeat(2000));
    folder.write("current", "nonsense");
    const next = startGeneration(folder.path);
    make(next);
    publishGeneration(folder.path, next);
    expect(folder.list().filter((name) => name.endsWith(".db"))).toEqual([basename(next)]);
    expect(findIndexFile(folder.path)).toBe(next);
  });
});

describe("removeUnused", () => {
  test("clears away what killed runs left: builds, side files without their index, names half put in place", () => {
    using folder = new TestFolder();
    make(createIndexLocation(folder.path));
    make(startGeneration(folder.path));
    writeFileSync(startGeneration(folder.path), "half a page");
    folder.write("index-7.db-wal", "of an index that is gone");
    folder.write("current.123.0f9a1c8e-5a53-4cf3-9a0b-0a3f2a8b6c11", "index-2.db\n");
    folder.write("index-2.db.txt", "somebody's");
    removeUnused(folder.path);
    expect(folder.list()).toEqual([".gitignore", "current", "index-1.db", "index-2.db.txt"]);
    expect(basename(startGeneration(folder.path))).toBe("index-2.db");
  });

  test("leaves what somebody has open", () => {
    using folder = new TestFolder();
    make(createIndexLocation(folder.path));
    const next = startGeneration(folder.path);
    {
      using open = openIndex(next, { mode: "write" });
      removeUnused(folder.path);
      expect(existsSync(open.file)).toBe(true);
    }
    removeUnused(folder.path);
    expect(existsSync(next)).toBe(false);
  });

  test("removes nothing while `current` is lost or unreadable", () => {
    using folder = new TestFolder();
    make(createIndexLocation(folder.path));
    make(startGeneration(folder.path));
    for (const spoil of [() => folder.write("current", "index-"), () => folder.remove("current")]) {
      spoil();
      removeUnused(folder.path);
      expect(folder.list().filter((name) => name.endsWith(".db"))).toEqual(["index-1.db", "index-2.db"]);
    }
  });
});

describe("discardGeneration", () => {
  test("removes a build with its side files", () => {
    using folder = new TestFolder();
    const file = folder.write("index-2.db", "x");
    folder.write("index-2.db-wal", "x");
    discardGeneration(folder.path, file);
    expect(folder.list()).toEqual([]);
  });
});

describe("findFileIdentity", () => {
  test("tells a file from another that took its name", () => {
    using folder = new TestFolder();
    const file = folder.write("index-1.db", "");
    expect(findFileIdentity(folder.at("none"))).toBeUndefined();
    expect(findFileIdentity(`${file}/below-a-file`)).toBeUndefined();
    const first = findFileIdentity(file);
    expect(findFileIdentity(file)).toBe(first!);
    folder.rename("index-1.db", "old.db");
    folder.write("index-1.db", "");
    expect(findFileIdentity(file)).not.toBe(first!);
  });
});
