import { describe, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import fc from "fast-check";
import { readDocument } from "../../src/source/read.ts";
import {
  InterruptedReading,
  readTextParts,
  surveyText,
  type TextSurvey,
} from "../../src/source/read-parts.ts";
import { TestFolder } from "../support/test-folder.ts";

const options = { maxBytes: 1_000_000 };
const file = { rawPath: "a.txt" };

function survey(folder: TestFolder): TextSurvey {
  const found = surveyText(folder.path, file, options);
  if (found.kind !== "survey") throw new Error(`surveyed as ${found.kind}`);
  return found;
}

describe("readTextParts", () => {
  test("gives the text that is read whole, however small the parts are", () => {
    using folder = new TestFolder();
    const anyText = fc
      .array(fc.constantFrom("a", "日", "🙂", "\r\n", "\r", "\n", "\uFEFF", " "), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 9 }), (text, partBytes) => {
        folder.write("a.txt", text);
        const whole = readDocument(folder.path, file, options);
        if (whole.kind !== "text") throw new Error(whole.reason);
        const surveyed = survey(folder);
        const parts = [...readTextParts(folder.path, file, surveyed, partBytes)];
        expect(parts.join("")).toBe(whole.text);
        expect(surveyed).toMatchObject({
          contentHash: whole.contentHash,
          units: whole.text.length,
          hasWords: whole.text.trim() !== "",
          size: whole.size,
          inode: whole.inode,
        });
      }),
    );
  });

  test("refuses a file that has other bytes by then, or is another one", () => {
    using folder = new TestFolder();
    folder.write("a.txt", "one two");
    const surveyed = survey(folder);
    folder.write("a.txt", "one six");
    expect(() => [...readTextParts(folder.path, file, surveyed)]).toThrow(InterruptedReading);
    folder.write("b.txt", "one two");
    renameSync(`${folder.path}/b.txt`, `${folder.path}/a.txt`);
    expect(() => [...readTextParts(folder.path, file, surveyed)]).toThrow("changed while it was read");
  });

  test("reads no further than the file went when it was surveyed", () => {
    using folder = new TestFolder();
    folder.write("a.txt", "one two");
    const surveyed = survey(folder);
    folder.write("a.txt", "one two three");
    expect([...readTextParts(folder.path, file, surveyed)]).toEqual(["one two"]);
  });
});

describe("surveyText", () => {
  test.each([
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x41, 0])],
    ["Shift_JIS", new Uint8Array([0x82, 0xb1, 0x82, 0xf1])],
    ["a character that is cut off at the end", new Uint8Array([0x61, 0xe3, 0x81])],
    ["a NUL byte", new Uint8Array([0x61, 0])],
    ["escape sequences", new Uint8Array([0x1b, 0x24, 0x42, 0x30, 0x21])],
    ["control characters", new Uint8Array([1, 2, 3, 4])],
  ])("leaves %s to be read whole", (_, bytes) => {
    using folder = new TestFolder();
    folder.write("a.txt", bytes);
    expect(surveyText(folder.path, file, options)).toEqual({ kind: "other" });
  });

  test("tells why a file is not read at all", () => {
    using folder = new TestFolder();
    expect(surveyText(folder.path, file, options)).toMatchObject({ kind: "skip", isMissing: true });
    folder.write("a.txt", "abc");
    expect(surveyText(folder.path, file, { maxBytes: 2 })).toMatchObject({
      kind: "skip",
      reason: expect.stringContaining("too large"),
    });
  });
});
