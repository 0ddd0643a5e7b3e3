import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { lineEnds, paragraphEnds, sentenceEnds, wordEnds } from "../../src/core/sentences.ts";

type Finder = (text: string, start: number, end: number) => number[];

function cut(find: Finder, text: string, start = 0, end = text.length): string[] {
  let from = start;
  return find(text, start, end).map((to) => {
    const piece = text.slice(from, to);
    from = to;
    return piece;
  });
}

describe("sentenceEnds", () => {
  test.each<[string, readonly string[]]>([
    ["一つ。二つ！三つ？", ["一つ。", "二つ！", "三つ？"]],
    ["「はい。」彼は笑った。", ["「はい。」", "彼は笑った。"]],
    ["「はい。」と言った。次。", ["「はい。」と言った。", "次。"]],
    ["（注。）次の文。", ["（注。）", "次の文。"]],
    ["One. Two! Three?", ["One. ", "Two! ", "Three?"]],
    ['He said "no." Then left.', ['He said "no." ', "Then left."]],
    ["Version 1.4.5 of kb.ts runs", ["Version 1.4.5 of kb.ts runs"]],
    ["本当?そう!次", ["本当?", "そう!", "次"]],
    ["Node.jsは速い。はい", ["Node.jsは速い。", "はい"]],
    ["えっ！？本当", ["えっ！？", "本当"]],
    ["一行目。\n二行目。", ["一行目。\n", "二行目。"]],
    ["no end", ["no end"]],
    ["", [""]],
  ])("cuts %p", (text, sentences) => {
    expect(cut(sentenceEnds, text)).toEqual([...sentences]);
  });
});

describe("paragraphEnds", () => {
  test("cuts after blank lines, which may hold white space", () => {
    expect(cut(paragraphEnds, "a\nb\n\n \n\nc\n　\nd\n")).toEqual(["a\nb\n\n \n\n", "c\n　\n", "d\n"]);
  });
});

describe("lineEnds", () => {
  test("cuts after each line feed inside the range", () => {
    expect(cut(lineEnds, "a\nb\n\nc\n")).toEqual(["a\n", "b\n", "\n", "c\n"]);
    expect(cut(lineEnds, "a\nb\nc\n", 2, 4)).toEqual(["b\n"]);
  });
});

describe("wordEnds", () => {
  const inTens: Finder = (text, start, end) => wordEnds(text, start, end, 10);

  test("prefers white space and commas", () => {
    expect(cut(inTens, "aaaa bbbb cccc dddd")).toEqual(["aaaa bbbb ", "cccc dddd"]);
    expect(cut(inTens, "あああ、いいいいいいいいい")).toEqual(["あああ、", "いいいいいいいいい"]);
  });

  test("never cuts a code point or a combining mark off", () => {
    expect(cut(inTens, "𠮷".repeat(8)).join("|")).toBe("𠮷𠮷𠮷𠮷𠮷|𠮷𠮷𠮷");
    expect(cut(inTens, `a${"𠮷".repeat(8)}`).every((piece) => piece.isWellFormed())).toBe(true);
    expect(cut(inTens, `${"か\u3099".repeat(5)}か\u3099`).every((piece) => !piece.startsWith("\u3099"))).toBe(
      true,
    );
  });

  test("cuts a text of combining marks all the same", () => {
    expect(cut(inTens, "\u0301".repeat(100)).length).toBeGreaterThan(3);
  });
});

describe("all of them", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", " ", "。", "」", ".", "\n", "𠮷", "\u0301", "と", "、"),
  });

  test.each([paragraphEnds, lineEnds, sentenceEnds, wordEnds])(
    "%p gives rising ends that reach the end",
    (find) => {
      fc.assert(
        fc.property(text, fc.nat({ max: 5 }), (content, skip) => {
          const start = Math.min(skip, content.length);
          const ends = find(content, start, content.length);
          expect(ends.at(-1)).toBe(content.length);
          let from = start;
          for (const end of ends.slice(0, -1)) {
            expect(end).toBeGreaterThan(from);
            from = end;
          }
          expect(from <= content.length).toBe(true);
        }),
      );
    },
  );
});
