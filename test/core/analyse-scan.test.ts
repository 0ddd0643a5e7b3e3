import { describe, expect, test } from "bun:test";
import { scanText, TERM_MAX_LENGTH } from "../../src/core/analyse-scan.ts";

/** What is found, in order: `~stretch`, `word`, `=identifier`. */
function scan(text: string): string {
  const found: string[] = [];
  scanText(text, {
    onStretch: (stretch) => found.push(`~${stretch}`),
    onWord: (word) => found.push(word),
    onIdentifier: (identifier) => found.push(`=${identifier}`),
  });
  return found.join(" ");
}

describe("scanText", () => {
  test.each([
    ["", ""],
    [" \n\t。、「」!?*~()[]<>|\\\"'`", ""],
    ["...", ""],
    ["- -- _ / : @ + # & §", ""],
    ["one two", "one two"],
    ["one, two. (three)", "one two three"],
    ["größe été 12", "größe été 12"],
    ["don't stop the user's o'clock '90s", "don stop the user o clock 90s"],
    ["東京タワーへ行く", "~東京タワーへ行く"],
    ["東京・大阪、ー", "~東京 ~大阪 ~ー"],
    ["𠮷野家の𩸽", "~𠮷野家の𩸽"],
    ["人々〆〇ヽ", "~人々〆〇ヽ"],
    ["bunで実行", "bun ~で実行"],
    ["第3版", "~第 3 ~版"],
    ["ภาษาไทย ສະບາຍດີ 한국어", "~ภาษาไทย ~ສະບາຍດີ ~한국어"],
    ["москва αθήνα हिन्दी", "москва αθήνα हिन्दी"],
    ["か\u3099", "~か\u3099"],
  ])("finds in %j: %s", (text, expected) => {
    expect(scan(text)).toBe(expected);
  });

  test.each([
    ["jp-4471-x", "=jp-4471-x jp 4471 x"],
    ["1.0.21", "=1.0.21 1 0 21"],
    ["重跑gen-itgc后", "~重跑 =gen-itgc gen itgc ~后"],
    ["snake_case", "=snake_case snake case"],
    ["src/core/query.ts", "=src/core/query.ts src core =query.ts query ts"],
    ["user@example.com", "=user@example.com user =example.com example com"],
    ["q&a gb/s", "=q&a q a =gb/s gb s"],
    ["c++ c# f#", "=c++ c =c# c =f# f"],
    ["(c++), c++. c#: a+", "=c++ c =c++ c =c# c =a+ a"],
    [".net @user #12 §4.2", "=.net net =@user user =#12 12 =§4.2 =4.2 4 2"],
    ["c#/.net", "=c#/.net =c# c =.net net"],
    ["std::vec", "=std::vec std vec"],
    ["localhost:8080", "=localhost:8080 localhost 8080"],
    ["https://example.com/a/b.html", "=example.com/a/b.html https =example.com example com a =b.html b html"],
    ["https://example.com", "https =example.com example com"],
    ["word. word: -word --word word- /word/ ...word ##word word## +word", "word ".repeat(10).trim()],
    ["_word_ __word__ **word**", "word word word"],
    ["@scope/pkg", "=@scope/pkg scope pkg"],
    ["../b/c.md", "=b/c.md b =c.md c md"],
    ["a--b", "=a--b a b"],
    ["2026-11-30", "=2026-11-30 2026 11 30"],
  ])("finds in %j the identifiers %s", (text, expected) => {
    expect(scan(text)).toBe(expected);
  });

  test("cuts long words off, between characters, and leaves long identifiers to their parts", () => {
    const long = "x".repeat(TERM_MAX_LENGTH - 1);
    expect(scan(`${long}yz`)).toBe(`${long}y`);
    expect(scan(`${long}\u{1d7d8}`)).toBe(long);
    expect(scan(`${long}-y`)).toBe(`${long} y`);
    expect(scan(`${long.slice(2)}-y`)).toBe(`=${long.slice(2)}-y ${long.slice(2)} y`);
  });

  test("takes lone surrogates and controls for separators", () => {
    expect(scan("a\uD800b\uDC00c\0d\u0007e\u0085f")).toBe("a b c d e f");
  });
});
