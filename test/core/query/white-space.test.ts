import { describe, expect, test } from "bun:test";
import { splitWhiteSpace, trimWhiteSpace } from "../../../src/core/query/white-space.ts";

describe("trimWhiteSpace", () => {
  test.each([
    ["", ""],
    [" \t\u3000\u0085\u00A0\u2028", ""],
    ["\u0085 a b\u3000", "a b"],
    ["\uFEFFab\u200B", "\uFEFFab\u200B"],
    ["  𠮟 ", "𠮟"],
  ])("trims %j to %j", (text, trimmed) => {
    expect(trimWhiteSpace(text)).toBe(trimmed);
  });
});

describe("splitWhiteSpace", () => {
  test.each([
    ["", []],
    ["  ", []],
    ["ab cd", ["ab", "cd"]],
    [" a\u3000b\u0085\n c ", ["a", "b", "c"]],
    ["a\uFEFFb", ["a\uFEFFb"]],
  ])("splits %j", (text, pieces) => {
    expect(splitWhiteSpace(text)).toEqual(pieces);
  });
});
