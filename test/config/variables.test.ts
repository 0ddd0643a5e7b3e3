import { describe, expect, test } from "bun:test";
import { parseRuntime, parseVectorEngine, VARIABLES } from "../../src/config/variables.ts";

describe("VARIABLES", () => {
  test("says of every variable what it does, in a sentence", () => {
    for (const { name, sentence, range, defaultText } of VARIABLES) {
      expect(name).toMatch(/^KB_[A-Z_]+$/);
      expect(sentence, name).toMatch(/^[A-Z].*\.$/);
      expect(
        [range, defaultText].filter((text) => text.trim() === ""),
        name,
      ).toEqual([]);
    }
  });
});

describe("parseVectorEngine", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["sqlite-vec", "sqlite-vec"],
    ["js", "js"],
  ] as const)("reads %p as %p", (value, engine) => {
    expect(parseVectorEngine({ KB_VECTOR_ENGINE: value })).toBe(engine);
  });

  test.each(["JS", "sqlite_vec", " js", "auto"])("refuses %p, naming it and what there is", (value) => {
    expect(() => parseVectorEngine({ KB_VECTOR_ENGINE: value })).toThrow(
      expect.objectContaining({
        code: "config",
        message: expect.stringContaining(JSON.stringify(value)),
        hint: expect.stringContaining("sqlite-vec or js"),
      }),
    );
  });
});

describe("parseRuntime", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["native", "native"],
    ["wasm", "wasm"],
  ] as const)("reads %p as %p", (value, runtime) => {
    expect(parseRuntime({ KB_RUNTIME: value })).toBe(runtime);
  });

  test.each(["WASM", "native ", "gpu", "0"])("refuses %p, naming it and what there is", (value) => {
    expect(() => parseRuntime({ KB_RUNTIME: value })).toThrow(
      expect.objectContaining({
        code: "config",
        message: expect.stringContaining(JSON.stringify(value)),
        hint: expect.stringContaining("native or wasm"),
      }),
    );
  });
});
