import { describe, expect, test } from "bun:test";
import { parseDocument } from "../../src/source/parse-document.ts";

/** Links as `line,line target`, wiki links in brackets. */
function linksOf(text: string, path = "a.md"): string[] {
  return parseDocument(path, text).links.links.map(
    ({ kind, target, lines }) => `${lines.join()} ${kind === "wiki" ? `[[${target}]]` : target}`,
  );
}

describe("listLinks", () => {
  test.each<[string, string, readonly string[]]>([
    ["inline links, as written", "x [a](./b%20c.md#h?x 'T') y", ["1 ./b%20c.md#h?x"]],
    ["targets in angle brackets", "[a](<b c.md>)", ["1 b c.md"]],
    ["balanced parentheses", "[a](b(1).md)", ["1 b(1).md"]],
    ["references, full, collapsed and short", "[a][r]\n[r][]\n[r]\n\n[r]: /x/ 'T'", ["1,2,3 /x/"]],
    ["no reference without a definition", "[a][r] and [b]", []],
    ["one entry for a target, with its lines", "[a](x.md) [b](x.md)\n\n[c](x.md)", ["1,3 x.md"]],
    ["the line a link begins on", "one\ntwo [a\nb](x.md) [[N]]", ["2 x.md", "3 [[N]]"]],
    ["links in headings", "# T [a](x.md)\n\nb [c](y.md)\n===", ["1 x.md", "3 y.md"]],
    [
      "links in lists and quotes",
      "- [a](x.md)\n  - b\n    [c](y.md)\n\n> q\n> [d](z.md)",
      ["1 x.md", "3 y.md", "6 z.md"],
    ],
    [
      "links in tables",
      "| [h](h.md) |\n|---|\n| [a](x.md) |\n| [[N\\|q]] |",
      ["1 h.md", "3 x.md", "4 [[N|q]]"],
    ],
    ["lines after front matter", "---\ntitle: T\n---\n\n[a](x.md)", ["5 x.md"]],
    [
      "wiki links with heading and alias",
      "[[N]] [[N#H|alias]] ![[E]]",
      ["1 [[N]]", "1 [[N#H|alias]]", "1 [[E]]"],
    ],
    ["Japanese names", "[[会議 メモ]] [手順](手順/開始.md)", ["1 [[会議 メモ]]", "1 手順/開始.md"]],
    ["a link whose text is in brackets", "[[a]](x.md)", ["1 x.md"]],
    ["a reference in brackets rather than a note", "[[r]]\n\n[r]: x.md", ["1 x.md"]],
    ["no shell tests", "[[ -f x ]]", []],
    [
      "HTML anchors",
      "a <a class='c' href=\"x.md\">b</a>\n\n<div>\n<a href='y.md?a&amp;b'>\n</div>",
      ["1 x.md", "4 y.md?a&b"],
    ],
    ["no images, but what an image links to", "![a](x.png) [![b](y.png)](z.md)", ["1 z.md"]],
    ["nothing in code", "`[a](x.md) [[N]]`\n\n```\n[b](y.md)\n```\n\n    [c](z.md)\n", []],
    ["nothing in comments", "a <!-- [a](x.md) --> b\n\n<!--\n[b](y.md)\n<a href='c.md'>\n-->", []],
    ["nothing in the comments of MDX", "a {/* [a](x.md) */} [b](y.md)", ["1 y.md"]],
    ["nothing escaped", "\\[a](x.md) \\[[N]]", []],
    ["no link within the document", "[a](#h) [b]() [[#h]]", []],
    ["no target that is too long", `[a](${"x".repeat(1100)}.md)`, []],
    ["a query alone", "[a](?x)", ["1 ?x"]],
  ])("finds %s", (_, text, expected) => {
    expect(linksOf(text)).toEqual([...expected]);
  });

  test("counts links with a scheme, and keeps none", () => {
    const text =
      "[a](https://a.example) <https://b.example> [c](mailto:d@e.example) [f](//g.example) [h](x.md)";
    expect(parseDocument("a.md", text).links).toMatchObject({ external: 4, links: [{ target: "x.md" }] });
  });

  test("reads none in plain text", () => {
    expect(linksOf("[a](x.md) [[N]]", "a.txt")).toEqual([]);
  });

  test.each([
    "[".repeat(100_000),
    "[a](".repeat(30_000),
    "[[a".repeat(30_000),
    "![".repeat(50_000),
    "<a ".repeat(30_000),
    "{/*".repeat(30_000),
    "`[".repeat(50_000),
  ])("bears %.8s…", (text) => {
    expect(linksOf(text)).toEqual([]);
  });
});
