import { describe, expect, test } from "bun:test";
import { Readable } from "node:stream";
import fc from "fast-check";
import { limitLines } from "../../src/mcp/message-lines.ts";

async function linesOf(chunks: readonly string[], maxBytes: number) {
  let dropped = 0;
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)).filter(({ length }) => length > 0));
  const parts = await stream
    .pipe(
      limitLines(maxBytes, () => {
        dropped++;
      }),
    )
    .toArray();
  return { text: Buffer.concat(parts).toString(), dropped };
}

describe("limitLines", () => {
  const examples: [chunks: string[], text: string, dropped: number][] = [
    [["one\n", "two\n"], "one\ntwo\n", 0],
    [["o", "n", "e\ntw", "o"], "one\ntwo", 0],
    [["four\nfive5\nsix\n"], "four\nfive5\nsix\n", 0],
    [["sixsix\nsix\n"], "six\n", 1],
    [["six", "sixsix", "six\nsix\nsev", "enseven"], "six\n", 2],
    [["\n\n"], "\n\n", 0],
    [["日\n日本\n"], "日\n", 1],
  ];
  test.each(examples)("passes %j on as %j and drops %d", async (chunks, text, dropped) => {
    expect(await linesOf(chunks, 5)).toEqual({ text, dropped });
  });

  test("gives the same however the bytes are cut", async () => {
    const chunks = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(chunks, async (cut) => {
        const whole = cut.join("");
        const lines = whole.split("\n");
        const kept = lines.filter((line, at) => line.length <= 5 && (at < lines.length - 1 || line !== ""));
        const ends = lines.at(-1)! !== "" && lines.at(-1)!.length <= 5 ? "" : "\n";
        const text = kept.length === 0 ? "" : kept.join("\n") + ends;
        const dropped = lines.filter((line) => line.length > 5).length;
        expect(await linesOf(cut, 5)).toEqual({ text, dropped });
      }),
    );
  });
});
