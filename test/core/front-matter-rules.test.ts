import { describe, expect, test } from "bun:test";
import {
  type FieldRule,
  type FieldValue,
  findViolations,
  type RuledField,
} from "../../src/core/front-matter-rules.ts";

const RULE: FieldRule = {
  required: false,
  type: undefined,
  pattern: undefined,
  enum: undefined,
  minLength: undefined,
  maxLength: undefined,
  allowEmpty: false,
};

const text = (value: string): FieldValue => ({ kind: "text", text: value });
const list = (...items: string[]): FieldValue => ({ kind: "list", items });
const startsWith = (source: string) => ({
  source,
  maxLength: 10,
  matches: (value: string) => value.startsWith(source),
});

function kindsOf(field: RuledField, value: FieldValue | undefined, rule: Partial<FieldRule>): string[] {
  const values = new Map(value === undefined ? [] : [[field, value]]);
  return findViolations(values, new Map([[field, { ...RULE, ...rule }]])).map(({ kind }) => kind);
}

describe("findViolations", () => {
  test.each<[string, RuledField, FieldValue | undefined, Partial<FieldRule>, readonly string[]]>([
    ["nothing in what is not there and not required", "title", undefined, { minLength: 3 }, []],
    ["a required field that is missing", "title", undefined, { required: true }, ["missing_required"]],
    [
      "a required field that is empty",
      "title",
      text(""),
      { required: true, minLength: 3 },
      ["missing_required"],
    ],
    ["nothing in an empty field that may be", "title", text(""), { required: true, allowEmpty: true }, []],
    ["a list where a text is wanted", "title", list("a"), { minLength: 3 }, ["type_mismatch"]],
    ["a mapping", "title", { kind: "other" }, {}, ["type_mismatch"]],
    ["a text where the rule wants a list", "title", text("a"), { type: "array" }, ["type_mismatch"]],
    [
      "too few characters, counted as code points",
      "title",
      text("😀😀"),
      { minLength: 3 },
      ["length_out_of_range"],
    ],
    ["nothing in as many characters as wanted", "title", text("😀😀"), { minLength: 2, maxLength: 2 }, []],
    ["too many characters", "title", text("abc"), { maxLength: 2 }, ["length_out_of_range"]],
    ["what does not match", "title", text("abc"), { pattern: startsWith("b") }, ["pattern_mismatch"]],
    [
      "what is too long to be compared",
      "title",
      text("b".repeat(11)),
      { pattern: startsWith("b") },
      ["pattern_mismatch"],
    ],
    ["what is not listed", "topic", text("a"), { enum: ["b", "c"] }, ["not_in_enum"]],
    [
      "all that is independent of each other",
      "title",
      text("abc"),
      { maxLength: 2, pattern: startsWith("b"), enum: ["x"] },
      ["length_out_of_range", "pattern_mismatch", "not_in_enum"],
    ],
    [
      "tags written as one text, which are read as a list",
      "tags",
      text("a, b"),
      { enum: ["a"], minLength: 2 },
      ["not_in_enum"],
    ],
    [
      "each tag that is not listed",
      "tags",
      list("a", "x", "y"),
      { enum: ["a"] },
      ["not_in_enum", "not_in_enum"],
    ],
    ["too few tags", "tags", list("a"), { minLength: 2 }, ["length_out_of_range"]],
    ["required tags without any", "tags", list(), { required: true }, ["missing_required"]],
    ["tags that have to be a text", "tags", list("a"), { type: "string" }, ["type_mismatch"]],
    ["tags that have to be a list", "tags", text("a"), { type: "array" }, ["type_mismatch"]],
  ])("finds %s", (_, field, value, rule, expected) => {
    expect(kindsOf(field, value, rule)).toEqual([...expected]);
  });

  test("goes by the names of the fields", () => {
    const rules = new Map<RuledField, FieldRule>([
      ["title", { ...RULE, required: true }],
      ["date", { ...RULE, required: true }],
    ]);
    expect(findViolations(new Map(), rules).map(({ field }) => field)).toEqual(["date", "title"]);
  });

  test("quotes only the beginning of a long value", () => {
    const [violation] = findViolations(
      new Map([["title", text("😀".repeat(500))]]),
      new Map([["title", { ...RULE, enum: ["a"] }]]),
    );
    expect(violation!.message.length).toBeLessThan(200);
    expect(violation!.message.isWellFormed()).toBe(true);
  });
});
