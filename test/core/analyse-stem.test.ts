import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { stemEnglish } from "../../src/core/analyse-stem.ts";

describe("stemEnglish", () => {
  test.each([
    ["connect", ["connect", "connects", "connected", "connecting", "connection", "connections"]],
    ["delet", ["delete", "deletes", "deleted", "deleting", "deletion"]],
    ["adopt", ["adopt", "adopted", "adoption"]],
    ["configur", ["configure", "configures", "configured", "configuration", "configurations"]],
    ["run", ["run", "runs", "running"]],
    ["stop", ["stops", "stopped", "stopping"]],
    ["hope", ["hope", "hoped", "hoping"]],
    ["index", ["index", "indexes", "indexed", "indexing"]],
    ["queri", ["query", "queries", "queried"]],
    ["agre", ["agree", "agreed"]],
    ["depend", ["depend", "depends", "dependent", "dependence"]],
    ["relat", ["relate", "related", "relation", "relational"]],
    ["use", ["use", "used", "uses", "using"]],
    ["easili", ["easily"]],
    ["die", ["die", "dies", "died", "dying"]],
    ["fall", ["fall", "falls", "falling"]],
    ["control", ["control", "controll", "controlled"]],
    ["generat", ["generate", "generated", "generator"]],
  ])("gives %s for %p", (stem, words) => {
    expect(words.map(stemEnglish)).toEqual(words.map(() => stem));
  });

  test.each([
    ["general", "generate"],
    ["universe", "university"],
    ["inning", "inn"],
    ["news", "new"],
    ["past", "paste"],
    ["organ", "organize"],
    ["hop", "hope"],
  ])("keeps %s and %s apart", (one, other) => {
    expect(stemEnglish(one)).not.toBe(stemEnglish(other));
  });

  test.each([
    "as",
    "is",
    "us",
    "gas",
    "this",
    "class",
    "status",
    "sky",
    "by",
    "say",
    "toy",
    "succeed",
    "ing",
    "bed",
    "yes",
  ])("leaves %s as it is", (word) => {
    expect(stemEnglish(word)).toBe(word);
  });

  test("gives letters, no more of them than there were, and one at least", () => {
    const word = fc.string({ unit: fc.constantFrom(..."aeiouyybcdgilnrsstz"), minLength: 1, maxLength: 32 });
    const ending = fc.constantFrom("", "s", "ed", "ing", "ational", "iveness", "ion", "ly", "e", "ll");
    fc.assert(
      fc.property(word, ending, (start, end) => {
        const stem = stemEnglish(start + end);
        expect(stem).toMatch(/^[a-z]+$/);
        expect(stem.length).toBeLessThanOrEqual(start.length + end.length + 1);
      }),
    );
  });
});
