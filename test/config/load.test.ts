import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { loadConfig, parseConfig } from "../../src/config/load.ts";
import type { Environment } from "../../src/config/paths.ts";
import { failureOf } from "../support/failure-of.ts";
import { TestFolder } from "../support/test-folder.ts";

const environment = (cwd: string, home = "/nonexistent"): Environment => ({
  cwd,
  variables: { HOME: home },
  platform: "linux",
});

describe("loadConfig", () => {
  test("answers with the defaults when there is no file", () => {
    using folder = new TestFolder();
    const loaded = loadConfig(undefined, folder.path, environment("/"));
    expect(loaded.file).toBeUndefined();
    expect(loaded.config.search.limit).toBe(5);
    expect(loaded.warnings).toEqual([]);
  });

  test("takes the first file found: named, in the root, the user's own", () => {
    using folder = new TestFolder();
    folder.write("home/.config/kb/kb.toml", "[search]\nlimit = 1\n");
    const place = environment(folder.path, folder.at("home"));
    const root = folder.mkdir("notes");
    expect(loadConfig(undefined, root, place).config.search.limit).toBe(1);
    folder.write("notes/kb.toml", "[search]\nlimit = 2\n");
    expect(loadConfig(undefined, root, place).config.search.limit).toBe(2);
    folder.write("named.toml", "[search]\nlimit = 3\n");
    expect(loadConfig("named.toml", root, place).config.search.limit).toBe(3);
  });

  test("merges nothing: what the file leaves out has its default", () => {
    using folder = new TestFolder();
    folder.write("home/.config/kb/kb.toml", "[quality]\nthreshold = 0.9\n");
    folder.write("notes/kb.toml", "[search]\nlimit = 2\n");
    const loaded = loadConfig(undefined, folder.at("notes"), environment("/", folder.at("home")));
    expect(loaded.config.quality.threshold).toBe(0.1);
  });

  test("reads a file with a byte order mark and Windows line ends", () => {
    using folder = new TestFolder();
    folder.write("kb.toml", "\uFEFF[search]\r\nlimit = 7\r\n");
    expect(loadConfig(undefined, folder.path, environment("/")).config.search.limit).toBe(7);
  });

  test("refuses a named file that is not there, also when there are defaults", () => {
    const failure = failureOf(() => loadConfig("/nowhere/kb.toml", undefined, environment("/")));
    expect(failure.code).toBe("config");
    expect(failure.message).toContain("/nowhere/kb.toml");
  });

  test("refuses a file that is no TOML, naming it", () => {
    using folder = new TestFolder();
    const file = folder.write("kb.toml", "[search\nlimit 5");
    const failure = failureOf(() => loadConfig(undefined, folder.path, environment("/")));
    expect(failure.code).toBe("config");
    expect(failure.message).toStartWith(`${file}: line 1, column 8: `);
    expect(failure.message.split("\n")).toHaveLength(1);
  });

  test("takes index_dir relative to the file that says it", () => {
    using folder = new TestFolder();
    folder.write("notes/kb.toml", '[index]\nindex_dir = "cache/kb"\n');
    const loaded = loadConfig(undefined, folder.at("notes"), environment("/"));
    expect(loaded.config.index.index_dir).toBe(folder.at("notes/cache/kb"));
  });

  test("ignores an index_dir that leads out of the folder, and says so", () => {
    using folder = new TestFolder();
    const file = folder.write("notes/kb.toml", '[index]\nindex_dir = "../elsewhere"\n[search]\nlimit = 9\n');
    const loaded = loadConfig(undefined, folder.at("notes"), environment("/"));
    expect(loaded.config.index.index_dir).toBeUndefined();
    expect(loaded.config.search.limit).toBe(9);
    expect(loaded.warnings).toHaveLength(1);
    expect(loaded.warnings[0]).toContain(file);
  });

  test("follows an index_dir out of the folder when the file was named by the user", () => {
    using folder = new TestFolder();
    const file = folder.write("notes/kb.toml", '[index]\nindex_dir = "../elsewhere"\n');
    const loaded = loadConfig(file, folder.at("notes"), environment("/"));
    expect(loaded.config.index.index_dir).toBe(folder.at("elsewhere"));
    expect(loaded.warnings).toEqual([]);
  });
});

