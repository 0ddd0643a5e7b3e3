import { describe, expect, test } from "bun:test";
import { findWriteProblem } from "../../src/native/write-trial.ts";
import { TestFolder } from "../support/test-folder.ts";

describe("findWriteProblem", () => {
  test("finds none in a folder that can be written, and leaves nothing behind", () => {
    using folder = new TestFolder();
    expect(findWriteProblem(folder.path)).toBeUndefined();
    expect(folder.list()).toEqual([]);
  });

  test("makes a folder that is missing", () => {
    using folder = new TestFolder();
    expect(findWriteProblem(folder.at("a", "b"))).toBeUndefined();
    expect(folder.has("a/b")).toBe(true);
  });

  test("tells the system's reason, such as for a folder that is a file", () => {
    using folder = new TestFolder();
    expect(findWriteProblem(folder.write("file", ""))).toMatch(/EEXIST|ENOTDIR/);
  });
});
