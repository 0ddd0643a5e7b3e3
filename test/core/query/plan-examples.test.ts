/**
 * What queries of every kind compile to, character by character: the contract of
 * the phrases leg as a table. `OR` between phrases, null where nothing can be found.
 * Raw text, not normalised; what a query excludes is in `plan-exclusions.test.ts`.
 */
import { describe, expect, test } from "bun:test";
import { compileQuery } from "../../../src/core/query/plan.ts";

type Example = readonly [raw: string, expression: string | null];

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `w${String(from + at).padStart(2, "0")}`);
const orOf = (words: readonly string[]) => words.map((word) => `"${word}"`).join(" OR ");

const JAPANESE: readonly Example[] = [
  ["検索器", '"検索器"'],
  ["検索", null],
  ["東京", null],
  ["東京 天気", '"東京 天気"'],
  ["東京の天気", '"東京の天気" OR "東京の"'],
  ["東京タワー", '"東京タワー" OR "タワー"'],
  ["大阪城公園について", '"大阪城公園" OR "について"'],
  ["全文検索エンジンの選び方", '"全文検索" OR "エンジン" OR "の選び方" OR "の選び"'],
  ["再構築する", '"再構築する" OR "再構築"'],
  ["データベース化", '"データベース化" OR "データベース"'],
  ["のデータベース", '"のデータベース" OR "データベース"'],
  ["非データベース型", '"非データベース型" OR "非データベース" OR "データベース"'],
  ["お問い合わせ", '"お問い" OR "合わせ"'],
  ["打ち合わせメモ", '"打ち合" OR "わせメモ"'],
  ["見積もり依頼", '"見積もり依頼" OR "見積もり"'],
  ["キャッシュの無効化", '"キャッシュ" OR "の無効化" OR "無効化"'],
  ["キャッシュ の 無効化", '"キャッシュ" OR "無効化"'],
  ["人々の暮らし", '"人々の" OR "暮らし"'],
  ["〆切を守る", '"〆切を守る" OR "〆切を"'],
  ["ラーメン", '"ラーメン"'],
  ["々々々", '"々々々"'],
  ["ーーー", '"ーーー"'],
  ["読み取り専用モード", '"読み取" OR "り専用" OR "モード"'],
  ["書き込み", '"書き込み" OR "書き込"'],
  ["第三章について", '"第三章" OR "について"'],
  ["した", null],
  ["髙島屋(横浜店)", '"髙島屋" OR "横浜店"'],
  ["全 文 検 索", '"全 文 検 索"'],
  ["構築,手順,確認", '"構築,手順,確認"'],
];

const FORMS: readonly Example[] = [
  ["ﾗｰﾒﾝ屋", '"ﾗｰﾒﾝ屋" OR "ﾗｰﾒﾝ"'],
  ["ﾃﾞｰﾀ", '"ﾃﾞｰﾀ"'],
  ["ｱ･ｲ･ｳ", '"ｱ･ｲ･ｳ"'],
  ["ログ・監視", '"ログ・監視" OR "ログ・"'],
  ["ログ･監視", '"ログ･監視"'],
  ["バックアップ".normalize("NFC"), `"${"バックアップ".normalize("NFC")}"`],
  ["ハ\u3099ックアップ", '"ハ\u3099ックアップ" OR "ックアップ"'],
  ["バックアップ".normalize("NFD"), '"ハ\u3099ックアッフ\u309A" OR "ハ\u3099ックアッフ" OR "ックアッフ"'],
  ["か\u3099くせい", '"か\u3099くせい"'],
  ["𠮟る", null],
  ["𠮟責する", '"𠮟責する"'],
  ["𩸽定食屋さん", '"𩸽定食屋さん" OR "𩸽定食屋" OR "定食屋"'],
  ["𠀋𠀋𠀋", '"𠀋𠀋𠀋"'],
  ["二〇二六年度", '"二〇二六年度" OR "二六年度"'],
  ["㍻時代", '"㍻時代"'],
  ["①②③", '"①②③"'],
  ["Ⅷ章", null],
  ["第3章", '"第3章"'],
  ["10月5日", '"10月5日" OR "10月"'],
  ["３月の予定", '"３月の予定" OR "３月の"'],
];

