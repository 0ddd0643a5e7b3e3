import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChunkId } from "../../src/core/document.ts";
import {
  BlockReader,
  type BlockRow,
  type ChunkText,
  packTexts,
  type TextBlock,
} from "../../src/store/text-blocks.ts";

const anyString = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\n", "\r", "\u2028", "\0", '"', "\\", "\ud800", "\udfff", "東") }),
);

const anyText: fc.Arbitrary<ChunkText> = fc
  .record({
    heading: fc.option(anyString),
    headingPath: fc.array(anyString, { maxLength: 4 }),
    context: anyString,
    content: fc.oneof(
      anyString,
      anyString.map((text) => text.repeat(400)),
    ),
  })
  .chain((text) =>
    fc
      .oneof(fc.constant({}), fc.record({ lead: anyString, repeats: fc.integer({ min: 0, max: 900 }) }))
      .map((joint) => ({ ...text, ...joint })),
  )
  .chain((text) =>
    fc.constantFrom(text, { ...text, heading: text.headingPath.at(-1) ?? null }, { ...text, heading: null }),
  );

const textOf = (content: string): ChunkText => ({ heading: null, headingPath: [], context: "", content });

/** Takes every text out again, the last one first. */
function unpack(blocks: readonly TextBlock[], firstId: number): ChunkText[] {
  const reader = new BlockReader();
  const texts: ChunkText[] = [];
  let blockId = firstId;
  for (const { count, body } of blocks) {
    for (let offset = count - 1; offset >= 0; offset--) {
      const row = { id: (blockId + offset) as ChunkId, first_chunk_id: blockId as ChunkId, body };
      texts[row.id - firstId] = reader.textOf(row);
    }
    blockId += count;
  }
  return texts;
}

describe("packTexts", () => {
  test("gives back exactly what went in, whatever the texts are", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 30 }), fc.nat(), (texts, firstId) => {
        expect(unpack([...packTexts(texts)], firstId)).toEqual(texts);
      }),
    );
  });

  test("makes nothing of nothing, and no empty block", () => {
    expect([...packTexts([])]).toEqual([]);
    const long = textOf("long ".repeat(5000));
    expect([...packTexts([long, long, textOf("short"), long])].map(({ count }) => count)).toEqual([
      1, 1, 1, 1,
    ]);
  });

  test("keeps the blocks of a huge document small", () => {
    const texts = Array.from({ length: 2000 }, (_, n) => textOf(`${n} 本文 `.repeat(30)));
    const blocks = [...packTexts(texts)];
    expect(blocks.length).toBeGreaterThan(50);
    for (const { body } of blocks)
      expect(Bun.zstdDecompressSync(body as Uint8Array).length).toBeLessThan(8192);
    expect(unpack(blocks, 1)).toEqual(texts);
  });

  test("compresses where that gains space, and leaves a tiny text as it is", () => {
    const [large, tiny] = ["word ".repeat(200), "tiny"].map(
      (content) => [...packTexts([textOf(content)])][0]!.body,
    );
    expect(large).toBeInstanceOf(Uint8Array);
    expect(large!.length).toBeLessThan(200);
    expect(tiny).toBe('["tiny","",[]]');
  });
});

describe("BlockReader", () => {
  const [{ body }] = [...packTexts([textOf("word ".repeat(200))])] as [TextBlock];
  const first = 7 as ChunkId;

  test.each([
    ["a block that is cut off", { id: first, body: (body as Uint8Array).subarray(0, 12) }],
    ["a block of garbage", { id: first, body: "garbage" }],
    ["a block that does not hold the chunk", { id: (first + 1) as ChunkId, body }],
  ])("refuses %s as corrupt, naming the passage", (_, row) => {
    expect(() => new BlockReader().textOf({ ...row, first_chunk_id: first })).toThrow(
      expect.objectContaining({ code: "corrupt", message: expect.stringContaining(`passage ${row.id}`) }),
    );
  });
});

describe("a damaged block", () => {
  test("is refused whichever bit of it has changed", () => {
    const content = Array.from({ length: 60 }, (_, n) => `Valve ${n} is tightened before frost.`).join(" ");
    const [block] = packTexts([{ heading: null, headingPath: [], context: "", content }]);
    const body = block!.body as Uint8Array;
    for (let bit = 0; bit < body.length * 8; bit++) {
      const damaged = Uint8Array.from(body);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      const read = () => new BlockReader().textOf({ id: 1, first_chunk_id: 1, body: damaged } as BlockRow);
      let text: string | undefined;
      try {
        text = read().content;
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: "corrupt" });
      }
      expect(text ?? content).toBe(content);
    }
  });
});
