import { describe, expect, test } from "bun:test";
import { decodeText } from "../../src/source/text.ts";

const ascii = (text: string) => [...Buffer.from(text, "latin1")];
const bytes = (...parts: (number[] | string)[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? ascii(part) : part)));
const utf8 = (text: string) => [...Buffer.from(text, "utf8")];
const utf16le = (text: string) => [...Buffer.from(text, "utf16le")];
const utf16be = (text: string) => [...Buffer.from(text, "utf16le").swap16()];

// 「日本語の文章です。」 in each of the encodings.
const SHIFT_JIS = [
  0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x95, 0xb6, 0x8f, 0xcd, 0x82, 0xc5, 0x82, 0xb7, 0x81, 0x42,
];
const EUC_JP = [
  0xc6, 0xfc, 0xcb, 0xdc, 0xb8, 0xec, 0xa4, 0xce, 0xca, 0xb8, 0xbe, 0xcf, 0xa4, 0xc7, 0xa4, 0xb9, 0xa1, 0xa3,
];
const JIS = [0x1b, 0x24, 0x42, ...EUC_JP.map((byte) => byte & 0x7f), 0x1b, 0x28, 0x42];
const SENTENCE = "日本語の文章です。";

describe("decodeText", () => {
  test.each<[string, Uint8Array, string, string]>([
    ["UTF-8", bytes(utf8(SENTENCE)), SENTENCE, "utf-8"],
    ["UTF-8 with a byte-order mark", bytes([0xef, 0xbb, 0xbf], utf8(SENTENCE)), SENTENCE, "utf-8"],
    ["UTF-8 with two marks", bytes([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], "a"), "a", "utf-8"],
    ["UTF-16LE", bytes([0xff, 0xfe], utf16le(`${SENTENCE}a`)), `${SENTENCE}a`, "utf-16le"],
    ["UTF-16BE", bytes([0xfe, 0xff], utf16be(`${SENTENCE}a`)), `${SENTENCE}a`, "utf-16be"],
    ["ISO-2022-JP", bytes("# ", JIS, "\nabc"), `# ${SENTENCE}\nabc`, "iso-2022-jp"],
    ["Shift_JIS", bytes("# ", SHIFT_JIS, "\nabc"), `# ${SENTENCE}\nabc`, "shift_jis"],
    ["EUC-JP", bytes("# ", EUC_JP, "\nabc"), `# ${SENTENCE}\nabc`, "euc-jp"],
    [
      "Shift_JIS with half-width kana and ①",
      bytes(SHIFT_JIS, [0xb6, 0xc5, 0x87, 0x40]),
      `${SENTENCE}ｶﾅ①`,
      "shift_jis",
    ],
    ["Shift_JIS katakana", bytes([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), "テスト", "shift_jis"],
    ["EUC-JP katakana", bytes([0xa5, 0xc6, 0xa5, 0xb9, 0xa5, 0xc8]), "テスト", "euc-jp"],
    ["nothing", bytes(), "", "utf-8"],
    [
      "a log with colours and form feeds",
      bytes(`\u001b[31mred\u001b[0m\f${"text ".repeat(20)}`),
      `\u001b[31mred\u001b[0m\f${"text ".repeat(20)}`,
      "utf-8",
    ],
  ])("reads %s", (_, input, text, encoding) => {
    expect(decodeText(input)).toEqual({ kind: "text", text, encoding } as never);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ["Latin-1", bytes("caf\xe9 et th\xe9"), /^undecodable/],
    ["Latin-1 that is valid Shift_JIS", bytes("d\xe9tail \xe9crit"), /^undecodable/],
    ["Windows-1252 quotes, valid Shift_JIS", bytes("don\x92t it\x92s"), /^undecodable/],
    ["German in Latin-1", bytes("\xc4\xd6\xdc \xe4hre"), /^undecodable/],
    ["Korean in EUC-KR", bytes([0xc7, 0xd1, 0xb1, 0xdb, 0x20, 0xb9, 0xae, 0xbc, 0xad]), /^undecodable/],
    ["Chinese in GB2312", bytes([0xd6, 0xd0, 0xce, 0xc4, 0xb5, 0xc4, 0xca, 0xc7]), /^undecodable/],
    ["Japanese without kana, which may be anything", bytes([0xc5, 0xec, 0xb5, 0xfe]), /^undecodable/],
    ["half-width kana alone", bytes([0xb6, 0xc5, 0xb6, 0xc5]), /^undecodable/],
    ["UTF-8 cut in a character", bytes(utf8(SENTENCE).slice(0, -1)), /^undecodable/],
    ["UTF-16 of odd length", bytes([0xff, 0xfe, 0x41]), /utf-16le/],
    ["UTF-16 with a lone surrogate", bytes([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), /utf-16le/],
    ["NUL bytes", bytes("text\0text"), /^binary.*NUL/],
    ["U+0000 in UTF-16", bytes([0xff, 0xfe], utf16le("a\0b")), /U\+0000/],
    ["PNG without its NULs", bytes([0x89], "PNG", [0x1a, 0x01, 0x02, 0x03, 0x04, 0x05]), /^binary/],
  ])("refuses %s", (_, input, reason) => {
    expect(decodeText(input)).toEqual({ kind: "undecodable", reason: expect.stringMatching(reason) });
  });

  test.each<[string, string]>([
    ["a\r\nb\r\n", "a\nb\n"],
    ["a\rb\r", "a\nb\n"],
    ["a\rb\r\nc\nd", "a\rb\nc\nd"],
    ["a\nb", "a\nb"],
  ])("gives %p line feeds", (input, text) => {
    expect(decodeText(bytes(input))).toMatchObject({ text });
  });
});
