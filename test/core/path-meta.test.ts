import { describe, expect, test } from "bun:test";
import { placeFromPath, titleFromPath } from "../../src/core/path-meta.ts";

describe("titleFromPath", () => {
  test.each<[string, string | null]>([
    ["notes/deep-dive_v2.txt", "deep dive v2"],
    [".env.txt", ".env"],
    ["README", "README"],
    [".env", ".env"],
    ["a/b\\c.md", "c"],
    ["日本語 メモ.md", "日本語 メモ"],
    ["a--_ b.tar.md", "a b.tar"],
    ["notes/-.md", null],
    ["", null],
  ])("reads %p as %p", (path, title) => {
    expect(titleFromPath(path)).toBe(title);
  });
});

describe("placeFromPath", () => {
  test.each<[string, string | null, string | null]>([
    ["a.md", null, null],
    ["rust/a.md", "rust", null],
    ["rust/async/a.md", "rust", "async"],
    ["rust/async/deep/er/a.md", "rust", "async"],
  ])("places %p", (path, category, topic) => {
    expect(placeFromPath(path)).toEqual({ category, topic });
  });
});
