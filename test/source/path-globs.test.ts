import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/errors.ts";
import { compilePathGlobs } from "../../src/source/path-globs.ts";

describe("compilePathGlobs", () => {
  test.each([
    [["docs/*"], "docs/a.md", true],
    [["docs/*"], "docs/deep/a.md", false],
    [["docs/**"], "docs/deep/a.md", true],
    [["**/*.md"], "a.md", true],
    [["*.md"], "docs/a.md", false],
    [["!drafts/**"], "docs/a.md", true],
    [["!drafts/**"], "drafts/a.md", false],
    [["docs/**", "!docs/old/**"], "docs/old/a.md", false],
    [["docs/{a,b}.md"], "docs/b.md", true],
    [["議事録/*"], "議事録/八月.md", true],
    [["./docs/*"], "docs/a.md", true],
    [["Docs/*"], "docs/a.md", false],
    [["カ\u3099*"], "ガイド.md", true],
    [["docs/**/x.md"], "docs/x.md", true],
    [["docs/**/x.md"], "docs/a/b/x.md", true],
    [["a**b"], "a/b", false],
    [["?.md"], "a.md", true],
    [["?.md"], "𠮷.md", true],
    [["a?b"], "a/b", false],
    [["[a-c].md"], "b.md", true],
    [["[!a-c].md"], "b.md", false],
    [["[!a-c].md"], "d.md", true],
    [["{docs,notes/{a,b}}/*.md"], "notes/b/x.md", true],
    [["{docs,notes/{a,b}}/*.md"], "notes/c/x.md", false],
    [["plain{x}.md"], "plain{x}.md", true],
    [["報告 (1).md"], "報告 (1).md", true],
    [["\\*.md"], "*.md", true],
    [["\\*.md"], "a.md", false],
    [["**"], ".hidden/x", true],
  ])("%p on %p gives %p", (globs, path, expected) => {
    expect(compilePathGlobs(globs)(path)).toBe(expected);
  });

  test.each([
    ["["],
    [""],
    ["!"],
    ["docs/(a"],
    ["docs/(a|b)"],
    ["a["],
    ["{a,b"],
    ["a\\"],
    ["{a,b}".repeat(9)],
  ])("refuses the unreadable %p", (glob) => {
    expect(() => compilePathGlobs([glob])).toThrow(AppError);
  });

  test("takes at most the length of the pattern times that of the path, whatever the pattern", () => {
    const hostile = ["*a".repeat(511), "**/*a".repeat(200), "a*?".repeat(341), "[a-z]*".repeat(170)];
    const paths = ["a".repeat(4096), "a/".repeat(2047), "a".repeat(2000).concat("/", "a".repeat(2000))];
    for (const pattern of hostile)
      for (const path of paths) expect(compilePathGlobs([`${pattern}b`])(path)).toBe(false);
  });
});
