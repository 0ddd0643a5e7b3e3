import { describe, expect, test } from "bun:test";
import { isFunctionWord } from "../../src/core/function-words.ts";

describe("isFunctionWord", () => {
  test.each(["the", "how", "of", "does"])("%p says nothing about a subject", (word) =>
    expect(isFunctionWord(word)).toBe(true),
  );

  test.each(["go", "r", "backup", "it4", "税", "", "constructor"])("%p may", (word) =>
    expect(isFunctionWord(word)).toBe(false),
  );
});
