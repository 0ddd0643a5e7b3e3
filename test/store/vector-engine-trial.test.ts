import { describe, expect, test } from "bun:test";
import { tryVectorEngine } from "../../src/store/vector-engine-trial.ts";
import { failureOf } from "../support/failure-of.ts";
import { VECTOR_ENGINES, withEngine } from "./sample-index.ts";

describe("tryVectorEngine", () => {
  test.each(VECTOR_ENGINES)("finds that %s answers rightly", (name) => {
    const { engine, isRight } = tryVectorEngine(withEngine(name));
    expect(engine.name).toBe(name);
    expect(isRight).toBe(true);
  });

  test("goes on without an extension that does not load, and says why", () => {
    const { engine, isRight } = tryVectorEngine({ vectorExtensionPath: "/nonexistent/vec0" });
    expect(engine).toEqual({ name: "js", reason: expect.stringContaining("/nonexistent/vec0") });
    expect(isRight).toBe(true);
  });

  test("fails where the extension is required and does not load", () => {
    const options = { vectorExtensionPath: "/nonexistent/vec0", isVectorExtensionRequired: true };
    expect(failureOf(() => tryVectorEngine(options)).code).toBe("config");
  });
});
