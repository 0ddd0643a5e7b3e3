import { describe, expect, test } from "bun:test";
import { parseMarkdown } from "../../src/source/markdown.ts";

/** Blocks as `kind start-end text`, which reads well in a table. */
function outline(body: string, firstLine?: number): string[] {
  return parseMarkdown(body, firstLine).map(
    ({ kind, level, text, lines }) => `${kind}${level ?? ""} ${lines.start}-${lines.end} ${text}`,
  );
}

describe("parseMarkdown", () => {
  test.each<[string, string, readonly string[]]>([
    ["ATX headings", "# A\n###### B ##\ntext", ["heading1 1-1 A", "heading6 2-2 B", "paragraph 3-3 text"]],
    ["setext headings", "A\nb\n===\n\nC\n---\n", ["heading1 1-3 A b", "heading2 5-6 C"]],
    ["no heading without a space", "#A\n", ["paragraph 1-1 #A"]],
    ["a heading without text", "##\n", ["other 1-1 ##"]],
    ["backtick fences", "```sh\n## x\n\ny\n```\nz", ["code 1-5 ```sh\n## x\n\ny\n```", "paragraph 6-6 z"]],
    ["tilde fences with a longer end", "~~~\n```\n# x\n~~~~\n", ["code 1-4 ~~~\n```\n# x\n~~~~"]],
    ["a fence without end", "```\n# x\n", ["code 1-2 ```\n# x"]],
    ["indented code", "    # x\n    y\n", ["code 1-2     # x\n    y"]],
    [
      "tables",
      "| a | b |\n|---|---|\n| 1 | 2 |\n\nt",
      ["table 1-3 | a | b |\n|---|---|\n| 1 | 2 |", "paragraph 5-5 t"],
    ],
    [
      "lists with what is in them",
      "- a\n\n  ## h\n- b\n\n\ntext",
      ["list 1-4 - a\n\n  ## h\n- b", "paragraph 7-7 text"],
    ],
    ["quotes with what is in them", "> ## h\n> t\n", ["other 1-2 > ## h\n> t"]],
    ["HTML", "<div>\n# x\n</div>\n\nt", ["html 1-3 <div>\n# x\n</div>", "paragraph 5-5 t"]],
    ["no comment", "<!-- a\n# x\n-->\n\nt", ["paragraph 5-5 t"]],
    ["text after a comment", "<!-- a --> t", ["html 1-1 <!-- a --> t"]],
    ["a comment without end", "<!-- a\nt", ["html 1-2 <!-- a\nt"]],
    ["link definitions", "[a]: http://x.y\n", ["other 1-1 [a]: http://x.y"]],
    ["rules", "t\n\n***\n", ["paragraph 1-1 t", "other 3-3 ***"]],
    ["imports of MDX", 'import X from "y";\n\n# A', ['paragraph 1-1 import X from "y";', "heading1 3-3 A"]],
    ["nothing", " \n\n", []],
  ])("finds %s", (_, body, blocks) => {
    expect(outline(body)).toEqual([...blocks]);
  });

  test.each<[string, string]>([
    ["Use `foo()` *now* and **then**", "Use foo() now and then"],
    ["A [link](http://x.y) and ![image](z.png)", "A link and image"],
    ["snake_case_name", "snake_case_name"],
    ["Title {#custom-id}", "Title"],
    ["Fish &amp; \\*chips\\*", "Fish & *chips*"],
    ['<a id="x"></a>Anchored', "Anchored"],
    ["`<div>`", "<div>"],
    ["if式", "if式"],
  ])("reads the heading %p as %p", (written, text) => {
    const [heading] = parseMarkdown(`## ${written}\n`);
    expect(heading).toMatchObject({ kind: "heading", level: 2, text, source: `## ${written}` });
  });

  test("counts lines from the one it is told", () => {
    expect(outline("# A\n\nt", 5)).toEqual(["heading1 5-5 A", "paragraph 7-7 t"]);
  });

  test("takes a heading of a hundred thousand brackets", () => {
    expect(parseMarkdown(`# ${"[".repeat(100_000)}`)[0]!.text).toHaveLength(100_000);
  });
});
