import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
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
