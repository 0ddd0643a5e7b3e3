import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findJsonValue, JsonEditError, setJsonValue } from "../../src/config/json-edit.ts";

const PATH = ["mcpServers", "notes"];
const ENTRY = { command: "/bin/kb", args: ["serve"] };

describe("setJsonValue", () => {
  test.each([
    ["", '{\n  "mcpServers": {\n    "notes": 1\n  }\n}\n'],
    ["{}", '{\n  "mcpServers": {\n    "notes": 1\n  }\n}'],
    ['{"a": 1}', '{"a": 1,\n  "mcpServers": {\n    "notes": 1\n  }}'],
    ['{"mcpServers": {}}', '{"mcpServers": {\n    "notes": 1\n  }}'],
    [
      '{\n  "mcpServers": {\n    "notes": {"x": [1]}\n  }\n}\n',
      '{\n  "mcpServers": {\n    "notes": 1\n  }\n}\n',
    ],
    [
      '{\n\t// of mine\n\t"mcpServers": {\n\t\t"old": 1, // last\n\t},\n}\n',
      '{\n\t// of mine\n\t"mcpServers": {\n\t\t"old": 1,\n\t\t"notes": 1 // last\n\t},\n}\n',
    ],
    ["{ /* empty */ }", '{ /* empty */\n  "mcpServers": {\n    "notes": 1\n  }\n}'],
  ])("puts a value into %j", (before, after) => {
    expect(setJsonValue(before, PATH, 1)).toBe(after);
    expect(findJsonValue(after, PATH)).toBe(1);
  });

  test("keeps everything else to the letter: large numbers, order, doubled names, escapes", () => {
    const before = '{\n  "n": 12345678901234567890.50,\n  "2": "\\u00e9",\n  "1": 1e400,\n  "n": 2\n}';
    const after = setJsonValue(before, PATH, ENTRY);
    expect(after.startsWith(before.slice(0, -2))).toBe(true);
    expect(findJsonValue(after, PATH)).toEqual(ENTRY);
  });

  test.each([
    ["{", "line 1"],
    ['{"a": 1,,}', "line 1"],
    ['{\n"a": }', "line 2"],
    ['{"a": 1} x', "line 1"],
    ['{"a": 01}', "line 1"],
    ["{a: 1}", "line 1"],
    ["{'a': 1}", "line 1"],
    ['{"a": "\n"}', "line 1"],
    ["[1]", "no JSON object"],
    ["nonsense", "line 1"],
    ['{"mcpServers": []}', "is no object"],
    ['{"mcpServers": null}', "is no object"],
    [`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`, "line 1"],
  ])("refuses %j", (text, message) => {
    expect(() => setJsonValue(text, PATH, 1)).toThrow(JsonEditError);
    expect(() => setJsonValue(text, PATH, 1)).toThrow(message);
  });

  test("changes that value and nothing else, in any JSON, and a second time nothing at all", () => {
    const rest = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    const name = fc.string().filter((text) => text !== "__proto__");
    const indent = fc.constantFrom(undefined, 2, 4, "\t");
    fc.assert(
      fc.property(rest, rest, name, indent, (top, servers, own, space) => {
        const before = JSON.stringify({ ...top, mcpServers: servers }, null, space);
        const after = setJsonValue(before, ["mcpServers", own], ENTRY);
        const whole = JSON.parse(before) as Record<string, object>;
        expect(JSON.parse(after)).toEqual({ ...whole, mcpServers: { ...whole["mcpServers"], [own]: ENTRY } });
        expect(setJsonValue(after, ["mcpServers", own], ENTRY)).toBe(after);
        expect(findJsonValue(after, ["mcpServers", own])).toEqual(ENTRY);
      }),
    );
  });
});

describe("findJsonValue", () => {
  test.each([
    ["", undefined],
    ["{}", undefined],
    ['{"mcpServers": 1}', undefined],
    ['{"mcpServers": {"notes": null}}', null],
  ])("finds in %j what is there", (text, value) => {
    expect(findJsonValue(text, PATH)).toBe(value);
  });
});
