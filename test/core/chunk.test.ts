import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ChunkOptions, chunkDocument, SHORT_SECTION_TOKENS } from "../../src/core/chunk.ts";
import type { Chunk } from "../../src/core/document.ts";
import { parseMarkdown } from "../../src/source/markdown.ts";
import { parsePlainText } from "../../src/source/plain-text.ts";

const countWords = (text: string) => text.match(/[\u3000-\u9fff]|[^\s\u3000-\u9fff]+/gu)?.length ?? 0;
const options: ChunkOptions = { maxTokens: 64, overlapTokens: 0, fixedTokens: 4, countTokens: countWords };

function chunk(markdown: string, changed: Partial<ChunkOptions> = {}): Chunk[] {
  return chunkDocument(parseMarkdown(markdown), "Title", { ...options, ...changed });
}

function words(count: number, word = "word"): string {
  return Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");
}

describe("chunkDocument", () => {
  test("splits at headings of every level and keeps their path", () => {
    const long = words(45);
    const levels = [1, 2, 3, 4, 5, 6].map((level) => `${"#".repeat(level)} H${level}\n\n${long}\n`);
    const chunks = chunk(levels.join("\n"));
    expect(chunks.map(({ level }) => level)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(chunks[2]).toMatchObject({
      index: 2,
      heading: "H3",
      headingPath: ["H1", "H2", "H3"],
      context: "Title > H1 > H2 > H3",
      content: long,
      lines: { start: 11, end: 11 },
    });
  });

  test("gives text before the first heading no heading", () => {
    const [first] = chunk(`${words(45)}\n\n# A\n\n${words(45)}`);
    expect(first).toMatchObject({ heading: null, level: null, headingPath: [], context: "Title" });
  });

  test("leaves an enclosing heading when one of its level or above comes", () => {
    const text = words(45);
    const paths = chunk(`# A\n\n### B\n\n${text}\n\n## C\n\n${text}\n\n# D\n\n${text}`).map(
      (c) => c.headingPath,
    );
    expect(paths).toEqual([["A", "B"], ["A", "C"], ["D"]]);
  });

  test("keeps the lines of a section that fits as they are in the file", () => {
    const section = "  indented by two\n\n\n- a\n  - b\n\n    code\n\nlast line with some words";
    const [only] = chunk(`# A\n${section}\n\n`);
    expect(only).toMatchObject({ content: section, lines: { start: 2, end: 10 } });
  });

  test("counts fixed tokens, context and content", () => {
    const [only] = chunk(`# A\n\n${words(45)}`);
    expect(only!.tokenCount).toBe(4 + countWords("Title > A") + 45);
  });

  describe("short sections", () => {
    test("join the chunk of the section before, with their heading line as written", () => {
      const chunks = chunk("# A\n\none line\n\n### B *b*\n\ntwo\n\nC\n---\n\nthree");
      expect(chunks).toHaveLength(1);
      expect(chunks[0]).toMatchObject({
        heading: "A",
        content: "one line\n\n### B *b*\n\ntwo\n\nC\n---\n\nthree",
        lines: { start: 3, end: 12 },
      });
    });

    test("do not join a chunk of another parent", () => {
      const chunks = chunk(`# A\n\n## A1\n\n${words(45)}\n\n# B\n\n## B1\n\nshort`);
      expect(chunks.map(({ heading }) => heading)).toEqual(["A1", "B1"]);
    });

    test("do not join where there is no room", () => {
      expect(chunk(`# A\n\n${words(54)}\n\n# B\n\n${words(20)}`)).toHaveLength(2);
    });

    test(`end at ${SHORT_SECTION_TOKENS} tokens`, () => {
      const wide = { maxTokens: 200 };
      const section = (count: number) => `# A\n\n${words(45)}\n\n# B\n\n${words(count)}`;
      expect(chunk(section(SHORT_SECTION_TOKENS - 3), wide)).toHaveLength(1);
      expect(chunk(section(SHORT_SECTION_TOKENS - 2), wide)).toHaveLength(2);
    });
  });

  describe("a heading with nothing under it", () => {
    test("stays in the paths of its subsections", () => {
      expect(chunk(`# A\n\n## B\n\n${words(45)}`).map((c) => c.headingPath)).toEqual([["A", "B"]]);
    });

    test("joins the chunk before it when it has no subsections", () => {
      expect(chunk("# A\n\ntext\n\n# B\n")[0]!.content).toBe("text\n\n# B");
    });

    test("is content of its own when there is none before", () => {
      expect(chunk("# A `b`")).toMatchObject([
        { heading: "A b", content: "# A `b`", lines: { start: 1, end: 1 } },
      ]);
    });
  });

  describe("a section over the budget", () => {
    test("is cut between blocks first", () => {
      const chunks = chunk(`# A\n\n${words(30, "a")}\n\n${words(30, "b")}\n\n${words(20, "c")}`);
      expect(chunks.map(({ content }) => content)).toEqual([
        words(30, "a"),
        `${words(30, "b")}\n\n${words(20, "c")}`,
      ]);
      expect(chunks.map(({ lines }) => lines)).toEqual([
        { start: 3, end: 3 },
        { start: 5, end: 7 },
      ]);
    });

    test("keeps a fence whole where it fits, and cuts it between lines where not", () => {
      const fence = (count: number) =>
        `\`\`\`\n${Array.from({ length: count }, (_, i) => `## x ${i}`).join("\n")}\n\`\`\``;
      const [, second] = chunk(`# A\n\n${words(30)}\n\n${fence(12)}`);
      expect(second!.content).toBe(fence(12));
      const lines = chunk(`# A\n\n${fence(40)}`).flatMap(({ content }) => content.split("\n"));
      expect(lines.join("\n")).toBe(fence(40));
    });

    test("is cut between Japanese sentences", () => {
      const sentence = "これは二十文字くらいの長さのある文です。";
      const chunks = chunk(`# A\n\n${sentence.repeat(9)}`, { countTokens: countWords });
      expect(chunks.length).toBeGreaterThan(1);
      expect(chunks.every(({ content }) => content.endsWith("。") && content.startsWith("これ"))).toBe(true);
      expect(chunks.map(({ content }) => content).join("")).toBe(sentence.repeat(9));
    });

    test("is cut at code points where nothing else is left", () => {
      const text = "𠮷".repeat(1000);
      const countCharacters = (part: string) => [...part].length;
      const chunks = chunk(text, { countTokens: countCharacters });
      expect(chunks.map(({ content }) => content).join("")).toBe(text);
      expect(chunks.every(({ content }) => content.isWellFormed())).toBe(true);
    });

    test("is cut to single characters where one is over the budget by itself", () => {
      const chunks = chunk("か\u3099き 𠮷𠮷", { countTokens: (part) => part.trim().length * 100 });
      expect(chunks.map(({ content }) => content)).toEqual(["か\u3099", "き", "𠮷", "𠮷"]);
    });

    test("repeats whole sentences of the part before, and no more than allowed", () => {
      const sentences = Array.from({ length: 30 }, (_, i) => `Sentence number ${i} is here.`);
      const chunks = chunk(`# A\n\n${sentences.join(" ")}`, { overlapTokens: 12 });
      for (const [index, { content }] of chunks.entries()) {
        if (index === 0) continue;
        const before = chunks[index - 1]!.content;
        const shared = sentences.filter((one) => before.includes(one) && content.includes(one));
        expect(shared).toHaveLength(2);
        expect(content.startsWith(shared.join(" "))).toBe(true);
      }
    });

    test("repeats nothing when the overlap is 0, nor over a heading, nor out of code", () => {
      const sentences = Array.from({ length: 20 }, (_, i) => `Sentence number ${i} is here.`).join(" ");
      expect(
        chunk(`# A\n\n${sentences}`)
          .map(({ content }) => content)
          .join(" "),
      ).toBe(sentences);
      const overlapTokens = 12;
      expect(chunk(`# A\n\n${words(50)}.\n\n# B\n\n${words(50)}`, { overlapTokens })[1]!.content).toBe(
        words(50),
      );
      const code = `\`\`\`\n${words(40)}\n\`\`\``;
      expect(chunk(`# A\n\n${code}\n\n${words(40)}`, { overlapTokens })[1]!.content).toBe(words(40));
    });
  });

  test("cuts a breadcrumb that would take more than a third of the budget", () => {
    const [only] = chunk(`# ${words(50)}\n\n${words(40)}`);
    expect(countWords(only!.context)).toBe(20);
    expect(only!.tokenCount).toBeLessThanOrEqual(64);
  });

  test("gives an empty document no chunks", () => {
    expect(chunk("")).toEqual([]);
    expect(chunk("<!-- only a comment -->")).toEqual([]);
  });

  test("takes a line of a million characters without spaces", () => {
    const chunks = chunkDocument(parsePlainText("語".repeat(1_000_000)), "Title", options);
    expect(chunks.reduce((sum, { content }) => sum + content.length, 0)).toBe(1_000_000);
  });

  test.each([
    [{ maxTokens: 4 }],
    [{ overlapTokens: -1 }],
    [{ overlapTokens: 64 }],
    [{ maxTokens: Number.NaN }],
  ])("refuses %p", (bad) => {
    expect(() => chunk("text", bad)).toThrow(RangeError);
  });
});

const line = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 12, mode: "words" }) },
  fc.lorem({ maxCount: 3, mode: "sentences" }),
  fc.constantFrom(
    "日本語の文です。もう一つの文！",
    "「はい。」と言った。",
    "- item one",
    "  - nested",
    "> quote",
    "1. first",
  ),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.lorem({ maxCount: 4 }))
    .map(([n, text]) => `${"#".repeat(n)} ${text}`),
  fc.constantFrom(
    "```",
    "~~~",
    "===",
    "---",
    "| a | b |",
    "|---|---|",
    "    indented",
    "<div>",
    "</div>",
    "import x from 'y'",
  ),
  { weight: 4, arbitrary: fc.constant("") },
  fc.string({ unit: fc.constantFrom("𠮷", "x", "か", "\u3099", "。"), maxLength: 300 }),
);
const markdown = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));
const counters = fc.constantFrom(
  countWords,
  (text: string) => [...text].length,
  (text: string) => Math.ceil(text.length / 3),
);
const settings = fc.record({
  maxTokens: fc.integer({ min: 24, max: 80 }),
  overlapTokens: fc.integer({ min: 0, max: 20 }),
  fixedTokens: fc.integer({ min: 0, max: 8 }),
  countTokens: counters,
});

