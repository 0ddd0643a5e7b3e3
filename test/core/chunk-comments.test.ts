import { describe, expect, test } from "bun:test";
import { chunkDocument } from "../../src/core/chunk.ts";
import type { Chunk } from "../../src/core/document.ts";
import { parseMarkdown } from "../../src/source/markdown.ts";

const countTokens = (text: string) => text.match(/\S+/gu)?.length ?? 0;

function chunk(markdown: string): Chunk[] {
  const options = { maxTokens: 64, overlapTokens: 0, fixedTokens: 4, countTokens };
  return chunkDocument(parseMarkdown(markdown), "Title", options);
}

function words(count: number, word = "word"): string {
  return Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");
}

describe("chunkDocument, of a text with comments", () => {
  test("leaves one empty line where a comment was, and names the lines of the file", () => {
    const comment = `<!--\n${"line of a comment\n".repeat(6)}-->`;
    const text = `# A\n\n${words(20, "a")}\n\n${comment}\n${words(20, "b")}\n\n${comment}\n\n${comment}\n\n${words(40, "c")}\n`;
    const [first, second] = chunk(text);
    expect(first).toMatchObject({
      content: `${words(20, "a")}\n\n${words(20, "b")}`,
      lines: { start: 3, end: 13 },
    });
    expect(second).toMatchObject({ content: words(40, "c"), lines: { start: 33, end: 33 }, lead: "\n\n" });
  });

  test("leaves one empty line where a comment stood before a short section", () => {
    const comment = `<!--\n${"line of a comment\n".repeat(6)}-->`;
    const [only] = chunk(`# A\n\n${words(20)}\n\n${comment}\n\n## B\n\n${comment}\n\nshort\n`);
    expect(only).toMatchObject({ content: `${words(20)}\n\n## B\n\nshort`, lines: { start: 3, end: 25 } });
  });
});
