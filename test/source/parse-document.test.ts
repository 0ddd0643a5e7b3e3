import { describe, expect, test } from "bun:test";
import { LONGEST_MARKDOWN, parseDocument, parseTextParts } from "../../src/source/parse-document.ts";

describe("parseDocument", () => {
  test.each<[string, string, string, string]>([
    ["front matter", "a/x-y.md", "---\ntitle: Front\n---\n# First\n", "Front"],
    ["the first heading of level 1", "a/x-y.md", "## Sub\n\n# First *one*\n\n# Second", "First one"],
    ["the file name", "a/x-y.md", "## Sub\n", "x y"],
    ["the file name of a text", "a/x-y.txt", "# First\n", "x y"],
    ["the path where the file name says nothing", "a/-.md", "text", "a/-.md"],
  ])("takes the title from %s", (_, path, text, title) => {
    expect(parseDocument(path, text).meta.title).toBe(title);
  });

  test("takes category and topic from the path unless front matter says otherwise", () => {
    expect(parseDocument("rust/async/a.md", "t").meta).toMatchObject({ category: "rust", topic: "async" });
    const text = "---\ncategory: go\ntags: [x]\ndate: 2026-01-05\n---\nt";
    expect(parseDocument("rust/async/a.md", text).meta).toEqual({
      title: "a",
      category: "go",
      topic: "async",
      date: "2026-01-05",
      tags: ["x"],
    });
  });

  test.each(["a.md", "a.markdown", "a.mdx", "a.MD"])(
    "reads %s as Markdown, with lines of the file",
    (path) => {
      expect(parseDocument(path, "---\ntitle: x\n---\n\n# A\n").blocks).toMatchObject([
        { kind: "heading", text: "A", lines: { start: 5, end: 5 } },
      ]);
    },
  );

  test("reads other extensions as plain text, front matter included", () => {
    expect(parseDocument("a.txt", "---\ntitle: x\n---\n# A").blocks).toEqual([
      { kind: "paragraph", text: "---\ntitle: x\n---\n# A", lines: { start: 1, end: 4 } },
    ]);
  });

  test("passes warnings on and goes on with the text", () => {
    const { warnings, blocks } = parseDocument("a.md", "---\ntitle: a: b\n---\ntext");
    expect(warnings.join()).toMatch(/title/);
    expect(blocks).toHaveLength(1);
  });

  test("reads Markdown of excessive length as plain text and says so", () => {
    const { warnings, blocks } = parseDocument("a.md", `# A\n\n${"x".repeat(LONGEST_MARKDOWN)}`);
    expect(warnings).toHaveLength(1);
    expect(new Set(blocks.map(({ kind }) => kind))).toEqual(new Set(["paragraph"]));
    expect(blocks[0]!.text).toBe("# A");
  });
});

describe("parseTextParts", () => {
  function inParts(text: string) {
    const parts: string[] = [];
    for (let at = 0; at < text.length; at += 100_000) parts.push(text.slice(at, at + 100_000));
    return { parts, units: text.length };
  }

  test.each([
    ["a.txt", "one\n\ntwo words\n"],
    ["a.md", `---\ntitle: T\n---\n# A\n\n${"words of a text.\n".repeat(LONGEST_MARKDOWN / 16)}`],
  ])("reads %s as if it were whole", (path, text) => {
    const { blocks, ...others } = parseTextParts(path, inParts(text))!;
    const whole = parseDocument(path, text);
    expect({ ...others, blocks: [...blocks] }).toEqual({ ...whole, blocks: [...whole.blocks] });
  });

  test("leaves Markdown that is not too long to be parsed whole", () => {
    expect(parseTextParts("a.md", inParts("# A\n"))).toBeUndefined();
  });
});

test("a date that no calendar has is kept as written, with a warning", () => {
  const read = (date: string) => parseDocument("a.md", `---\ndate: ${date}\n---\nt`);
  for (const date of ["2026年1月5日", "2026/1/5", "2026-01-05T10:00:00+09:00", "2026-01"])
    expect(read(date).warnings).toEqual([]);
  for (const date of ["someday", "2026-02-30"]) {
    const { meta, warnings } = read(date);
    expect(meta.date).toBe(date);
    expect(warnings).toEqual([expect.stringContaining(`\`date\` is "${date}"`)]);
  }
});

test("category, topic and tags are composed characters, each tag once", () => {
  const { meta } = parseDocument(
    "a.md",
    "---\ncategory: カ\u3099\ntopic: cafe\u0301\ntags: [カ\u3099, ガ]\n---\nt",
  );
  expect(meta).toMatchObject({ category: "ガ", topic: "caf\u00e9", tags: ["ガ"] });
});
