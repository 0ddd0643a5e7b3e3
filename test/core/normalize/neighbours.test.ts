import { describe, expect, test } from "bun:test";
import { resolveNeighbours } from "../../../src/core/normalize/neighbours.ts";

describe("resolveNeighbours", () => {
  // biome-ignore format: pairs read best in a row
  test.each([
    // A dash after a kana is a mistyped ー.
    ["サ‐バ", "サーバ"], ["サ─バ", "サーバ"], ["デ‐タ", "データ"], ["エラ‐発生", "エラー発生"], ["コピ‐", "コピー"],
    ["コピ‐。", "コピー。"], ["コピ‐ ", "コピー "], ["ら‐めん", "らーめん"], ["フェ‐ズ", "フェーズ"],
    // It is a hyphen before letters and digits, in a row, after ー, ン and ッ, and after everything else.
    ["タイプ‐a", "タイプ-a"], ["テスト‐1", "テスト-1"], ["これは‐‐そう", "これは--そう"], ["サーバー‐クライアント", "サーバー-クライアント"],
    ["レモン‐ジュース", "レモン-ジュース"], ["ラッ‐", "ラッ-"], ["東京‐大阪", "東京-大阪"], ["a‐b", "a-b"],
    ["03‐1234", "03-1234"], ["‐", "-"], ["。‐あ", "。-あ"], ["か‐-", "か--"], ["か‐é", "か-é"],
    // A hyphen stays one, a line stays a line.
    ["サ-バ", "サ-バ"], ["├──", "├──"], ["あ──い", "あ──い"], ["か─1", "か─1"], ["あー", "あー"],
    // ー between letters or digits is a mistyped hyphen.
    ["03ー1234ー5678", "03-1234-5678"], ["wiーfi", "wi-fi"], ["tーシャツ", "tーシャツ"], ["あー1", "あー1"], ["1ー", "1ー"],
    // Kanji repeat.
    ["人々", "人人"], ["民主々義", "民主主義"], ["部分々々", "部分部分"], ["一部分々々も", "一部分部分も"], ["大人々々々", "大人々々々"],
    ["人々々", "人々々"], ["々", "々"], ["か々", "か々"], ["a人々々", "a人々々"], ["𠮟々", "𠮟々"], ["〆々", "〆々"], ["人々人々々", "人人人人人"],
    ["人々、様々", "人人、様様"],
    // Kana repeat.
    ["すゞ", "すず"], ["あゝ", "ああ"], ["こゝろ", "こころ"], ["バナヽ", "バナナ"], ["ミスヾ", "ミスズ"], ["ぶゞ", "ぶぶ"],
    ["じゝ", "じゝ"], ["あゞ", "あゞ"], ["ころゝゝ", "ころゝゝ"], ["すゞゝ", "すゞゝ"], ["アゝ", "アゝ"], ["あヽ", "あヽ"], ["人ゝ", "人ゝ"],
    ["ぱゝ", "ぱゝ"], ["ゝ", "ゝ"], ["ッヽ", "ッヽ"], ["あゝ‐", "ああー"],
  ])("makes %j into %j, of the same length, for good", (text, expected) => {
    const resolved = resolveNeighbours(text);
    expect(resolved).toBe(expected);
    expect(resolved).toHaveLength(text.length);
    expect(resolveNeighbours(resolved)).toBe(resolved);
  });
});
