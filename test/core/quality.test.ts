import { describe, expect, test } from "bun:test";
import { qualityOf } from "../../src/core/quality.ts";

describe("qualityOf", () => {
  test.each<[string, string, number]>([
    ["a long line", "x".repeat(80), 1],
    ["79 characters on one line", "x".repeat(79), 0.7],
    ["30 characters on one line", "x".repeat(30), 0.7],
    ["30 characters on two lines", `${"x".repeat(15)}\n${"y".repeat(14)}`, 1],
    ["29 characters on two lines", `${"x".repeat(14)}\n${"y".repeat(14)}`, 0.4],
    ["29 characters on one line", "x".repeat(29), 0.1],
    ["nothing", "", 0.1],
    ["only white space", " \n　\n ", 0.1],
    ["30 characters beyond the basic plane", "𠮷".repeat(30), 0.7],
    ["29 characters beyond the basic plane", "𠮷".repeat(29), 0.1],
    ["white space around does not count", `\n\n${"x".repeat(29)}\n\n`, 0.1],
    ["TBD", "TBD", 0],
    ["todo", " todo. ", 0],
    ["n/a", "N/A", 0],
    ["coming soon", "COMING SOON...", 0],
    ["準備中", "準備中。", 0],
    ["(準備中)", "(準備中)", 0],
    ["詳細は後述する", "詳細は後述する。、 ,", 0],
    ["a task is no boilerplate", "TODO: x", 0.1],
    ["punctuation alone is no boilerplate", "。。。", 0.1],
  ])("scores %s", (_, content, quality) => {
    expect(qualityOf(content)).toBe(quality);
  });
});
