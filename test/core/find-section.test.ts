import { describe, expect, test } from "bun:test";
import type { Block } from "../../src/core/document.ts";
import { findSection, listHeadings } from "../../src/core/find-section.ts";

const heading = (level: number, text: string, line: number): Block => ({
  kind: "heading",
  level,
  text,
  lines: { start: line, end: line },
});
const paragraph = (line: number): Block => ({
  kind: "paragraph",
  text: "…",
  lines: { start: line, end: line },
});

const BLOCKS: readonly Block[] = [
  paragraph(1),
  heading(1, "Backups", 3),
  paragraph(4),
  heading(2, "Restoring a backup", 6),
  heading(3, "On Linux", 8),
  paragraph(9),
  heading(2, "復元の手順", 11),
  heading(3, "On Linux", 13),
  paragraph(14),
  heading(1, "C > D", 16),
];

describe("findSection", () => {
  test.each([
    ["Backups", "Backups", 3, 15],
    ["backups", "Backups", 3, 15],
    ["## Restoring a backup", "Restoring a backup", 6, 10],
    ["restoring", "Restoring a backup", 6, 10],
    ["復元", "復元の手順", 11, 15],
    ["a backup", "Restoring a backup", 6, 10],
    ["手順", "復元の手順", 11, 15],
    ["On Linux", "On Linux", 8, 10],
    ["復元の手順 > On Linux", "On Linux", 13, 15],
    ["Backups > On Linux", "On Linux", 8, 10],
    ["backups > 復元 > linux", "On Linux", 13, 15],
    ["Ｂａｃｋｕｐｓ", "Backups", 3, 15],
    ["C > D", "C > D", 16, 20],
  ])("finds %j", (wanted, found, start, end) => {
    expect(findSection(BLOCKS, wanted, 20)).toEqual({ heading: found, lines: { start, end } });
  });

  test.each(["Nothing", "", " > ", "On Linux > Backups", "#"])("finds nothing called %j", (wanted) => {
    expect(findSection(BLOCKS, wanted, 20)).toBeUndefined();
  });
});

describe("listHeadings", () => {
  test("lists them in file order, down to a level", () => {
    expect(listHeadings(BLOCKS, 1)).toEqual(["Backups", "C > D"]);
    expect(listHeadings(BLOCKS)).toHaveLength(6);
  });
});
