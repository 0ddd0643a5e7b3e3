/**
 * The tokenizer against its reference, and on input no document should have.
 *
 * `fixtures/token-ids.json.gz` holds ids that the Python package `tokenizers` (0.23.3)
 * computes from the reference form of the same vocabulary; `scripts/model` makes it. Where
 * the two are known to differ is listed here, and nothing else may.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openTokenizer } from "../../src/embed/text-encoder.ts";
import { MAX_STRETCH, Tokenizer } from "../../src/embed/tokenizer.ts";
import { AppError } from "../../src/errors.ts";

interface Reference {
  readonly texts: readonly (readonly [text: string, ids: readonly number[]])[];
  /** A digest for each 256 code points, from 0: of the ids of every character between two letters. */
  readonly blocks: readonly string[];
}

const REFERENCE: Reference = JSON.parse(
  new TextDecoder().decode(
    Bun.gunzipSync(readFileSync(join(import.meta.dir, "..", "fixtures", "token-ids.json.gz"))),
  ),
);

/** The reference takes marks spelled out in a text for marks; a document must not be able to do that. */
const SPELLED_OUT_MARKS = [
  "<s>",
  "</s>",
  "<pad>",
  "<unk>",
  "a <s> b",
  "x</s>",
  "<s>query: 猫</s>",
  "<del>text</del> <s>struck</s> out",
  "値は<unk>です",
  "＜ｓ＞",
];

/** Characters that fold otherwise, as first and last code point of each run. */
const DIFFERENTLY_FOLDED: readonly (readonly [reason: string, ...runs: (readonly [number, number])[]])[] = [
  ["Unicode 12.1, the era Reiwa: the reference's older tables do not know it", [0x32ff, 0x32ff]],
  ["Unicode 13, segmented digits", [0x1fbf0, 0x1fbf9]],
  ["Unicode 12, the sign of Mr", [0x1f16c, 0x1f16c]],
  ["Unicode 14 and 17, raised capitals", [0xa7f1, 0xa7f4]],
  [
    "Unicode 14, raised phonetic letters",
    [0x10781, 0x10781],
    [0x10783, 0x10785],
    [0x1078b, 0x1078c],
    [0x10791, 0x10792],
    [0x10795, 0x10796],
    [0x107a0, 0x107a0],
    [0x107a2, 0x107a2],
    [0x107a5, 0x107a5],
    [0x107a9, 0x107aa],
    [0x107b2, 0x107b2],
    [0x107b5, 0x107b7],
  ],
  [
    "Unicode 15, raised Cyrillic",
    [0x1e030, 0x1e049],
    [0x1e04b, 0x1e04f],
    [0x1e051, 0x1e06b],
    [0x1e06d, 0x1e06d],
  ],
  ["Unicode 16, outlined letters and digits", [0x1ccd6, 0x1ccf9]],
  ["a noncharacter, in which the reference hides the full-width tilde while it folds", [0xfdd0, 0xfdd0]],
];

const DIFFERENT_CHARACTERS = DIFFERENTLY_FOLDED.flatMap(([, ...runs]) =>
  runs.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => betweenLetters(first + at)),
  ),
);

const UNLIMITED = 1_000_000_000;
const tokenizer = openTokenizer();

