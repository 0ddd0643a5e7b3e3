import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChunkId } from "../../src/core/document.ts";
import {
  type ChunkText,
  LEXICAL_SCALE_FLOOR,
  lexicalScale,
  rescoreSmall,
  SMALL_INDEX_MAX_CHUNKS,
} from "../../src/core/lexical-scale.ts";

const WEIGHTS = { heading: 2, context: 1, content: 1 };

function chunk(id: number, content: string, rest: Partial<Omit<ChunkText, "chunkId">> = {}): ChunkText {
  return { chunkId: id as ChunkId, heading: null, context: "", content, ...rest };
}

const scoreOf = (scores: ReadonlyMap<ChunkId, number>, id: number) => scores.get(id as ChunkId);

describe("lexicalScale", () => {
  test.each([
    [7.3, 7.3],
    [LEXICAL_SCALE_FLOOR, LEXICAL_SCALE_FLOOR],
    [0.000001, LEXICAL_SCALE_FLOOR],
    [0, LEXICAL_SCALE_FLOOR],
  ])("scales answers whose best score is %p by %p", (best, scale) => {
    expect(lexicalScale(best, LEXICAL_SCALE_FLOOR)).toBe(scale);
  });

  test.each([
    [-1, 1],
    [Number.NaN, 1],
    [Number.POSITIVE_INFINITY, 1],
    [1, 0],
    [1, -1],
    [1, Number.NaN],
  ])("refuses the best score %p with the floor %p", (best, floor) => {
    expect(() => lexicalScale(best, floor)).toThrow(RangeError);
  });
});

