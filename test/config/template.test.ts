import { describe, expect, test } from "bun:test";
import { parse } from "smol-toml";
import { parseConfig } from "../../src/config/load.ts";
import { listSettings } from "../../src/config/schema.ts";
import { configTemplate } from "../../src/config/template.ts";

describe("configTemplate", () => {
  test("sets nothing as it is", () => {
    expect(parseConfig(parse(configTemplate()), "kb.toml")).toEqual(parseConfig({}, "kb.toml"));
  });

  test("sets every default when its lines are uncommented", () => {
    const uncommented = configTemplate()
      .split("\n")
      .filter((line) => !line.includes("# no default"))
      .map((line) => line.replace(/^#(?! )/, ""))
      .join("\n");
    const table = parse(uncommented);
    expect(parseConfig(table, "kb.toml")).toEqual(parseConfig({}, "kb.toml"));
    expect(Object.keys(table)).toContain("server");
  });

  test("has every setting once, with what it does", () => {
    const words = configTemplate().replace(/\n# /g, " ");
    for (const { key, sentence, unit, range } of listSettings()) {
      expect(words).toContain(sentence);
      expect(words).toContain(`[${unit}: ${range}]`);
      expect(configTemplate()).toMatch(new RegExp(`^#${key.slice(key.lastIndexOf(".") + 1)} = `, "m"));
    }
  });
});
