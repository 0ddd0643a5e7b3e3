import { describe, expect, test } from "bun:test";
import { windowOfPassage } from "../../src/cli/passage-text.ts";
import type { ByteSpan } from "../../src/core/span.ts";

const shown = (content: string, maxLines = 8, spans: readonly ByteSpan[] = []) =>
  windowOfPassage(content, spans, { maxLines, columns: 80 }).lines.map((pieces) =>
    pieces.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join(""),
  );

describe("windowOfPassage", () => {
  const rows: [content: string, lines: string[]][] = [
    ["a\n\n \t\n\u3000\n\u200b\ufeff\nb", ["a", "b"]],
    ["    a\n      b\n    c", ["a", "  b", "c"]],
    ["\ta\n\t\tb", ["a", "\tb"]],
    ["\ta\n    b", ["\ta", "    b"]],
    ["  a\n\nb", ["  a", "b"]],
    ["\u3000全角\n\u3000\u3000二つ", ["全角", "\u3000二つ"]],
    ["", []],
  ];
  test.each(rows)("shows %j as %j", (content, lines) => {
    expect(shown(content)).toEqual(lines);
  });

  test("takes the indentation away of the lines that are shown, matches kept", () => {
    const content = "top\n    one valve\n    two valve\n";
    const at = content.indexOf("valve");
    const second = content.lastIndexOf("valve");
    const spans = [at, second].map((start) => ({ start, end: start + 5 })) as ByteSpan[];
    expect(shown(content, 2, spans)).toEqual(["one [valve]", "two [valve]"]);
    expect(shown(content, 3, spans)).toEqual(["top", "    one [valve]", "    two [valve]"]);
  });

  test("cuts a match that begins in the indentation", () => {
    expect(shown("  a\n  b", 8, [{ start: 1, end: 3 }] as ByteSpan[])).toEqual(["[a]", "b"]);
  });
});
