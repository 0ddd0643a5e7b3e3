import { describe, expect, test } from "bun:test";
import { linesOfAnswerExplanation, linesOfHitExplanation } from "../../src/cli/explain-text.ts";
import type { AnswerExplanation, HitExplanation } from "../../src/engine/search/search-answer.ts";

const hit: HitExplanation = {
  legs: {
    terms: { rank: 3, raw: 4.25, scaled: 0.5, weight: 0.4, contribution: 0.1 },
    dense: { rank: 1, raw: 0.8712345, scaled: 1, weight: 0.5, contribution: 0.25 },
  },
  quoted: { share: 0.5, contribution: 0.25 },
  matched: { terms: ["停電", "\u001b[31m"], phrases: ["停電"], spans: 1 },
};
const answer: AnswerExplanation = {
  is_pointed: true,
  weights: { terms: 0.4, phrases: 0.1, dense: 0.2 },
  terms: [{ text: "停電", passages: 3, idf: 2.345 }],
  phrases: [],
  pool: { passages: 12, documents: 4 },
  order: "mmr",
};

describe("linesOfHitExplanation", () => {
  test("puts the largest part of the score first", () => {
    expect(linesOfHitExplanation(hit, 100).slice(0, 3)).toEqual([
      "0.250 dense: rank 1, raw 0.871, scaled 1 × 0.5",
      "0.250 quoted: 50 % of it is here; the legs count half",
      "0.100 terms: rank 3, raw 4.25, scaled 0.5 × 0.4",
    ]);
  });

  test("names each matched text once, and hands no control character on", () => {
    const last = linesOfHitExplanation(hit, 100).at(-1)!;
    expect(last).toMatch(/^matched: 停電, .*, 1 mark$/);
    expect(last).not.toContain("\u001b");
  });

  test.each([24, 30, 60])("fits in %p columns, wide characters counted double", (columns) => {
    const lines = [...linesOfHitExplanation(hit, columns), ...linesOfAnswerExplanation(answer, columns)];
    for (const line of lines) expect(Bun.stringWidth(line), line).toBeLessThanOrEqual(columns);
  });
});

describe("linesOfAnswerExplanation", () => {
  test("says what weighed, how deep it was looked and for what", () => {
    expect(linesOfAnswerExplanation(answer, 100)).toEqual([
      "weights: terms 0.4, phrases 0.1, dense 0.2",
      "the query names something exactly: meaning counts less",
      "pool: 12 passages of 4 documents",
      "order: chosen for variety",
      "terms: 停電 (in 3, idf 2.3)",
    ]);
  });
});
