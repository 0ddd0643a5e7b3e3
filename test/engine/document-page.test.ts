import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatCursor, linesOf, type Place, pageFrom, parseCursor } from "../../src/engine/document-page.ts";

const HASH = "0123456789abcdef0123456789abcdef";
const sizeOf = Buffer.byteLength;

describe("pageFrom", () => {
  test("takes as many whole lines as fit, and says where the rest begins", () => {
    const page = pageFrom(["one", "two", "three"], { line: 1, offset: 0 }, 3, { maxBytes: 9, sizeOf });
    expect(page).toEqual({ content: "one\ntwo", lines: { start: 1, end: 2 }, next: { line: 3, offset: 0 } });
  });

  test("cuts a line that is too long between two characters", () => {
    const page = pageFrom(["𠮷𠮷𠮷"], { line: 1, offset: 0 }, 1, { maxBytes: 6, sizeOf });
    expect(page).toEqual({ content: "𠮷", lines: { start: 1, end: 1 }, next: { line: 1, offset: 2 } });
  });

  test("loses nothing and repeats nothing from page to page", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "語", "𠮷", "\n"), maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (whole, maxBytes) => {
        const lines = linesOf(whole);
        let joined = "";
        let place: Place | undefined = { line: 1, offset: 0 };
        while (place !== undefined) {
          const page = pageFrom(lines, place, lines.length, { maxBytes, sizeOf });
          expect(page.content.isWellFormed()).toBe(true);
          const isOneCharacter = [...page.content].length === 1;
          if (!isOneCharacter) expect(sizeOf(page.content)).toBeLessThanOrEqual(maxBytes);
          joined += page.content;
          const { next }: { next: Place | undefined } = page;
          if (next !== undefined && next.offset === 0) joined += "\n";
          place = next === undefined ? undefined : parseCursor(formatCursor(next, lines.length, HASH), HASH);
        }
        expect(joined).toBe(lines.join("\n"));
      }),
    );
  });
});

describe("parseCursor", () => {
  test.each([
    "",
    "x",
    "1.2.3",
    "1.2.3.zzzzzzzzzzzz",
    "-1.0.1.0123456789ab",
    "1.0.1.0123456789ab\n",
    "1e3.0.1.0123456789ab",
  ])("refuses %j, which no answer gave", (cursor) => {
    expect(() => parseCursor(cursor, HASH)).toThrow("which no answer has given");
  });

  test("refuses the cursor of another text", () => {
    const cursor = formatCursor({ line: 2, offset: 0 }, 9, HASH);
    expect(() => parseCursor(cursor, "f".repeat(32))).toThrow("has changed");
  });
});
