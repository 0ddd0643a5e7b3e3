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
  ])("%p on %p gives %p", (globs, path, expected) => {
    expect(compilePathGlobs(globs)(path)).toBe(expected);
  });

  test.each([["["], [""], ["!"], ["docs/(a"]])("refuses the unreadable %p", (glob) => {
    expect(() => compilePathGlobs([glob])).toThrow(AppError);
  });
});
