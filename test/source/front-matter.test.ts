import { describe, expect, test } from "bun:test";
import { parseFrontMatter } from "../../src/source/front-matter.ts";

const NONE = { title: null, category: null, topic: null, date: null, tags: [] };

/** Fields and warnings of `---`, the block, `---`, and a body of one line. */
function read(block: string) {
  const text = `---\n${block}\n---\nbody`;
  const { fields, warnings, bodyOffset, bodyLine } = parseFrontMatter(text);
  return { fields, warnings, body: text.slice(bodyOffset), bodyLine };
}

describe("parseFrontMatter", () => {
  test("reads the five keys and passes over the others", () => {
    const { fields, warnings, body, bodyLine } = read(
      "title: A note\ncategory: rust\ntopic: async\ndate: 2026-01-05\ntags: [a, b]\nlayout: page\nnested: {x: [1]}",
    );
    expect(fields).toEqual({
      title: "A note",
      category: "rust",
      topic: "async",
      date: "2026-01-05",
      tags: ["a", "b"],
    });
    expect({ warnings, body, bodyLine }).toEqual({ warnings: [], body: "body", bodyLine: 10 });
  });

  test.each<[string, string | null]>([
    ["2026-01-05", "2026-01-05"],
    ["2026-1-5", "2026-01-05"],
    ["2026-01-05T10:00:00Z", "2026-01-05"],
    ["2026-01-05 10:00:00 +09:00", "2026-01-05"],
    ['"2026-1-5"', "2026-1-5"],
    ["2026", "2026"],
    ["012", "012"],
    ["January 2026", "January 2026"],
    ["", null],
    ["null", null],
    ['"  "', null],
  ])("gives the date %p as %p", (written, date) => {
    const { fields, warnings } = read(`date: ${written}`);
    expect(fields.date).toBe(date);
    expect(warnings).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ["tags: [a, b, a]", ["a", "b"]],
    ["tags:\n  - a b\n  - 12\n  - true", ["a b", "12", "true"]],
    ["tags: a, b ,c", ["a", "b", "c"]],
    ["tags: 日本、英語", ["日本", "英語"]],
    ["tags: one", ["one"]],
    ["tags:", []],
    ["tags: []", []],
    ["base: &t [a]\ntags: *t", ["a"]],
  ])("reads %p", (block, tags) => {
    const { fields, warnings } = read(block);
    expect(fields.tags).toEqual([...tags]);
    expect(warnings).toEqual([]);
  });

  test.each<[string, string, RegExp, object]>([
    ["a title that is a list", "title: [a]\ntopic: t", /`title` is not a text/, { topic: "t" }],
    ["tags that are a mapping", "tags: {a: b}\ntitle: T", /`tags` is neither/, { title: "T" }],
    ["a tag that is a list", "tags: [a, [b]]", /item of `tags`/, { tags: ["a"] }],
    ["a duplicate key", "title: one\ntitle: two", /duplicate key `title`/, { title: "two" }],
    ["a tab as indent", "title: T\ntags:\n\t- a\n\t- b", /broken YAML/, { title: "T", tags: ["a", "b"] }],
    [
      "an unclosed quote",
      'title: "open\ntags: [a]',
      /`title` is not valid YAML/,
      { title: "open", tags: ["a"] },
    ],
    [
      "a colon too many",
      "title: a: b: c\ntopic: t",
      /`title` is not valid YAML/,
      { title: "a: b: c", topic: "t" },
    ],
    [
      "an unclosed list",
      "tags: [a, b\ntitle: T",
      /`tags` is not valid YAML/,
      { title: "T", tags: ["a", "b"] },
    ],
  ])("loses no more than it must to %s", (_, block, warning, fields) => {
    const outcome = read(block);
    expect(outcome.fields).toEqual({ ...NONE, ...fields });
    expect(outcome.warnings.join("\n")).toMatch(warning);
    expect(outcome.body).toBe("body");
  });

  test.each<[string, string]>([
    ["text without markers", "title: x\nbody"],
    ["an opening that is never closed", "---\ntitle: x\nbody"],
    ["a marker that is longer", "----\ntitle: x\n----\nbody"],
    ["a closing that is longer", "---\ntitle: x\n----\nbody"],
    ["a text between two rules", "---\nSome words of prose.\n\nMore of it.\n---\nbody"],
    ["a list between two rules", "---\n- a\n- b\n---\nbody"],
    ["a heading between two rules", "---\n# Title\n---\nbody"],
    ["prose with one colon between two rules", "---\nNote: see `a: b`\nand more\nand yet more\n---\nbody"],
    ["a rule below the first line", "text\n---\ntitle: x\n---\nbody"],
  ])("leaves %s in the body", (_, text) => {
    expect(parseFrontMatter(text)).toEqual({ fields: NONE, warnings: [], bodyOffset: 0, bodyLine: 1 });
  });

  test("takes an empty block off", () => {
    expect(parseFrontMatter("---\n---\nbody")).toMatchObject({ fields: NONE, bodyOffset: 8, bodyLine: 3 });
  });

  test("takes three dots for the end, blanks after a marker, CRLF and a byte-order mark", () => {
    for (const text of [
      "---\ntitle: x\n...\nbody",
      "--- \ntitle: x\n---\t\nbody",
      "---\r\ntitle: x\r\n---\r\nbody",
      "\uFEFF---\ntitle: x\n---\nbody",
    ]) {
      const { fields, bodyOffset, bodyLine } = parseFrontMatter(text);
      expect(fields.title).toBe("x");
      expect(text.slice(bodyOffset)).toBe("body");
      expect(bodyLine).toBe(4);
    }
  });

  test("ends at the end of the text too", () => {
    expect(parseFrontMatter("---\ntitle: x\n---")).toMatchObject({ fields: { title: "x" }, bodyOffset: 16 });
  });

  test("fills in from a second block right after the first, and says so", () => {
    const text = "---\ntitle: first\n---\n---\ntitle: second\ntopic: t\n---\nbody";
    const { fields, warnings, bodyOffset, bodyLine } = parseFrontMatter(text);
    expect(fields).toEqual({ ...NONE, title: "first", topic: "t" });
    expect(warnings.join()).toMatch(/second block/);
    expect(text.slice(bodyOffset)).toBe("body");
    expect(bodyLine).toBe(8);
  });

  test("is not harmed by aliases that multiply, or by deep nesting", () => {
    const bomb = Array.from(
      { length: 40 },
      (_, i) => `a${i}: &a${i} [${i === 0 ? "x" : `*a${i - 1},`.repeat(9)}]`,
    );
    expect(read(`${bomb.join("\n")}\ntitle: T\ntags: *a39`).fields).toEqual({ ...NONE, title: "T" });
    expect(read(`title: T\nx: ${"[".repeat(20_000)}`).fields.title).toBe("T");
  });
});
