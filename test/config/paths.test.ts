import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Environment, resolveRoot, userConfigDir, userDataDir } from "../../src/config/paths.ts";
import { failureOf } from "../support/failure-of.ts";
import { TestFolder } from "../support/test-folder.ts";

const environment = (cwd: string, variables: Environment["variables"] = {}): Environment => ({
  cwd,
  variables,
  platform: "linux",
});

const unnamed = { named: undefined, mayUseCwd: true };

describe("resolveRoot", () => {
  test("prefers the named folder to KB_PATH, and KB_PATH to a marked ancestor", () => {
    using folder = new TestFolder();
    const named = folder.mkdir("named");
    const byVariable = folder.mkdir("variable");
    folder.write("marked/kb.toml", "");
    const cwd = folder.mkdir("marked/deep/deeper");
    const variables = { KB_PATH: byVariable };
    expect(resolveRoot({ named, mayUseCwd: false }, environment(cwd, variables))).toBe(named);
    expect(resolveRoot(unnamed, environment(cwd, variables))).toBe(byVariable);
    expect(resolveRoot(unnamed, environment(cwd, { KB_PATH: "" }))).toBe(folder.at("marked"));
    expect(resolveRoot(unnamed, environment(cwd))).toBe(folder.at("marked"));
  });

  test("finds the nearest ancestor with an index", () => {
    using folder = new TestFolder();
    folder.write("outer/.kb/current", "index-1.db\n");
    folder.write("outer/inner/.kb/current", "index-1.db\n");
    const cwd = folder.mkdir("outer/inner/deep");
    expect(resolveRoot({ named: undefined, mayUseCwd: false }, environment(cwd))).toBe(
      folder.at("outer/inner"),
    );
  });

  test("takes relative names from the working directory and ~ from the home", () => {
    using folder = new TestFolder();
    const notes = folder.mkdir("notes");
    const variables = { HOME: folder.path };
    expect(resolveRoot({ named: "notes", mayUseCwd: false }, environment(folder.path))).toBe(notes);
    expect(resolveRoot({ named: "~/notes", mayUseCwd: false }, environment("/", variables))).toBe(notes);
    expect(resolveRoot({ named: "~", mayUseCwd: false }, environment("/", variables))).toBe(folder.path);
  });

  test("answers with the canonical path of a link", () => {
    using folder = new TestFolder();
    const notes = folder.mkdir("notes");
    symlinkSync(notes, folder.at("link"));
    expect(resolveRoot({ named: folder.at("link"), mayUseCwd: false }, environment("/"))).toBe(notes);
  });

  test("uses the working directory only where that is allowed", () => {
    using folder = new TestFolder();
    expect(resolveRoot(unnamed, environment(folder.path))).toBe(folder.path);
    const failure = failureOf(() =>
      resolveRoot({ named: undefined, mayUseCwd: false }, environment(folder.path)),
    );
    expect(failure.code).toBe("missing");
    expect(failure.message).toContain(folder.path);
    expect(failure.hint).toContain("kb index");
  });

  test("never takes a filesystem root or a home directory that nobody named", () => {
    using folder = new TestFolder();
    const variables = { HOME: folder.path };
    expect(failureOf(() => resolveRoot(unnamed, environment("/", variables))).code).toBe("usage");
    expect(failureOf(() => resolveRoot(unnamed, environment(folder.path, variables))).code).toBe("usage");
    expect(resolveRoot({ named: folder.path, mayUseCwd: false }, environment("/", variables))).toBe(
      folder.path,
    );
  });

  test("does not climb to a home directory that happens to hold a kb.toml", () => {
    using folder = new TestFolder();
    folder.write("kb.toml", "");
    const cwd = folder.mkdir("projects/one");
    expect(resolveRoot(unnamed, environment(cwd, { HOME: folder.path }))).toBe(cwd);
  });

  test("refuses what does not exist, naming it", () => {
    using folder = new TestFolder();
    const failure = failureOf(() =>
      resolveRoot({ named: "nowhere", mayUseCwd: false }, environment(folder.path)),
    );
    expect(failure.code).toBe("missing");
    expect(failure.message).toBe(`no such folder: ${folder.at("nowhere")}`);
  });

  test("refuses an empty name", () => {
    const failure = failureOf(() => resolveRoot({ named: "", mayUseCwd: true }, environment("/tmp")));
    expect(failure.code).toBe("usage");
    expect(failure.hint).toContain("--kb <folder>");
  });

  test("refuses a file, naming the folder that holds it", () => {
    using folder = new TestFolder();
    const file = folder.write("note.md", "# note");
    const failure = failureOf(() => resolveRoot({ named: file, mayUseCwd: false }, environment("/")));
    expect(failure.code).toBe("usage");
    expect(failure.hint).toContain(`--kb ${folder.path}`);
  });
});

describe("the user's own directories", () => {
  const rows: [
    platform: NodeJS.Platform,
    variables: Record<string, string>,
    data: string | undefined,
    config: string | undefined,
  ][] = [
    ["linux", { HOME: "/home/a" }, "/home/a/.local/share/kb", "/home/a/.config/kb"],
    ["linux", { HOME: "/home/a", XDG_DATA_HOME: "/d", XDG_CONFIG_HOME: "/c" }, "/d/kb", "/c/kb"],
    ["linux", { HOME: "/home/a", XDG_DATA_HOME: "" }, "/home/a/.local/share/kb", "/home/a/.config/kb"],
    ["linux", {}, undefined, undefined],
    ["darwin", { HOME: "/Users/a" }, "/Users/a/Library/Application Support/kb", "/Users/a/.config/kb"],
    ["win32", { LOCALAPPDATA: "L", APPDATA: "R" }, join("L", "kb", "data"), join("R", "kb")],
  ];
  test.each(rows)("on %s with %j", (platform, variables, data, config) => {
    const place: Environment = { cwd: "/", variables, platform };
    expect(userDataDir(place)).toBe(data);
    expect(userConfigDir(place)).toBe(config);
  });
});
