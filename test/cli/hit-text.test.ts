import { describe, expect, test } from "bun:test";
import { formatAnswer } from "../../src/cli/hit-text.ts";
import { Output } from "../../src/cli/output.ts";
import type { Hit, SearchAnswer } from "../../src/engine/search/search-answer.ts";

const output = new Output({ json: false, quiet: false, color: false });

const hit: Hit = {
  score: 0.5,
  path: "a.md",
  title: "A",
  heading: null,
  heading_path: [],
  topic: null,
  category: null,
  date: null,
  tags: [],
  content: Array.from({ length: 20 }, (_, line) => `line ${line}`).join("\n"),
  lines: { start: 1, end: 20 },
  chunk_index: 0,
  scores: {},
  matched_in: [],
  quality: 1,
  encoding: "utf-8",
};

function textOf(changes: Partial<Hit>): string[] {
  const answer: SearchAnswer = {
    results: [{ ...hit, ...changes }],
    low_confidence: false,
    confidence: { score: 0.9, coverage: 1, terms_reach: 1, agreement: 1 },
    filter_applied: {},
    query_info: { phrases: [] },
    span_unit: "byte",
    index: { state: "ready", indexed_at: null, vectors: 1 },
    engine: { fusion: "convex", model: "m", runtime: "r" },
  };
  return formatAnswer(answer, output).split("\n");
}

const place = (start: number) => ({ lines: { start, end: start + 8 }, chunk_index: 1, score: 0.1 });

describe("formatAnswer", () => {
  test("cuts a passage after eight lines, and a widened one later", () => {
    expect(textOf({})).toHaveLength(1 + 8 + 1);
    const widened = textOf({ expanded_from: { kind: "adjacent", from_index: 0, to_index: 2 } });
    expect(widened).toHaveLength(1 + 20);
    expect(textOf({ expanded_from: { kind: "adjacent", from_index: 2, to_index: 2 } })).toHaveLength(10);
  });

  test("says that a passage is its whole document", () => {
    expect(textOf({ expanded_from: { kind: "whole_document", total_chunks: 3 } }).at(-1)).toBe(
      "   (the whole document)",
    );
  });

  test("says where else the document matches, in one line that fits", () => {
    expect(textOf({ grouped: [place(40), place(60)] }).at(-1)).toBe("   also in lines 40-48, 60-68");
    const many = textOf({ grouped: Array.from({ length: 10 }, (_, at) => place(1_000_000 * (at + 1))) });
    expect(many.at(-1)).toMatch(/^ {3}also in lines 1000000-1000008, .* and \d more$/);
    expect(many.at(-1)!.length).toBeLessThanOrEqual(output.columns);
  });
});