describe("loadConfig of what is no plain file", () => {
  const unusable: [what: string, make: (file: string) => void, part: string][] = [
    ["a pipe", (file) => Bun.spawnSync(["mkfifo", file]), "regular file"],
    ["a folder", (file) => mkdirSync(file), "folder"],
    ["a file of more than 1 MiB", (file) => writeFileSync(file, "#".repeat(1024 * 1024 + 1)), "larger than"],
    ["a sparse file of 1 TB", (file) => truncateSync(made(file), 1e12), "larger than"],
  ];
  test.each(unusable)("refuses %s in the folder and where --config names it", (_what, make, part) => {
    using folder = new TestFolder();
    const file = folder.at("kb.toml");
    make(file);
    for (const named of [undefined, file]) {
      const failure = failureOf(() => loadConfig(named, folder.path, environment("/")));
      expect(failure.code).toBe("config");
      expect(failure.message).toContain(file);
      expect(failure.message).toContain(part);
    }
  });

  test("refuses a device that --config names through a link", () => {
    using folder = new TestFolder();
    symlinkSync("/dev/zero", folder.at("zero.toml"));
    expect(failureOf(() => loadConfig("zero.toml", undefined, environment(folder.path))).message).toContain(
      "regular file",
    );
  });

  test.each(["/dev/zero", "secret.toml", "nowhere"])(
    "ignores a link to %s in the folder, says so, and goes on with the user's own file",
    (target) => {
      using folder = new TestFolder();
      folder.write("home/.config/kb/kb.toml", "[search]\nlimit = 1\n");
      folder.write("notes/secret.toml", "password = 1\n");
      symlinkSync(target, folder.at("notes/kb.toml"));
      const loaded = loadConfig(undefined, folder.at("notes"), environment("/", folder.at("home")));
      expect(loaded.config.search.limit).toBe(1);
      expect(loaded.warnings).toEqual([
        expect.stringContaining(`${folder.at("notes/kb.toml")} is a symbolic`),
      ]);
    },
  );

  test("follows links to the user's own file and to a named one", () => {
    using folder = new TestFolder();
    folder.write("dotfiles/kb.toml", "[search]\nlimit = 3\n");
    folder.mkdir("home/.config/kb");
    symlinkSync(folder.at("dotfiles/kb.toml"), folder.at("home/.config/kb/kb.toml"));
    const place = environment("/", folder.at("home"));
    expect(loadConfig(undefined, folder.mkdir("notes"), place).config.search.limit).toBe(3);
    const named = loadConfig(folder.at("home/.config/kb/kb.toml"), undefined, environment("/"));
    expect(named.config.search.limit).toBe(3);
  });
});

function made(file: string): string {
  writeFileSync(file, "");
  return file;
}

describe("parseConfig", () => {
  test("names every problem at once, each with its key", () => {
    const failure = failureOf(() =>
      parseConfig({ search: { limit: -1, fusion: { method: "sum" } }, chunk: { max_tokens: 9 } }, "kb.toml"),
    );
    expect(failure.code).toBe("config");
    for (const key of ["search.limit", "search.fusion.method", "chunk.max_tokens"])
      expect(failure.message).toContain(key);
    expect(failure.message).toContain("(legal: 0 to 1000)");
  });

  const misspelt: [table: unknown, message: string][] = [
    [{ serach: { limit: 5 } }, "unknown key serach. Did you mean search?"],
    [{ search: { limt: 5 } }, "unknown key search.limt. Did you mean search.limit?"],
    [
      { search: { fusion: { rrfk: 5 } } },
      "unknown key search.fusion.rrfk. Did you mean search.fusion.rrf_k?",
    ],
    [{ "search.limit": 5 }, 'unknown key "search.limit". Write it without the quotes: search.limit'],
    [{ search: { "fusion.rrf_k": 5 } }, 'unknown key search."fusion.rrf_k". Write it without the quotes'],
    [{ "search.limt": 5 }, 'unknown key "search.limt". Did you mean search.limit?'],
  ];
  test.each(misspelt)("refuses %j with the nearest key", (table, message) => {
    expect(failureOf(() => parseConfig(table, "kb.toml")).message).toContain(message);
  });
});
