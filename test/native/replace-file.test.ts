/** Putting a file in the place of another. */
import { describe, expect, test } from "bun:test";
import { replaceFile } from "../../src/native/replace-file.ts";
import { TestFolder } from "../support/test-folder.ts";

describe("replaceFile", () => {
  test("takes the old file's place, also where there was none", () => {
    using folder = new TestFolder();
    for (const content of ["first", "second"]) {
      const aside = folder.write("aside", content);
      replaceFile(aside, folder.at("current"));
      expect(folder.read("current")).toBe(content);
    }
    expect(folder.list()).toEqual(["current"]);
  });

  test("says what the system says when there is nothing to move", () => {
    using folder = new TestFolder();
    expect(() => replaceFile(folder.at("missing"), folder.at("current"))).toThrow("ENOENT");
  });
});
