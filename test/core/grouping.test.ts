import { expect, test } from "bun:test";
import { eachAlone, groupByDocument } from "../../src/core/grouping.ts";

const ranked = ["a 3", "b 0", "a 1", "c 2", "b 7", "a 0"].map((text) => {
  const [path = "", index] = text.split(" ");
  return { path, index: Number(index) };
});

test("groups a ranking by document, best passage first, in the order of the best", () => {
  const groups = groupByDocument(ranked);
  expect(groups.map(({ best }) => best)).toEqual([ranked[0]!, ranked[1]!, ranked[3]!]);
  expect(groups.map(({ others }) => others.map(({ index }) => index))).toEqual([[1, 0], [7], []]);
});

test("leaves every passage by itself where nothing is grouped", () => {
  expect(eachAlone(ranked).map(({ best }) => best)).toEqual(ranked);
  expect(eachAlone(ranked).every(({ others }) => others.length === 0)).toBe(true);
});
