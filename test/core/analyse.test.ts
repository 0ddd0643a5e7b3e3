import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  analyseDocumentField,
  analyseQuery,
  formatTermsExpression,
  QUERY_TERM_MAX_COUNT,
} from "../../src/core/analyse.ts";
import { normalizeText } from "../../src/core/normalize.ts";
import { anyText } from "../support/mixed-text.ts";

const UNSPACED = [..."東京都税検索のをタワーァー々𠮷𩸽ทำ한국\u3099"];
const character = fc.constantFrom(...UNSPACED);
const text = fc
  .array(
    fc.oneof({ arbitrary: character, weight: 6 }, fc.constantFrom("ai", " ", "。", "3", "-", "c++", "\n")),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(""));

const termsOf = (field: string) => analyseDocumentField(field).split(" ");

describe("analyseDocumentField", () => {
  test.each([
    ["", ""],
    ["。 、", ""],
    ["税", "税"],
    ["東京", "東京 京"],
    ["東京タワー", "東京 京タ タワ ワー ー"],
    ["𠮷野家", "𠮷野 野家 家"],
    ["bunで実行", "bun で実 実行 行"],
    ["ai and go", "ai and go"],
    ["connected connections", "connect connect"],
    ["重跑gen-itgc后", "重跑 跑 gen-itgc gen itgc 后"],
    ["running tests, src/queries.ts", "run test src/queries.ts src queries.ts queri ts"],
    ["going doing used ids", "going doing use id"],
    ["utf8 v2s", "utf8 v2s"],
    ["été écoles", "été écoles"],
  ])("makes of %j the terms %j", (field, terms) => {
    expect(analyseDocumentField(field)).toBe(terms);
  });

  test("has a word of two characters of a script without spaces exactly if the text has it", () => {
    fc.assert(
      fc.property(text, character, character, (field, first, second) => {
        expect(termsOf(field).includes(first + second)).toBe(field.includes(first + second));
      }),
      { numRuns: 500 },
    );
  });

  test("has a term that begins with a character exactly if the text has the character", () => {
    fc.assert(
      fc.property(text, character, (field, char) => {
        expect(termsOf(field).some((term) => term.startsWith(char))).toBe(field.includes(char));
      }),
      { numRuns: 500 },
    );
  });

  test("makes of whole lines what it makes of each", () => {
    fc.assert(
      fc.property(anyText.map(normalizeText), anyText.map(normalizeText), (one, other) => {
        const together = [one, other].map(analyseDocumentField).filter((terms) => terms !== "");
        expect(analyseDocumentField(`${one}\n${other}`)).toBe(together.join(" "));
      }),
    );
  });

  test("puts single spaces between terms, and nothing else that is white or a control", () => {
    fc.assert(
      fc.property(anyText, (field) => {
        expect(analyseDocumentField(field)).toMatch(/^(?:[^\p{White_Space}\p{C}"*]+(?: (?=.)|$))*$/u);
      }),
      { numRuns: 500 },
    );
  });
});

describe("analyseQuery", () => {
  const shown = (query: string) =>
    analyseQuery(query)
      .terms.map(({ text: term, isPrefix, kind }) => `${kind}:${term}${isPrefix ? "*" : ""}`)
      .join(" ");

  test.each([
    ["", ""],
    ["?!", ""],
    ["東京", "bigram:東京"],
    ["税", "character:税*"],
    ["税 率", "character:税* character:率*"],
    ["ai", "word:ai"],
    ["go", "word:go"],
    ["c++", "identifier:c++ word:c"],
    ["gen-itgc", "identifier:gen-itgc word:gen word:itgc"],
    ["bunで実行", "word:bun bigram:で実 bigram:実行"],
    ["connections", "word:connect"],
    ["東京 東京 connect connected", "bigram:東京 word:connect"],
    ["東京について", "bigram:東京 bigram:京に"],
    ["について", "bigram:につ bigram:つい bigram:いて"],
    ["の", "character:の*"],
    ["ai の について", "word:ai"],
    ["データのページ", "bigram:デー bigram:ータ bigram:タの bigram:のペ bigram:ペー bigram:ージ"],
  ])("looks for %j by %s", (query, terms) => {
    expect(shown(query)).toBe(terms);
  });

  test("keeps the first terms of a long question and counts the others", () => {
    const query = Array.from({ length: 100 }, (_, n) => `w${n} w${n}`).join(" ");
    const { terms, cappedCount } = analyseQuery(query);
    expect(terms).toHaveLength(QUERY_TERM_MAX_COUNT);
    expect(terms[63]?.text).toBe("w63");
    expect(cappedCount).toBe(36);
    expect(analyseQuery("w0 w1").cappedCount).toBe(0);
  });

  test("finds a text by any of its lines: each term is one of the text, or begins one", () => {
    fc.assert(
      fc.property(fc.array(anyText.map(normalizeText), { minLength: 1, maxLength: 4 }), (lines) => {
        const terms = termsOf(lines.join("\n"));
        for (const { text: term, isPrefix } of lines.flatMap((line) => analyseQuery(line).terms))
          expect(terms.some((one) => one === term || (isPrefix && one.startsWith(term)))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("looks for something in every text that has terms", () => {
    fc.assert(
      fc.property(anyText, (query) => {
        expect(analyseQuery(query).terms.length > 0).toBe(analyseDocumentField(query) !== "");
      }),
    );
  });
});

describe("formatTermsExpression", () => {
  test("quotes every term and marks prefixes", () => {
    expect(formatTermsExpression(analyseQuery("税 c++ 東京").terms)).toBe('"c" OR "c++" OR "東京" OR "税" *');
  });

  test("is null without terms", () => {
    expect(formatTermsExpression([])).toBeNull();
  });

  test("does not depend on the order of the terms", () => {
    const words = fc.uniqueArray(fc.constantFrom("東京", "税", "ai", "c++", "x-1", "検索", "タワー"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(words, (some) => {
        const expression = (order: readonly string[]) =>
          formatTermsExpression(analyseQuery(order.join(" ")).terms);
        expect(expression(some.toReversed())).toBe(expression(some));
      }),
    );
  });
});