const MIXED: readonly Example[] = [
  ["vim", '"vim"'],
  ["go", null],
  ["AI", null],
  ["AI と ML", '"AI と ML"'],
  ["AIとML", '"AIとML" OR "AIと"'],
  ["AI 検索器", '"検索器"'],
  ["API設計", '"API設計" OR "API"'],
  ["ＡＰＩ設計", '"ＡＰＩ設計" OR "ＡＰＩ"'],
  ["C言語", '"C言語"'],
  ["C++ と Rust", '"Rust"'],
  ["C# 入門", '"C# 入門"'],
  [".NET Core", '"NET" OR "Core"'],
  ["node.js v20", '"node" OR "v20"'],
  ["v1.2.3", '"v1.2.3"'],
  ["utf-8", '"utf-8"'],
  ["UTF-8文字化け", '"UTF-8" OR "文字化け" OR "文字化"'],
  ["snake_case", '"snake_case"'],
  ["2026-08-12", '"2026-08-12"'],
  ["500エラー", '"500" OR "エラー"'],
  ["エラーコード E0499 の対処", '"エラーコード" OR "E0499" OR "の対処"'],
  ["MCP サーバーの認証設定", '"MCP" OR "サーバー" OR "の認証設定" OR "認証設定"'],
  ["ユーザーIDの採番", '"ユーザー" OR "IDの採番" OR "IDの"'],
  ["運用手順-改訂版", '"運用手順" OR "-改訂版" OR "改訂版"'],
  ["日本語ABCカナかな漢字", '"日本語" OR "ABC" OR "カナかな漢字" OR "カナかな"'],
  ["漢字かなカナABC", '"漢字かな" OR "カナABC" OR "ABC"'],
  ["ab漢c", '"ab漢c" OR "ab漢"'],
  ["한국어 검색", '"한국어"'],
  ["привет мир", '"привет" OR "мир"'],
  ["हिन्दी भाषा", '"हिन" OR "भाषा"'],
  ["it's fine", '"fine"'],
  ["user@example.com", '"user" OR "example" OR "com"'],
  ["https://example.com/a_b?x=1", '"https" OR "example" OR "com" OR "a_b"'],
];

const MARKS: readonly Example[] = [
  ["🦀", null],
  ["🦀🦀🦀", '"🦀🦀🦀"'],
  ["rust🦀book", '"rust" OR "book"'],
  ["👨‍👩‍👧 family", '"family"'],
  ["🇯🇵日本語", '"日本語"'],
  ["caf\u00E9 menu", '"caf\u00E9" OR "menu"'],
  ["cafe\u0301 menu", '"cafe" OR "menu"'],
  ["e\u0301a", '"e\u0301a"'],
  ["½ cup", '"cup"'],
  ["x² + y²", '"x² + y²"'],
  ["---", '"---"'],
  ["--", null],
  ["___", '"___"'],
  ["!!! ???", '"!!! ???"'],
  ["、。", null],
  ["tab\tsep", '"tab" OR "sep"'],
  ["nul\0byte", '"nul" OR "byte"'],
  ["a\0b", null],
  ["a\u200Bb\u200Bc", '"a\u200Bb\u200Bc"'],
  ["x\u0085yzw", '"yzw"'],
  ["", null],
  ["   ", null],
  ["\u3000", null],
];

const SYNTAX: readonly Example[] = [
  ["NEAR(cat dog)", '"NEAR" OR "cat" OR "dog"'],
  ["cat AND dog", '"cat" OR "AND" OR "dog"'],
  ["cat OR dog NOT bird", '"cat" OR "dog" OR "NOT" OR "bird"'],
  ["(a OR b)", '"(a OR b)"'],
  ["heading:deploy", '"heading" OR "deploy"'],
  ["foo*", '"foo"'],
  ["^intro", '"intro"'],
  ["--force", '"--force"'],
];

const QUOTES: readonly Example[] = [
  ['"Blue Green" deploy', '"Blue Green" OR "deploy"'],
  ['"blue green', '"blue" OR "green"'],
  ['say "hi', '"say"'],
  ['"hi" there', '"there"'],
  ['"" there', '"there"'],
  ['"AI"', '"""AI"""'],
  ['"東京"', '"""東京"""'],
  ['"AI と ML"', '"AI と ML"'],
  ['""""', '""""""""""'],
  ['"a""b"', '"a""b"'],
  ['"ab""cd" ef', '"ab""cd"'],
  ['x"one two"y', '"one two"'],
  ['"one two"three', '"one two" OR "three"'],
  ['再"構築手順"化', '"構築手順"'],
  ['foo"bar', '"foo" OR "bar"'],
  ['"a\0bcd"', null],
  ['"a\0bcd" tail', '"tail"'],
];

const REPEATS: readonly Example[] = [
  ["abc abc ABC", '"abc" OR "ABC"'],
  ["エラー エラー処理 エラー", '"エラー" OR "エラー処理"'],
  [numbered(0, 39).join(" "), orOf(numbered(0, 31))],
  [["w00", ...numbered(0, 31)].join(" "), orOf(numbered(0, 31))],
];

describe("compileQuery", () => {
  for (const [kind, examples] of Object.entries({
    "Japanese words": JAPANESE,
    "character forms": FORMS,
    "Latin, identifiers and mixtures": MIXED,
    "emoji, marks and punctuation": MARKS,
    "what would be syntax": SYNTAX,
    quotes: QUOTES,
    repeats: REPEATS,
  })) {
    describe(kind, () => {
      test.each(examples.map(([raw, expression]) => [raw, expression] as const))(
        "compiles %j to %j",
        (raw, expression) => {
          expect(compileQuery(raw).matchExpression).toBe(expression);
        },
      );
    });
  }

  test.each([
    [numbered(0, 39).join(" "), 8],
    [["w00", ...numbered(0, 31)].join(" "), 0],
  ])("of the distinct words of %j drops %i", (raw, cappedCount) => {
    expect(compileQuery(raw)).toMatchObject({ cappedCount, phrases: numbered(0, 31) });
  });
});
