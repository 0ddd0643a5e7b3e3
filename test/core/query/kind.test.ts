import { describe, expect, test } from "bun:test";
import { isExactName, isPointed } from "../../../src/core/query/kind.ts";
import { compileQuery } from "../../../src/core/query/plan.ts";

const kindOf = (query: string) =>
  isPointed(compileQuery(query, { normalize: (text) => text.toLowerCase() }).words);

describe("isPointed", () => {
  test.each([
    "E0499",
    "JP-4471-X",
    "firmware 3.0.21",
    "gen-itgc",
    "user@example.com",
    "C++",
    "東京",
    "税",
    "Go",
    '"blue green"',
    "snake_case",
    "§4.2",
  ])("%p points at something by its name", (query) => expect(kindOf(query)).toBe(true));

  test.each([
    "",
    "の",
    "how do I deploy",
    "backup procedure",
    "休暇申請の期限",
    "検索基盤の移行時期はいつ決まったのか",
    "what changed for the Telemetry API between version 3.0.20 and 3.0.21",
  ])("%p asks", (query) => expect(kindOf(query)).toBe(false));
});

describe("isExactName", () => {
  test.each([
    "e0499",
    "jp-4471-x",
    "1.0.21",
    "std::vec",
    "c++",
    "c#",
    ".net",
    "§4.2",
    "snake_case",
    "node.js",
  ])("%p is one", (word) => expect(isExactName(word)).toBe(true));

  test.each(["two-factor", "2026", "backup", "it's", "q&a", "東京", "税", ""])("%p is none", (word) =>
    expect(isExactName(word)).toBe(false),
  );
});
