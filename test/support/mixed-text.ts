/**
 * Texts made of what normalisation has to deal with: every kind of character, in any order.
 */
import fc from "fast-check";

// biome-ignore format: a list to be scanned, not read
const PIECES = [
  "a", "I", "r", "ab", "Rust", "go", "1", "12", " ", "\n", "\t", "\r\n", "\u00A0", "\u3000", "-", "_", ".", "'", '"', "\0", "\x07",
  "か", "が", "は", "ん", "っ", "データ", "サーバ", "ア", "ー", "ﾃﾞ", "ﾊﾟ", "ｻ", "ｰ", "ﾞ", "ﾟ", "゛", "゜", "\u3099", "\u309A", "。", "、",
  "人", "部分", "髙", "國", "𠮟", "𩸽", "東京", "〆", "〇", "検索", "㈱", "①", "㍻", "㍿", "㌀", "ゟ", "Ⅷ", "ｱ", "Ａ", "ｚ", "１", "－", "＿",
  "é", "É", "e\u0301", "\u0301", "\u0308", "\u0345", "ø", "Å", "ß", "ẞ", "ſ", "ς", "Σ", "İ", "ı", "ŉ", "ΐ", "և", "Ա", "ﬁ", "ﬃ", "ǆ", "½", "K",
  "й", "и\u0306", "Ё", "ก", "กี่", "น้ำ", "ำ", "क्षि", "ি", "שָׁ", "العَرَ", "ﻻ", "ﷺ", "한", "ᄒ", "ᅡ", "ᆫ", "ㅎ", "ㅏ", "ﾣ",
  "👨‍👩‍👧", "👍🏽", "🏽", "🇯🇵", "🇯", "❤️", "1️⃣", "🏴\u{E0067}\u{E007F}", "\u200D", "\u200C", "\uFE0F", "\u{E0100}", "\u00AD", "\uFEFF",
  "\u2060", "\u200B", "\uD83D", "\uDE00", "\uD800", "𝐀", "´", "¨", "™", "…", "\u{1D165}",
];

/** What normalises by its neighbours. */
// biome-ignore format: a list to be scanned, not read
const LOOKING_AROUND = [
  "‐", "‑", "–", "—", "―", "−", "─", "﹣", "－", "ー", "ｰ", "々", "ゝ", "ゞ", "ヽ", "ヾ", "すゞ", "人々", "部分々々", "サ―バ", "1ー2", "~", "〜", "～",
];

const isSettled = (piece: string) => !LOOKING_AROUND.includes(piece);

/** Pieces whose form does not depend on their neighbours. */
export const settledPiece = fc.constantFrom(...PIECES.filter(isSettled));

export const anyPiece = fc.constantFrom(...PIECES, ...LOOKING_AROUND, ...LOOKING_AROUND);

export function textOf(piece: fc.Arbitrary<string>, maxPieces = 16): fc.Arbitrary<string> {
  return fc.array(piece, { maxLength: maxPieces }).map((pieces) => pieces.join(""));
}

/** Any text at all, malformed UTF-16 included. */
export const anyText = fc.oneof(
  { arbitrary: textOf(anyPiece), weight: 4 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 24 }), weight: 1 },
  { arbitrary: fc.string({ unit: "grapheme", maxLength: 24 }), weight: 1 },
  {
    arbitrary: fc.array(fc.nat(0xffff), { maxLength: 24 }).map((units) => String.fromCharCode(...units)),
    weight: 1,
  },
);
