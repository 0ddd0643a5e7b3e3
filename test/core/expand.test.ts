import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chunkDocument } from "../../src/core/chunk.ts";
import { type ChunkPart, joinChunks, rangeToShow, withoutEnd, withoutStart } from "../../src/core/expand.ts";
import { parseMarkdown } from "../../src/source/markdown.ts";

const countWords = (text: string) => text.match(/[\u3000-\u9fff]|[^\s\u3000-\u9fff]+/gu)?.length ?? 0;

function chunksOf(text: string, overlapTokens = 0): ChunkPart[] {
  const options = { maxTokens: 64, overlapTokens, fixedTokens: 4, countTokens: countWords };
  return chunkDocument(parseMarkdown(text), "Title", options);
}

function words(count: number, word: string): string {
  return Array.from({ length: count }, (_, at) => `${word}${at}`).join(" ");
}

const part = (index: number, headingPath: string[], tokenCount = 100): ChunkPart => ({
  index,
  headingPath,
  tokenCount,
  content: `text ${index}`,
  lead: index === 0 ? "" : "\n\n",
  repeats: 0,
  lines: { start: 2 * index + 1, end: 2 * index + 1 },
});
const everything = () => true;

const anyMarkdown = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("Alpha", "Beta *b*", "ガンマ"))
        .map(([level, name]) => `${"#".repeat(level)} ${name}`),
      fc
        .tuple(fc.constantFrom("one", "two", "three"), fc.integer({ min: 1, max: 90 }))
        .map(([word, count]) => `${words(count, word)}.`),
      fc.integer({ min: 1, max: 12 }).map((count) => "設定を確認してから、再起動します。".repeat(count)),
      fc.integer({ min: 1, max: 12 }).map((count) => "It is so. Then it ends here. ".repeat(count).trim()),
      fc.constantFrom(
        "- a\n- b\n  - c",
        "```\ncode\n\n  more\n```",
        "Setext\n======",
        "| a |\n|---|\n| 1 |",
        "\n",
      ),
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((blocks) => blocks.join("\n\n"));

describe("joinChunks", () => {
  test("shows one empty line where a comment was left out, and the lines as they are in the file", () => {
    const comment = "<!--\nThe original.\n\nIn two paragraphs.\n-->";
    const text = `${comment}\n\n# A\n\n${comment}\n\n${words(45, "a")}\n\n${comment}\n\n## B\n\n${comment}\n\n${words(45, "b")}\n\n${comment}\n`;
    const chunks = chunksOf(text);
    expect(chunks.length).toBe(2);
    expect(joinChunks(chunks)).toEqual({
      content: `# A\n\n${words(45, "a")}\n\n## B\n\n${words(45, "b")}`,
      lines: { start: 7, end: 31 },
    });
    expect(joinChunks(chunks.slice(1))).toEqual({
      content: `## B\n\n${words(45, "b")}`,
      lines: { start: 23, end: 31 },
    });
  });

  test("keeps headings, empty lines and sentences as they stand in the file, each once", () => {
    const text = `# A\n\n${words(45, "a")}\n\n\n## B\n### C\n\n${"This is a sentence of seven words. ".repeat(14).trim()}\n\n## D\n\n${words(45, "d")}`;
    const chunks = chunksOf(text, 16);
    expect(chunks.some(({ repeats = 0 }) => repeats > 0)).toBe(true);
    expect(joinChunks(chunks)).toEqual({ content: text, lines: { start: 1, end: text.split("\n").length } });
    const last = joinChunks(chunks.slice(-1));
    expect(last.content).toBe(`## D\n\n${words(45, "d")}`);
  });

  test("gives any document back, and any stretch of it with its lines", () => {
    fc.assert(
      fc.property(
        anyMarkdown,
        fc.constantFrom(0, 8, 20),
        fc.nat(),
        fc.nat(),
        (text, overlapTokens, someFrom, someLength) => {
          const chunks = chunksOf(text, overlapTokens);
          if (chunks.length === 0) return;
          const lines = text.split("\n");
          const whole = joinChunks(chunks);
          expect(whole.content.trim()).toBe(text.trim());
          const from = someFrom % chunks.length;
          const stretch = joinChunks(chunks.slice(from, from + 1 + (someLength % chunks.length)));
          expect(text).toContain(stretch.content);
          const there = lines.slice(stretch.lines.start - 1, stretch.lines.end).join("\n");
          expect(there).toContain(stretch.content);
          expect(stretch.content.split("\n")).toHaveLength(stretch.lines.end - stretch.lines.start + 1);
        },
      ),
    );
  });

  test("shows what two neighbours share in one of them only", () => {
    const text = `# A\n\n${"One sentence of six words here.\nAnother one.\n".repeat(14).trim()}`;
    const chunks = chunksOf(text, 16);
    const [before, after] = [chunks[0]!, chunks[1]!];
    const repeats = after.repeats ?? 0;
    expect(repeats).toBeGreaterThan(0);
    for (const [first, second] of [
      [joinChunks([before]), withoutStart(joinChunks([after]), repeats)],
      [withoutEnd(joinChunks([before]), repeats), joinChunks([after])],
    ] as const) {
      expect(first.lines.end).toBeLessThan(second.lines.start);
      expect(`${first.content}\n${second.content}`).toBe(joinChunks([before, after]).content);
    }
  });
});

