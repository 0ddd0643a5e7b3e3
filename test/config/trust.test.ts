import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { listSettings } from "../../src/config/schema.ts";
import { isInside, restrictUntrusted } from "../../src/config/trust.ts";
import { TestFolder } from "../support/test-folder.ts";

describe("restrictUntrusted", () => {
  const harmless: Record<string, unknown>[] = [
    {},
    { search: { limit: 3 } },
    { index: { hidden: true } },
    { index: { index_dir: ".cache/kb" } },
    { index: "no table" },
    { index: { index_dir: 5 } },
  ];
  test.each(harmless)("leaves %j alone", (table) => {
    const result = restrictUntrusted(table, "/notes/kb.toml", "/notes");
    expect(result).toEqual({ table, warnings: [] });
  });

  const outward = ["/tmp/elsewhere", "..", "../elsewhere", "inner/../../elsewhere"];
  test.each(outward)("takes out an index_dir of %s, and nothing else", (indexDir) => {
    const table = { index: { index_dir: indexDir, hidden: true }, search: { limit: 3 } };
    const result = restrictUntrusted(table, "/notes/kb.toml", "/notes");
    expect(result.table).toEqual({ index: { hidden: true }, search: { limit: 3 } });
    expect(result.warnings).toHaveLength(1);
    expect(result.warnings[0]).toContain(JSON.stringify(indexDir));
    expect(table.index.index_dir).toBe(indexDir);
  });

  test("sees through a link that leads out of the folder", () => {
    using folder = new TestFolder();
    const notes = folder.mkdir("notes");
    symlinkSync(folder.mkdir("outside"), folder.at("notes/link"));
    const result = restrictUntrusted({ index: { index_dir: "link/kb" } }, folder.at("notes/kb.toml"), notes);
    expect(result.warnings).toHaveLength(1);
  });
});

describe("restrictUntrusted of HTTP", () => {
  const reaching: [key: string, value: unknown][] = [
    ["bind", "0.0.0.0:3100"],
    ["bind", "[::]:3100"],
    ["bind", "notes.example:80"],
    ["allowed_hosts", []],
    ["allowed_origins", ["https://evil.example"]],
    ["token_file", "token"],
    ["healthz_public", true],
    ["max_sessions", 0],
    ["session_idle_minutes", 10_080],
    ["max_calls", 1000],
    ["deadline_seconds", 200],
    ["body_seconds", 200],
    ["readers", 16],
  ];
  test.each(reaching)("takes out %s = %j, and says how to accept it", (key, value) => {
    const table = { http: { [key]: value }, search: { limit: 3 } };
    const result = restrictUntrusted(table, "/notes/kb.toml", "/notes");
    expect(result.table).toEqual({ http: {}, search: { limit: 3 } });
    expect(result.warnings).toHaveLength(1);
    expect(result.warnings[0]).toContain(`http.${key} = ${JSON.stringify(value)}`);
    expect(result.warnings[0]).toContain("--config /notes/kb.toml");
  });

  test("knows every setting there is", () => {
    const keys = new Set(reaching.map(([key]) => `http.${key}`));
    const all = listSettings().filter(({ key }) => key.startsWith("http."));
    expect(all.filter(({ key }) => !keys.has(key))).toEqual([]);
  });

  test.each(["127.0.0.1:4000", "[::1]:0", "localhost:80"])(
    "leaves a bind of %s, which nobody else reaches",
    (bind) => {
      const table = { http: { bind } };
      expect(restrictUntrusted(table, "/notes/kb.toml", "/notes")).toEqual({ table, warnings: [] });
    },
  );

  test("leaves a key that is no setting for the schema to refuse", () => {
    const table = { http: { bund: "0.0.0.0:1" } };
    expect(restrictUntrusted(table, "/notes/kb.toml", "/notes").table).toEqual(table);
  });
});

describe("isInside", () => {
  const rows: [path: string, folder: string, expected: boolean][] = [
    ["/a/b", "/a", true],
    ["/a", "/a", true],
    ["/ab", "/a", false],
    ["/a/../b", "/a", false],
    ["/a/..b", "/a", true],
    ["/", "/a", false],
    ["/a", "/", true],
  ];
  test.each(rows)("%s in %s is %p", (path, folder, expected) => {
    expect(isInside(path, folder)).toBe(expected);
  });
});
