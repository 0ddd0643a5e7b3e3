import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import type { Engine } from "../../src/engine/engine.ts";
import { AppError } from "../../src/errors.ts";
import { indexOnce, testEngine } from "../support/test-engine.ts";
import { TestFolder } from "../support/test-folder.ts";

const TEXT = "# 手順\n\n一行目の説明がここにあります。\n二行目。\n三行目。\n";

describe("readIndexedDocument", () => {
  let folder: TestFolder;
  let engine: Engine;

  beforeAll(async () => {
    folder = new TestFolder();
    folder.write("docs/手順.md", TEXT);
    folder.write("docs/long.txt", `${"あ".repeat(999)}\n`.repeat(100));
    folder.write("secret.key", "not a document");
    folder.write(".hidden.md", "# Hidden\n\nNever indexed.\n");
    symlinkSync("/etc/hostname", folder.at("link.md"));
    await indexOnce(folder.path);
    engine = testEngine(folder.path);
  });
  afterAll(async () => {
    await engine.close();
    folder[Symbol.dispose]();
  });

  test("gives the whole document, with its lines counted from 1", () => {
    expect(engine.readDocument({ path: "docs/手順.md" })).toMatchObject({
      content: TEXT.trimEnd(),
      lines: { start: 1, end: 5 },
      total_lines: 5,
      truncated: false,
      title: "手順",
    });
  });

  test("takes the path in decomposed form too", () => {
    folder.write("ガイド.md", TEXT);
    expect(() => engine.readDocument({ path: "カ\u3099イト\u3099.md" })).toThrow("no indexed document");
    expect(engine.readDocument({ path: "docs/手順.md".normalize("NFD") }).total_lines).toBe(5);
  });

  test.each([
    [{ start_line: 4 }, "二行目。\n三行目。", 4, 5],
    [{ end_line: 1 }, "# 手順", 1, 1],
    [{ start_line: 3, end_line: 4 }, "一行目の説明がここにあります。\n二行目。", 3, 4],
    [{ start_line: 5, end_line: 99 }, "三行目。", 5, 5],
  ])("gives lines %p", (lines, content, start, end) => {
    expect(engine.readDocument({ path: "docs/手順.md", ...lines })).toMatchObject({
      content,
      lines: { start, end },
    });
  });

  test.each([{ start_line: 6 }, { start_line: 4, end_line: 3 }])(
    "refuses lines %p, which are not there",
    (lines) => {
      expect(() => engine.readDocument({ path: "docs/手順.md", ...lines })).toThrow(AppError);
    },
  );

  test("gives a long document in parts that join to the whole", () => {
    const parts: string[] = [];
    for (let next: number | undefined = 1; next !== undefined; ) {
      const part: ReturnType<Engine["readDocument"]> = engine.readDocument({
        path: "docs/long.txt",
        start_line: next,
      });
      parts.push(part.content);
      next = part.next_line;
    }
    expect(parts.length).toBeGreaterThan(3);
    expect(`${parts.join("\n")}\n`).toBe(folder.read("docs/long.txt"));
  });

  test.each([
    "../../etc/passwd",
    "/etc/passwd",
    "docs/../docs/手順.md",
    "./docs/手順.md",
    "docs//手順.md",
    "docs\\手順.md",
    "docs/%E6%89%8B%E9%A0%86.md",
    "%2e%2e/%2e%2e/etc/passwd",
    "docs/手順.md\u0000",
    "docs/手順.md/",
    "file:///etc/passwd",
    "secret.key",
    ".hidden.md",
    ".kb/current",
    "link.md",
    "DOCS/手順.md",
    "",
  ])("does not read %p", (path) => {
    expect(() => engine.readDocument({ path })).toThrow(AppError);
  });

  test("names the nearest document for a misspelt path", () => {
    const failure = (() => {
      try {
        engine.readDocument({ path: "docs/long.tx" });
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    })();
    expect(failure).toMatchObject({ code: "missing", hint: "Did you mean docs/long.txt?" });
  });

  test("does not follow a link put in the place of an indexed file", () => {
    folder.write("swap.md", TEXT);
    folder.remove("docs/手順.md");
    symlinkSync("/etc/hostname", folder.at("docs/手順.md"));
    expect(() => engine.readDocument({ path: "docs/手順.md" })).toThrow("symbolic link");
  });
});
