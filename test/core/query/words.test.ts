import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { wordsOf } from "../../../src/core/query/words.ts";

const textsOf = (text: string) => wordsOf([{ kind: "plain", text }]).map((word) => word.text);

describe("wordsOf", () => {
  test.each([
    ["東京の天気", "東京|の|天気"],
    ["AI と ML", "AI|と|ML"],
    ["データベース化", "データベース|化"],
    ["10月5日", "10|月|5|日"],
    ["UTF-8文字化け", "UTF-8|文字化|け"],
    ["運用手順-改訂版", "運用手順|改訂版"],
    ["二〇二六年度 𠮟責する 人々 〆切", "二〇二六年度|𠮟責|する|人々|〆切"],
    ["ログ・監視、らーめん。", "ログ|監視|らーめん"],
    ["한국어 검색", "한국어|검색"],
    ["हिन्दी भाषा", "हिन्दी|भाषा"],
    ["cafe\u0301 привет", "cafe\u0301|привет"],
  ])("cuts %j where scripts meet and at marks: %s", (text, words) => {
    expect(textsOf(text).join("|")).toBe(words);
  });

  test.each([
    ["c++ と rust", "c++|と|rust"],
    ["c++とrust", "c++|と|rust"],
    ["c# 入門", "c#|入門"],
    ["c#.net c++/cli c++20", "c#.net|c++/cli|c++20"],
    [".net core", ".net|core"],
    ["これは.netで", "これは|.net|で"],
    [".gitignore ~/.bashrc", ".gitignore|.bashrc"],
    ["q&a at&t", "q&a|at&t"],
    ["r 言語", "r|言語"],
    ["node.js v20", "node.js|v20"],
    ["v1.2.3 1.0.21", "v1.2.3|1.0.21"],
    ["ts 23.501", "ts|23.501"],
    ["§4.2 #12", "§4.2|#12"],
    ["jp-4471-x e0499", "jp-4471-x|e0499"],
    ["gb/s i/o tcp/ip", "gb/s|i/o|tcp/ip"],
    ["user@example.com", "user@example.com"],
    ["https://example.com/a_b?x=1", "https://example.com/a_b?x=1"],
    ["src/core/query.ts ./run.sh", "src/core/query.ts|run.sh"],
    ["snake_case camelCase __init__", "snake_case|camelCase|__init__"],
    ["std::vector localhost:8080 12:30", "std::vector|localhost:8080|12:30"],
    ["1,000円 2026-08-12 ½", "1,000|円|2026-08-12|½"],
    ["-m --force (--all) `-v` -1", "-m|--force|--all|-v|-1"],
    ["it's o’reilly", "it's|o’reilly"],
  ])("keeps what holds a name together in %j", (text, words) => {
    expect(textsOf(text).join("|")).toBe(words);
  });

  test.each([
    ["what is rust?", "what|is|rust"],
    ["(a or b)", "a|or|b"],
    ["foo, bar.", "foo|bar"],
    ["foo,bar 1,2 1,0000", "foo|bar|1|2|0000"],
    ["end. ...and 1..10", "end|and|1|10"],
    ["'quoted' users' “typographic”", "quoted|users|typographic"],
    ["(see https://example.com/x/).", "see|https://example.com/x"],
    ["heading:deploy title:東京", "heading|deploy|title|東京"],
    ["mac/windows", "mac|windows"],
    ["a--b foo-bar- 手順-v2", "a|b|foo-bar|手順|v2"],
    ["foo().bar x=1&y=2 50% $home", "foo|bar|x|1|y|2|50|home"],
    ["## heading ##x", "heading|x"],
    ["a+++b", "a++|b"],
    ["nul\0byte", "nul|byte"],
  ])("leaves the punctuation of %j", (text, words) => {
    expect(textsOf(text).join("|")).toBe(words);
  });

  test.each(["", " \u3000", "!!! ???", "---", "___", "🦀 ☀️", "、。「」", "\uD800"])(
    "finds none in %j",
    (text) => {
      expect(textsOf(text)).toEqual([]);
    },
  );

  test("takes a quoted text for one word as it is, unless it is blank", () => {
    const quoted = ["AI", "blue green", "=>", " x ", "", " "].map(
      (text) => ({ kind: "quoted", text }) as const,
    );
    expect(wordsOf(quoted)).toEqual([
      { text: "AI", isQuoted: true, isShort: true },
      { text: "blue green", isQuoted: true, isShort: false },
      { text: "=>", isQuoted: true, isShort: true },
      { text: " x ", isQuoted: true, isShort: false },
    ]);
  });

  test("gives each text once, where it first stood, quoted if it was so anywhere", () => {
    expect(
      wordsOf([
        { kind: "plain", text: "go AI go" },
        { kind: "quoted", text: "AI" },
        { kind: "plain", text: "AI rust" },
      ]),
    ).toEqual([
      { text: "go", isQuoted: false, isShort: true },
      { text: "AI", isQuoted: true, isShort: true },
      { text: "rust", isQuoted: false, isShort: false },
    ]);
  });

  test("calls one or two characters short, whatever their size in units", () => {
    const shortOf = (text: string) => wordsOf([{ kind: "plain", text }]).map(({ isShort }) => isShort);
    expect(shortOf("税 東京 𠮟𠮟 東京都 go vim")).toEqual([true, true, true, false, true, false]);
  });

  test("gives parts of the text that hold every letter and digit of it", () => {
    const unit = fc.oneof(
      fc.constantFrom(..."abC1_-.+#&@/:'\",(§ 　東々のカーﾊﾞ・〇𠮟é\u0301🦀"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]/gu) ?? [];
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const words = textsOf(text);
        for (const word of words) expect(text).toContain(word);
        for (const letter of lettersOf(text)) expect(words.some((word) => word.includes(letter))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