describe("rangeToShow", () => {
  const limits = { wholeDocumentBelowTokens: 50, maxTokens: 300 };
  const sections = [["A"], ["A", "x"], ["A", "x"], ["A", "y"], ["A", "y"], ["B"]];
  const parts = sections.map((path, index) => part(index, path));

  test.each([
    ["its section first, then siblings", 2, 300, { from: 1, to: 3 }],
    ["its section before a nearer sibling", 4, 200, { from: 3, to: 4 }],
    ["everything under its parent, and no more", 2, 10_000, { from: 0, to: 4 }],
    ["nothing where the budget is spent", 2, 199, { from: 2, to: 2 }],
    ["itself where it is over the budget", 2, 50, { from: 2, to: 2 }],
    ["what is under no parent with all of the document", 5, 10_000, { from: 0, to: 5 }],
  ])("takes in %s", (_, index, maxTokens, expected) => {
    expect(rangeToShow(parts, index, 6, { ...limits, maxTokens }, everything)).toEqual(expected);
  });

  test("shows a small passage with its whole document where that fits", () => {
    const small = parts.map((each) => (each.index === 2 ? { ...each, tokenCount: 49 } : each));
    expect(rangeToShow(small, 2, 6, { ...limits, maxTokens: 549 }, everything)).toEqual({ from: 0, to: 5 });
    expect(rangeToShow(small, 2, 6, { ...limits, maxTokens: 548 }, everything)).toEqual({ from: 0, to: 4 });
    expect(rangeToShow(small, 2, 7, { ...limits, maxTokens: 549 }, everything)).toEqual({ from: 0, to: 4 });
  });

  test("stops at a gap, at what is shown elsewhere, and where the joint is not known", () => {
    const wide = { ...limits, maxTokens: 10_000 };
    expect(rangeToShow(parts.toSpliced(1, 1), 2, 6, wide, everything)).toEqual({ from: 2, to: 4 });
    expect(rangeToShow(parts, 2, 6, wide, (index) => index !== 3)).toEqual({ from: 0, to: 2 });
    const { lead: _, ...old } = parts[2]!;
    expect(rangeToShow(parts.with(2, old), 2, 6, wide, everything)).toEqual({ from: 2, to: 4 });
  });

  test("never goes over the budget and never leaves the passage out, for any document", () => {
    fc.assert(
      fc.property(anyMarkdown, fc.nat(), fc.integer({ min: 5, max: 400 }), (text, some, maxTokens) => {
        const chunks = chunksOf(text);
        if (chunks.length === 0) return;
        const index = some % chunks.length;
        const { from, to } = rangeToShow(chunks, index, chunks.length, { ...limits, maxTokens }, everything);
        expect(from).toBeLessThanOrEqual(index);
        expect(to).toBeGreaterThanOrEqual(index);
        const tokens = chunks.slice(from, to + 1).reduce((sum, { tokenCount }) => sum + tokenCount, 0);
        if (from < to) expect(tokens).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });
});