describe("rescoreSmall", () => {
  test("gives the value of the formula", () => {
    const scores = rescoreSmall(["abc"], [chunk(1, "abc abc"), chunk(2, "xyz")], 2, WEIGHTS);
    const idf = Math.log(1 + 1.5 / 1.5);
    const damping = 1.2 * (0.25 + (0.75 * 7) / 5);
    expect(scoreOf(scores, 1)).toBeCloseTo((idf * 2 * 2.2) / (2 + damping), 12);
    expect([...scores.keys()]).toEqual([1 as ChunkId]);
  });

  test("counts occurrences that overlap", () => {
    const idf = Math.log(1 + 0.5 / 1.5);
    const scores = rescoreSmall(["aaa"], [chunk(1, "aaaa")], 1, WEIGHTS);
    expect(scoreOf(scores, 1)).toBeCloseTo((idf * 2 * 2.2) / (2 + 1.2), 12);
  });

  test.each([2, 5, 20, SMALL_INDEX_MAX_CHUNKS])(
    "ranks the rare phrase above the common one in a folder of %i",
    (total) => {
      const common = Array.from({ length: total - 1 }, (_, at) =>
        chunk(at + 2, "普通の言葉だけがここにある"),
      );
      const chunks = [...common, chunk(1, "普通の言葉と珍しい語がここに")];
      const scores = rescoreSmall(["普通の言葉", "珍しい語"], chunks, total, WEIGHTS);
      expect(scores.size).toBe(total);
      for (const { chunkId } of common) expect(scoreOf(scores, 1)!).toBeGreaterThan(scores.get(chunkId)! * 2);
    },
  );

  test.each([3, 5, 20])("ranks a chunk with only the rare phrase first in a folder of %i", (total) => {
    const common = Array.from({ length: total - 1 }, (_, at) => chunk(at + 2, "common words, common words"));
    const chunks = [...common, chunk(1, "a seldom seen word, and so on")];
    const best = [...rescoreSmall(["common words", "seldom"], chunks, total, WEIGHTS)].sort(
      ([, a], [, b]) => b - a,
    )[0];
    expect(best?.[0]).toBe(1 as ChunkId);
  });

  test("stays far below a full score where every chunk has the phrase", () => {
    for (const total of [1, 2, 5, 20]) {
      const chunks = Array.from({ length: total }, (_, at) => chunk(at, "word here"));
      const best = Math.max(...rescoreSmall(["word"], chunks, total, WEIGHTS).values());
      expect(best).toBeGreaterThan(0);
      expect(best / lexicalScale(best, LEXICAL_SCALE_FLOOR)).toBeLessThan(0.35);
    }
  });

  test("gives a full score to a rare phrase from a handful of chunks on", () => {
    for (const total of [5, 20]) {
      const chunks = Array.from({ length: total }, (_, at) =>
        chunk(at, at === 0 ? "word here" : "none here"),
      );
      const best = Math.max(...rescoreSmall(["word"], chunks, total, WEIGHTS).values());
      expect(best / lexicalScale(best, LEXICAL_SCALE_FLOOR)).toBe(1);
    }
  });

  test.each([1, 2, 5, 20])("has no candidates in a folder of %i where no phrase occurs", (total) => {
    const chunks = Array.from({ length: total }, (_, at) => chunk(at, "何もない"));
    expect(rescoreSmall(["検索器", "zzz"], chunks, total, WEIGHTS).size).toBe(0);
    expect(rescoreSmall(["検索器"], [], total, WEIGHTS).size).toBe(0);
    expect(rescoreSmall([], chunks, total, WEIGHTS).size).toBe(0);
  });

  test("weighs the fields", () => {
    const chunks = [
      chunk(1, "filler word", { heading: "filler" }),
      chunk(2, "filler here", { heading: "words!" }),
      chunk(3, "filler here", { context: "words!" }),
    ];
    const scores = rescoreSmall(["word"], chunks, 10, { heading: 4, context: 2, content: 1 });
    const order = [...scores].sort(([, a], [, b]) => b - a).map(([id]) => Number(id));
    expect(order[0]).toBe(2);
    expect(scoreOf(scores, 3)!).toBeGreaterThan(scoreOf(scores, 1)!);
  });

  test("does not look into a field of weight 0", () => {
    const chunks = [chunk(1, "", { heading: "word" }), chunk(2, "word")];
    const scores = rescoreSmall(["word"], chunks, 2, { ...WEIGHTS, heading: 0 });
    expect([...scores.keys()]).toEqual([2 as ChunkId]);
  });

  test.each([
    ["ABC", "xabcx"],
    ["abc", "xABCx"],
    ["cafe", "un café noir"],
    ["café", "un cafe\u0301 noir"],
    ["ＡＢＣ", "ａｂｃ"],
    ["istanbul", "İSTANBUL"],
    ["σας", "ΣΑΣ ΣΑΣΑ"],
    ["маи", "маи\u0306"],
  ])("finds %j in %j", (phrase, content) => {
    expect(rescoreSmall([phrase], [chunk(1, content)], 1, WEIGHTS).size).toBe(1);
  });

  test.each([
    ["か行く", "が行く"],
    ["か行く", "か\u3099行く"],
    ["\u0301\u0301\u0301", "e\u0301e\u0301"],
    ["abc", "ａｂｃ"],
    ["май", "маи"],
  ])("does not find %j in %j", (phrase, content) => {
    expect(rescoreSmall([phrase], [chunk(1, content)], 1, WEIGHTS).size).toBe(0);
  });

  test("counts phrases that fold to the same once", () => {
    const chunks = [chunk(1, "word one"), chunk(2, "none")];
    expect(rescoreSmall(["word", "WORD"], chunks, 2, WEIGHTS)).toEqual(
      rescoreSmall(["word"], chunks, 2, WEIGHTS),
    );
  });

  test("scores above 0, in the order given, whatever the texts", () => {
    const text = fc.string({ unit: fc.constantFrom(..."abあ "), maxLength: 30 });
    const phrases = fc.array(fc.string({ unit: fc.constantFrom(..."abあ"), minLength: 3, maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), phrases, fc.nat(50), (texts, some, more) => {
        const chunks = texts.map((content, at) => chunk(at, content));
        const scores = rescoreSmall(some, chunks, chunks.length + more, WEIGHTS);
        const matching = chunks.filter(({ content }) => some.some((phrase) => content.includes(phrase)));
        expect([...scores.keys()]).toEqual(matching.map(({ chunkId }) => chunkId));
        for (const score of scores.values()) expect(score).toBeGreaterThan(0);
      }),
    );
  });

  test("refuses more chunks than the index has, bad weights and empty phrases", () => {
    const chunks = [chunk(1, "abc"), chunk(2, "abc")];
    expect(() => rescoreSmall(["abc"], chunks, 1, WEIGHTS)).toThrow(RangeError);
    expect(() => rescoreSmall(["abc"], chunks, Number.NaN, WEIGHTS)).toThrow(RangeError);
    expect(() => rescoreSmall(["abc"], chunks, 2, { ...WEIGHTS, context: -1 })).toThrow(RangeError);
    expect(() => rescoreSmall([""], chunks, 2, WEIGHTS)).toThrow(RangeError);
  });
});
