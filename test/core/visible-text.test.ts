import { describe, expect, test } from "bun:test";
import { visible, visibleLines } from "../../src/core/visible-text.ts";

describe("visible", () => {
  const rows: [text: string, shown: string][] = [
    ["plain 日本語 🎉", "plain 日本語 🎉"],
    ["a\tb", "a    b"],
    ["a\nb\r", "a<U+000A>b<U+000D>"],
    ["\u001b[31mred\u009b", "<U+001B>[31mred<U+009B>"],
    ["\u202eright to left\u2066", "<U+202E>right to left<U+2066>"],
    ["seen\u{e0041}\u{e007f}", "seen<U+E0041><U+E007F>"],
    ["a\u2028b", "a<U+2028>b"],
  ];
  test.each(rows)("shows %j as %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

describe("visibleLines", () => {
  const rows: [text: string, shown: string][] = [
    ["a\tb\nc\n", "a\tb\nc\n"],
    ["a\r\nb", "a\r\nb"],
    ["over\rwritten\r\r\n", "over<U+000D>written<U+000D>\r\n"],
    ["\u001b]0;title\u0007", "<U+001B>]0;title<U+0007>"],
  ];
  test.each(rows)("shows %j as %j", (text, shown) => {
    expect(visibleLines(text)).toBe(shown);
  });
});
