/** What the environment may say about the runtime. */
import { describe, expect, test } from "bun:test";
import { parseRuntime } from "../../src/config/variables.ts";

describe("parseRuntime", () => {
  test.each([
    ["unset", {}, undefined],
    ["empty", { KB_RUNTIME: "" }, undefined],
    ["native", { KB_RUNTIME: "native" }, "native"],
    ["wasm", { KB_RUNTIME: "wasm" }, "wasm"],
  ] as const)("takes %s", (_, variables, expected) => {
    expect(parseRuntime(variables)).toBe(expected);
  });

  test.each(["WASM", "native ", "gpu", "0"])("refuses %p, naming what is legal", (value) => {
    expect(() => parseRuntime({ KB_RUNTIME: value })).toThrow(
      expect.objectContaining({
        code: "config",
        message: expect.stringContaining(JSON.stringify(value)),
        hint: expect.stringMatching(/native.*wasm/),
      }),
    );
  });
});
