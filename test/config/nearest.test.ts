import { describe, expect, test } from "bun:test";
import { didYouMean, findNearest } from "../../src/config/nearest.ts";

describe("findNearest", () => {
  const rows: [name: string, known: string[], expected: string | undefined][] = [
    ["serach", ["index", "search"], "search"],
    ["SEARCH", ["search"], "search"],
    ["querry", ["query", "limit"], "query"],
    ["frobnicate", ["index", "search"], undefined],
    ["ab", ["cd", "xyz"], "cd"],
    ["ab", ["ac", "ad"], "ac"],
    ["index", [], undefined],
    ["index.hiden", ["index.hidden", "index.extensions"], "index.hidden"],
  ];
  test.each(rows)("of %s among %j is %p", (name, known, expected) => {
    expect(findNearest(name, known)).toBe(expected);
  });
});

describe("didYouMean", () => {
  test("asks with the prefix in front of the name", () => {
    expect(didYouMean("serach", ["search"], "kb ")).toBe(" Did you mean kb search?");
  });

  test("says nothing when nothing is near", () => {
    expect(didYouMean("frobnicate", ["search"])).toBe("");
  });
});
