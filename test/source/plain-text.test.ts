import { describe, expect, test } from "bun:test";
import { parsePlainText } from "../../src/source/plain-text.ts";

describe("parsePlainText", () => {
  test("cuts at blank lines, which may hold white space, and keeps indentation", () => {
    expect(parsePlainText("\n  a\nb\n\n　\n# c\n")).toEqual([
      { kind: "paragraph", text: "  a\nb", lines: { start: 2, end: 3 } },
      { kind: "paragraph", text: "# c", lines: { start: 6, end: 6 } },
    ]);
  });

  test("takes a last line without a line feed, and nothing from a blank text", () => {
    expect(parsePlainText("a\n\nb")[1]).toEqual({
      kind: "paragraph",
      text: "b",
      lines: { start: 3, end: 3 },
    });
    expect(parsePlainText("")).toEqual([]);
    expect(parsePlainText("\n \n")).toEqual([]);
  });
});
