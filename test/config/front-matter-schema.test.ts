import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { loadFrontMatterSchema, parseFrontMatterSchema } from "../../src/config/front-matter-schema.ts";
import { failureOf } from "../support/failure-of.ts";
import { TestFolder } from "../support/test-folder.ts";

const problemOf = (text: string) => failureOf(() => parseFrontMatterSchema(text, "s.toml"));

describe("parseFrontMatterSchema", () => {
  test("reads rules, with their patterns compiled", () => {
    const rules = parseFrontMatterSchema(
      `[fields.title]\nrequired = true\nmin_length = 2\nmax_length = 9\npattern = '^[ぁ-ん一-龠]+'\n[fields.tags]\nenum = ["a"]\n[fields.depth]\nallow_empty = true`,
      "s.toml",
    );
    const title = rules.get("title")!;
    expect(title).toMatchObject({ required: true, minLength: 2, maxLength: 9, type: undefined });
    expect(title.pattern?.matches("見積書")).toBe(true);
    expect(title.pattern?.matches("x見積書")).toBe(false);
    expect(rules.get("tags")).toMatchObject({ required: false, enum: ["a"] });
    expect(rules.get("depth")).toMatchObject({ allowEmpty: true });
    expect(rules.get("topic")).toBeUndefined();
  });

  test("looks for a pattern anywhere in the text", () => {
    const rules = parseFrontMatterSchema("[fields.date]\npattern = '\\d{4}'", "s.toml");
    expect(rules.get("date")!.pattern?.matches("in 2026")).toBe(true);
  });

  test("tells all mistakes at once, with the nearest names", () => {
    const { code, message } = problemOf(
      `[fields.titel]\n[fields.title]\npatern = "x"\npattern = "("\nmin_length = 5\nmax_length = 2\n[fields.tags]\npattern = "x"\n[fields.date]\ntype = "integer"\nrequired = 1\n[feilds.topic]`,
    );
    expect(code).toBe("config");
    for (const part of [
      "s.toml: ",
      "fields.titel. Did you mean title?",
      "fields.title.patern. Did you mean pattern?",
      'fields.title.pattern: "(" is no pattern',
      "min_length 5 is above max_length 2",
      "fields.tags.pattern: a list has no pattern",
      'fields.date.type: it may be "string" or "array"',
      "fields.date.required",
      "feilds. Did you mean fields?",
    ])
      expect(message).toContain(part);
  });

  test.each([
    ["look-ahead", "a(?=b)", "no look-around"],
    ["a back-reference", "(a)\\\\1", "no back-references"],
    ["repeats of repeats", "(x{900}){900}", "invalid repeat"],
    ["a large alternative of repeats", "((a?){300}|(b?){300}|(c?){300}|(d?){300}){1}(e?){900}", "too large"],
    ["a long pattern", "a".repeat(1001), "1001 characters"],
  ])("refuses %s", (_, pattern, part) => {
    expect(problemOf(`[fields.title]\npattern = "${pattern}"`).message).toContain(part);
  });

  test.each([
    ["no TOML", "[fields", "line 1"],
    ["nothing", "", "fields"],
    ["fields that are no table", "fields = 1", "fields"],
    ["an empty enum", "[fields.title]\nenum = []", "fields.title.enum"],
    ["a negative length", "[fields.title]\nmin_length = -1", "fields.title.min_length"],
  ])("refuses %s", (_, text, part) => {
    expect(problemOf(text).message).toContain(part);
  });

  test("answers for patterns that take other engines forever", () => {
    for (const pattern of ["^(a+)+$", "^(a|aa)+$", "^(.*a){20}$", "(a?){300}a{300}"]) {
      const rules = parseFrontMatterSchema(`[fields.title]\npattern = '${pattern}'`, "s.toml");
      const { matches, maxLength } = rules.get("title")!.pattern!;
      expect(typeof matches(`${"a".repeat(maxLength - 1)}!`)).toBe("boolean");
    }
  });
});

describe("loadFrontMatterSchema", () => {
  test("is undefined in a folder without rules", () => {
    using folder = new TestFolder();
    expect(loadFrontMatterSchema(undefined, folder.path, "/")).toBeUndefined();
  });

  test("takes a file that is named, relative to the working directory, instead", () => {
    using folder = new TestFolder();
    folder.write("kb-schema.toml", "[fields.title]\n");
    folder.write("other/rules.toml", "[fields.topic]\n");
    expect([...loadFrontMatterSchema(undefined, folder.path, "/")!.rules.keys()]).toEqual(["title"]);
    const named = loadFrontMatterSchema("rules.toml", folder.path, folder.at("other"));
    expect(named?.file).toBe(folder.at("other", "rules.toml"));
    expect([...named!.rules.keys()]).toEqual(["topic"]);
  });

  test("refuses a file that is not there, and a link that came with the documents", () => {
    using folder = new TestFolder();
    expect(failureOf(() => loadFrontMatterSchema("x.toml", folder.path, folder.path))).toMatchObject({
      code: "config",
      message: `no schema at ${folder.at("x.toml")}`,
    });
    symlinkSync(folder.write("real.toml", "[fields.title]\n"), folder.at("kb-schema.toml"));
    const { message, hint } = failureOf(() => loadFrontMatterSchema(undefined, folder.path, "/"));
    expect(message).toContain("symbolic link");
    expect(hint).toContain(`--schema ${folder.at("kb-schema.toml")}`);
    expect(loadFrontMatterSchema("kb-schema.toml", folder.path, folder.path)?.rules.size).toBe(1);
  });
});
