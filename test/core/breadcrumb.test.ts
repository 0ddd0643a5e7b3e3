import { describe, expect, test } from "bun:test";
import { BREADCRUMB_CODE_POINTS, cutToTokens, formatBreadcrumb } from "../../src/core/breadcrumb.ts";

describe("formatBreadcrumb", () => {
  test.each<[readonly string[], string]>([
    [["Title", "A", "B"], "Title > A > B"],
    [["Title", "Title", "B"], "Title > B"],
    [[" Title ", "", "  ", "Title"], "Title"],
    [["A", "B", "A"], "A > B > A"],
    [[], ""],
    [[" "], ""],
  ])("joins %p", (parts, breadcrumb) => {
    expect(formatBreadcrumb(parts)).toBe(breadcrumb);
  });

  test("cuts at 200 code points, not inside one", () => {
    const breadcrumb = formatBreadcrumb(["𠮷".repeat(300)]);
    expect([...breadcrumb]).toHaveLength(BREADCRUMB_CODE_POINTS);
    expect(breadcrumb.isWellFormed()).toBe(true);
  });
});

describe("cutToTokens", () => {
  const countCharacters = (text: string) => [...text].length;

  test("leaves what fits and cuts what does not", () => {
    expect(cutToTokens("abcdef", 6, countCharacters)).toBe("abcdef");
    expect(cutToTokens("abcdef", 4, countCharacters)).toBe("abcd");
    expect(cutToTokens("ab cdef", 3, countCharacters)).toBe("ab");
    expect(cutToTokens("𠮷𠮷𠮷", 2, countCharacters)).toBe("𠮷𠮷");
    expect(cutToTokens("abc", 0, countCharacters)).toBe("");
  });
});