describe("chunkDocument, for any document", () => {
  test("keeps every chunk within the budget and counts it right", () => {
    fc.assert(
      fc.property(markdown, fc.lorem(), settings, (text, title, chosen) => {
        for (const made of chunkDocument(parseMarkdown(text), title, chosen)) {
          const { countTokens, fixedTokens, maxTokens } = chosen;
          expect(made.tokenCount).toBe(fixedTokens + countTokens(made.context) + countTokens(made.content));
          expect(made.tokenCount).toBeLessThanOrEqual(maxTokens);
          expect(made.content.trim()).not.toBe("");
        }
      }),
      { numRuns: 300 },
    );
  });

  test("loses no text: each line is in the content near it or in a heading path", () => {
    const squeeze = (text: string) => text.replace(/\s+/g, "");
    fc.assert(
      fc.property(markdown, settings, (text, chosen) => {
        const chunks = chunkDocument(parseMarkdown(text), "Title", { ...chosen, overlapTokens: 0 });
        const content = squeeze(chunks.map((made) => made.content).join("\n"));
        const headings = chunks.flatMap((made) => made.headingPath).map(squeeze);
        for (const one of text.split("\n").map(squeeze)) {
          if (one === "" || content.includes(one)) continue;
          const isUnderline = /^(?:=+|-+)$/.test(one);
          const bare = one.replace(/^#{1,6}|#+$/g, "").replace(/[\\`*_>]/g, "");
          expect(isUnderline || headings.some((heading) => heading.includes(bare))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("names lines that hold the content", () => {
    fc.assert(
      fc.property(markdown, settings, (text, chosen) => {
        const source = text.split("\n");
        for (const { content, lines } of chunkDocument(parseMarkdown(text), "Title", chosen)) {
          const parts = content.split("\n");
          expect(lines.end - lines.start + 1).toBe(parts.length);
          for (const [offset, part] of parts.entries()) {
            expect(source[lines.start - 1 + offset]!).toContain(part.trim());
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("gives the same chunks twice", () => {
    fc.assert(
      fc.property(markdown, settings, (text, chosen) => {
        const once = chunkDocument(parseMarkdown(text), "Title", chosen);
        expect(chunkDocument(parseMarkdown(text), "Title", chosen)).toEqual(once);
      }),
      { numRuns: 50 },
    );
  });
});
