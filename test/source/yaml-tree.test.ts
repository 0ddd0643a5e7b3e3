import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse, stringify } from "yaml";
import { readYamlTree } from "../../src/source/yaml-tree.ts";

/** As much as a golden file may have. */
const LARGE = 1024 * 1024;
const filled = (part: string) => part.repeat(Math.ceil(LARGE / part.length));
const problemOf = (text: string) => {
  const { value, problems } = readYamlTree(text);
  expect(value).toBeUndefined();
  return problems[0];
};

describe("readYamlTree", () => {
  test.each<[string, unknown]>([
    ["a: 1\nb: [x, 'y', \"z\"]\n", { a: 1, b: ["x", "y", "z"] }],
    ['{"a": {"b": [true, null]}}', { a: { b: [true, null] } }],
    ["- 'a' # note\n- 'b'\n", ["a", "b"]],
    ["a: 'x'\n'b': \"y\"\n", { a: "x", b: "y" }],
    ['a: "b & c"\nd: e*f &g\n', { a: "b & c", d: "e*f &g" }],
    ["a: |\n  *b\n  &c\n  ] }\n", { a: "*b\n&c\n] }\n" }],
    ["", null],
    ["# nothing\n", null],
  ])("reads %j", (text, value) => {
    expect(readYamlTree(text)).toMatchObject({ value, problems: [] });
  });

  test("reads a long text in lines, which is no nesting", () => {
    const long = "  some words in a line\n".repeat(400);
    expect(readYamlTree(`a: |\n${long}b: >\n${long}`)).toMatchObject({ problems: [] });
  });

  test("gives what the parser gives, for any values without names for parts", () => {
    const values = fc
      .jsonValue({ maxDepth: 4 })
      .filter((value) => !JSON.stringify(value).includes("__proto__"));
    fc.assert(
      fc.property(values, (value) => {
        for (const text of [stringify(value, { aliasDuplicateObjects: false }), JSON.stringify(value)]) {
          const tree = readYamlTree(text);
          expect(tree.problems).toEqual([]);
          expect(tree.value).toEqual(parse(text));
        }
      }),
    );
  });

  test("knows the line of what keys and offsets lead to, and of the deepest part there is", () => {
    const { lineOf } = readYamlTree("queries:\n  - query: a\n    expected:\n      - path: b\n  - query: c\n");
    expect(lineOf([])).toBe(1);
    expect(lineOf(["queries", 0, "expected", 0, "path"])).toBe(4);
    expect(lineOf(["queries", 1])).toBe(5);
    expect(lineOf(["queries", 1, "expected"])).toBe(5);
    expect(lineOf(["nothing"])).toBe(1);
  });

  test.each([
    ["a name for a part", "a: &x 1\nb: 2\n", 1, "anchors and aliases are not read here: &x"],
    ["an alias", "a: 1\nb: *x\n", 2, "anchors and aliases are not read here: *x"],
    ["a key twice", "a: 1\nb: 2\na: 3\n", 3, 'the key "a" is there twice'],
    ["a key that is a list", "? [a]\n: b\n", 1, "a key that is not a name"],
    ["a bracket that closes nothing", "a: 1\nb: ]\n", 2, "] closes nothing"],
    ["two texts in quotes", "a: 1\nb: 'x' \"y\"\n", 2, "a text in quotes right after another"],
    ["deep brackets", "[".repeat(33), 1, "nested deeper than 32 levels"],
    ["deep lists", `a:\n${"- ".repeat(33)}`, 2, "nested deeper than 32 levels"],
    ["an open quote", "a: 'x\n", 2, "Missing closing 'quote"],
  ])("refuses %s with its line", (_, text, line, sentence) => {
    expect(problemOf(text)).toEqual({ line, sentence });
  });

  test.each([
    ["quotes", filled('"'), "a text in quotes right after another"],
    ["quotes with blanks between", filled('"" '), "a text in quotes right after another"],
    ["names for parts", filled("- &a x\n"), "anchors and aliases are not read here: &a"],
    [
      "a long name for a part",
      `&${filled("a")}`,
      `anchors and aliases are not read here: &${"a".repeat(39)}…`,
    ],
    ["aliases", filled("*a "), "anchors and aliases are not read here: *a"],
    ["closing brackets", filled("]"), "] closes nothing"],
    ["opening brackets", filled("["), "nested deeper than 32 levels"],
    ["blanks", filled(" "), "nested deeper than 32 levels"],
    ["commas", `[${filled(",")}]`, "more than 400000 values and signs"],
    ["tags", filled("! "), "more than 400000 values and signs"],
    ["directives", filled("%a\n"), "more than 400000 values and signs"],
    ["documents", filled("...\n"), "more than 400000 values and signs"],
    ["empty keys", filled(": \n"), "more than 400000 values and signs"],
  ])("looks at a megabyte of %s only until it is refused", (_, text, sentence) => {
    expect(problemOf(text)!.sentence).toBe(sentence);
  });

  test("never throws for a text", () => {
    const signs = fc.string({ unit: fc.constantFrom(..."[]{}:,-?&*!|>'\"%@`#~ \n\t\0ab") });
    fc.assert(
      fc.property(signs, (text) => {
        const { problems, lineOf } = readYamlTree(text);
        for (const { line } of problems) expect(line).toBeGreaterThan(0);
        expect(lineOf(["a", 0, "b"])).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