describe("encode", () => {
  test("agrees with the reference on every text, but for the listed ones", () => {
    const different = REFERENCE.texts.filter(
      ([text, ids]) => !Bun.deepEquals(tokenizer.encode(text, UNLIMITED), ids),
    );
    expect(different.map(([text]) => text).sort()).toEqual(
      [...SPELLED_OUT_MARKS, ...DIFFERENT_CHARACTERS].sort(),
    );
    expect(REFERENCE.texts.length).toBeGreaterThan(2500);
  });

  test("agrees with the reference on each character of the first four planes, but for the listed ones", () => {
    const listed = new Set(DIFFERENT_CHARACTERS);
    const idsOfListed = new Map(REFERENCE.texts.filter(([text]) => listed.has(text)));
    const different = REFERENCE.blocks.flatMap((digest, block) => {
      const lines = charactersOfBlock(block).map((codePoint) => {
        const text = betweenLetters(codePoint);
        return `${(idsOfListed.get(text) ?? tokenizer.encode(text, UNLIMITED)).join(" ")}\n`;
      });
      return shortDigest(lines.join("")) === digest ? [] : [`U+${(block * 256).toString(16)}`];
    });
    expect(different).toEqual([]);
    expect(REFERENCE.blocks.length).toBe(1024);
  });

  test.each(["<s>", "</s>", "<pad>", "<unk>"])("takes a literal %p for text, not for a mark", (mark) => {
    const ids = tokenizer.encode(`a ${mark} b`, UNLIMITED).slice(1, -1);
    expect(ids.filter((id) => id < 3)).toEqual([]);
  });

  test.each([2, 3, 8, 128])("keeps the first tokens and the end mark within %p", (maxTokens) => {
    const text = "検索の仕組みは三つの段階からなる。 The index is built once. ".repeat(20);
    const whole = tokenizer.encode(text, UNLIMITED);
    expect(tokenizer.encode(text, maxTokens)).toEqual([...whole.slice(0, maxTokens - 1), 2]);
  });

  test("does not let one text change the ids of the next", () => {
    const before = tokenizer.encode("short", UNLIMITED);
    tokenizer.encode("長".repeat(MAX_STRETCH * 2), UNLIMITED);
    expect(tokenizer.encode("short", UNLIMITED)).toEqual(before);
  });

  test("gives every id once per token of any text, between two marks", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const ids = tokenizer.encode(text, UNLIMITED);
        expect(ids[0]).toBe(0);
        expect(ids.at(-1)).toBe(2);
        expect(ids.every((id) => Number.isInteger(id) && id >= 0 && id < 49_167)).toBe(true);
      }),
    );
  });
});

describe("countTokens", () => {
  test("counts what encode gives, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(tokenizer.countTokens(text)).toBe(tokenizer.encode(text, UNLIMITED).length);
      }),
    );
  });

  test.each([
    ["Japanese", "検索の仕組みは三つの段階からなる。"],
    ["one letter", "a"],
    ["surrogate pairs at every cut", "x🗼"],
    ["nothing known", "𓀀"],
  ])("gets through 20 MB without a space: %s", (_, unit) => {
    const line = unit.repeat(Math.ceil(20_000_000 / new TextEncoder().encode(unit).length));
    const short = unit.repeat(Math.ceil(200_000 / new TextEncoder().encode(unit).length));
    // Linear in the text: a hundred times the text has about a hundred times the tokens.
    expect(tokenizer.countTokens(line) / tokenizer.countTokens(short)).toBeWithin(80, 120);
  });

  test.each([MAX_STRETCH - 1, MAX_STRETCH, MAX_STRETCH + 1])(
    "takes a word of %p units followed by another word",
    (length) => {
      const word = "あ".repeat(length);
      const apart = tokenizer.countTokens(word) + tokenizer.countTokens("猫") - 2;
      expect(tokenizer.countTokens(`${word} 猫`)).toBe(apart);
    },
  );

  test("does not split a surrogate pair where a long word is cut", () => {
    const pairs = "𠮷".repeat(MAX_STRETCH);
    const shifted = `a${pairs}`;
    expect(tokenizer.countTokens(shifted) - tokenizer.countTokens(pairs)).toBeLessThanOrEqual(1);
  });
});

describe("Tokenizer", () => {
  const file = readFileSync(join(import.meta.dir, "..", "..", "src", "embed", "builtin", "tokenizer.bin"));

  test.each([
    ["empty", new Uint8Array(0)],
    ["another file", new TextEncoder().encode("<html>sign in to the network</html>")],
    ["cut short", file.subarray(0, file.length - 2)],
    ["longer", new Uint8Array([...file, 0])],
  ])("refuses a file that is %s", (_, bytes) => {
    expect(() => new Tokenizer(bytes)).toThrow(AppError);
  });

  test("reads a file that does not lie on a four-byte boundary", () => {
    const shifted = new Uint8Array(file.length + 1);
    shifted.set(file, 1);
    expect(new Tokenizer(shifted.subarray(1)).encode("東京", UNLIMITED)).toEqual(
      tokenizer.encode("東京", UNLIMITED),
    );
  });
});

function betweenLetters(codePoint: number): string {
  return `a${String.fromCodePoint(codePoint)}b`;
}

/** Its 256 code points, without surrogates. */
function charactersOfBlock(block: number): number[] {
  return Array.from({ length: 256 }, (_, at) => block * 256 + at).filter(
    (codePoint) => codePoint < 0xd800 || codePoint > 0xdfff,
  );
}

function shortDigest(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 8);
}
