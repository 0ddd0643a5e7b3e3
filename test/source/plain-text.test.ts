import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { joinBlocks } from "../../src/core/sections.ts";
import { parsePlainText, parsePlainTextParts } from "../../src/source/plain-text.ts";

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

describe("parsePlainTextParts", () => {
  const anyText = fc
    .array(fc.constantFrom("word ", "文。", "End. ", "\n", "\n\n", " ", "  \n", "x".repeat(30), "🙂"), {
      maxLength: 120,
    })
    .map((parts) => parts.join(""));

  test("gives the same blocks wherever the parts begin, and none that is too long", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 4, max: 80 }),
        (text, size, longest) => {
          const parts: string[] = [];
          for (let at = 0; at < text.length; at += size) parts.push(text.slice(at, at + size));
          const blocks = [...parsePlainTextParts(parts, 1, longest)];
          expect(blocks).toEqual([...parsePlainTextParts([text], 1, longest)]);
          for (const block of blocks) expect(block.text.length).toBeLessThanOrEqual(longest);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("joins the blocks of a cut paragraph again, on their lines", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 80 }), (text, longest) => {
        const cut = joinBlocks([...parsePlainTextParts([text], 1, longest)]);
        const whole = joinBlocks(parsePlainText(text));
        const withoutBlanks = (lines: string) => lines.replace(/[^\S\n]+$/gm, "");
        expect(withoutBlanks(cut.text)).toBe(withoutBlanks(whole.text));
        expect(cut.firstLine).toBe(whole.firstLine);
      }),
    );
  });

  test("cuts a paragraph after a line, else after a sentence, else after a word", () => {
    const textsOf = (text: string) => [...parsePlainTextParts([text], 1, 20)].map((block) => block.text);
    expect(textsOf("first line\nsecond line\nthird")).toEqual(["first line", "second line\nthird"]);
    expect(textsOf("One is here. Two is here.")).toEqual(["One is here. ", "Two is here."]);
    expect(textsOf("no sentence ends in here")).toEqual(["no ", "sentence ", "ends in here"]);
  });
});
