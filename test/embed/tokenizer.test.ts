/**
 * The tokenizer against its reference, and on input no document should have.
 *
 * `fixtures/token-ids.json` holds ids that the Python package `tokenizers` (0.23.3)
 * computes from the reference form of the same vocabulary.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openTokenizer } from "../../src/embed/text-encoder.ts";
import { MAX_STRETCH, Tokenizer } from "../../src/embed/tokenizer.ts";
import { AppError } from "../../src/errors.ts";

const REFERENCE: readonly { readonly text: string; readonly ids: readonly number[] }[] = JSON.parse(
  readFileSync(join(import.meta.dir, "..", "fixtures", "token-ids.json"), "utf8"),
);
const UNLIMITED = 1_000_000_000;
const tokenizer = openTokenizer();

describe("encode", () => {
  test.each(REFERENCE.map(({ text, ids }) => [text, ids] as const))("agrees on %j", (text, ids) => {
    expect(tokenizer.encode(text, UNLIMITED)).toEqual([...ids]);
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
