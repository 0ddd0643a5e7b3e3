import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ChunkOptions, chunkDocument } from "../../src/core/chunk.ts";
import { chunkParagraphs } from "../../src/core/chunk-parts.ts";
import { parsePlainText, parsePlainTextParts } from "../../src/source/plain-text.ts";

const countTokens = (text: string) => text.match(/[\u3000-\u9fff]|[^\s\u3000-\u9fff]+/gu)?.length ?? 0;
const options: ChunkOptions = { maxTokens: 24, overlapTokens: 6, fixedTokens: 4, countTokens };

const ANY_TEXT = fc
  .array(
    fc.constantFrom(
      "word ",
      "long-word, ",
      "Ende. ",
      "文。",
      "文字",
      "\n",
      "\n\n",
      "  \n",
      "   ",
      "x".repeat(90),
      "🙂",
      "- a\n",
    ),
    { maxLength: 300 },
  )
  .map((parts) => parts.join(""));

describe("chunkParagraphs", () => {
  test("gives the chunks of the whole document, whatever the size of its window", () => {
    fc.assert(
      fc.property(
        ANY_TEXT,
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 0, max: 12 }),
        (text, window, overlapTokens) => {
          const changed = { ...options, overlapTokens };
          const whole = chunkDocument(parsePlainText(text), "Title", changed);
          expect([...chunkParagraphs(parsePlainText(text), "Title", changed, window)]).toEqual(whole);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("gives the chunks of the whole document where paragraphs are cut", () => {
    fc.assert(
      fc.property(ANY_TEXT, fc.integer({ min: 20, max: 200 }), (text, longest) => {
        const blocks = [...parsePlainTextParts([text], 1, longest)];
        const whole = chunkDocument(blocks, "Title", options);
        expect([...chunkParagraphs(blocks, "Title", options, 50)]).toEqual(whole);
      }),
    );
  });

  test("takes blocks only as it needs them", () => {
    let taken = 0;
    function* endless() {
      for (let line = 1; ; line += 2, taken++)
        yield { kind: "paragraph" as const, text: "some words of a line", lines: { start: line, end: line } };
    }
    const chunks = chunkParagraphs(endless(), "Title", options, 200);
    expect(chunks.next().value).toMatchObject({ index: 0, lines: { start: 1 } });
    expect(taken).toBeLessThan(40);
  });

  test("gives nothing for a document without blocks", () => {
    expect([...chunkParagraphs([], "Title", options)]).toEqual([]);
  });
});
