import { describe, expect, test } from "bun:test";
import type { ChunkId } from "../../src/core/document.ts";
import { type AnalysedChunk, evidenceScale, reachOf, scoreTerms } from "../../src/core/term-score.ts";

const EVEN = { content: 1, title: 1, headings: 1 };
const chunk = (id: number, content: string, title = "", headings = ""): AnalysedChunk => ({
  chunkId: id as ChunkId,
  content,
  title,
  headings,
});
const word = (text: string) => ({ text, isPrefix: false });

describe("scoreTerms", () => {
  test("puts the rare term above the common one, in folders of 2, 5 and 20 chunks", () => {
    for (const size of [2, 5, 20]) {
      const chunks = Array.from({ length: size }, (_, id) =>
        chunk(id, id === 0 ? "common rare" : "common other"),
      );
      const scores = scoreTerms([word("rare"), word("common")], chunks, size, EVEN);
      expect(scores.get(0 as ChunkId)).toBeGreaterThan(scores.get(1 as ChunkId) ?? 0);
    }
  });

  test("leaves out chunks without any term", () => {
    expect([...scoreTerms([word("rare")], [chunk(1, "other")], 1, EVEN)]).toEqual([]);
  });

  test("a prefix stands for every term that begins with it", () => {
    const scores = scoreTerms(
      [{ text: "税", isPrefix: true }],
      [chunk(1, "税金 金"), chunk(2, "納税 税"), chunk(3, "金額 額")],
      3,
      EVEN,
    );
    expect([...scores.keys()]).toEqual([1, 2] as ChunkId[]);
  });

  test("a field without weight is not searched", () => {
    const scores = scoreTerms([word("rare")], [chunk(1, "x", "rare")], 1, { ...EVEN, title: 0 });
    expect(scores.size).toBe(0);
  });

  test("covering two words beats repeating one", () => {
    const chunks = [
      chunk(1, "disk disk disk disk other"),
      chunk(2, "disk full other other other"),
      chunk(3, "x y z v w"),
    ];
    const scores = scoreTerms([word("disk"), word("full")], chunks, 3, EVEN);
    expect(scores.get(2 as ChunkId)).toBeGreaterThan(scores.get(1 as ChunkId) ?? 0);
  });
});

describe("evidenceScale", () => {
  const reach = reachOf([1, 1, 1, 1], 1000);

  test("is the best score when it has a good part of what was asked for", () => {
    expect(evidenceScale(0.8 * reach, reach, 1)).toBe(0.8 * reach);
  });

  test("shrinks weak evidence more than in proportion", () => {
    const scaled = (best: number) => best / evidenceScale(best, reach, 1);
    expect(scaled(0.6 * reach)).toBe(1);
    expect(scaled(0.3 * reach)).toBeCloseTo(0.125, 10);
    expect(scaled(0.1 * reach)).toBeLessThan(0.01);
  });

  test("never falls below the floor, so that noise is not blown up", () => {
    expect(evidenceScale(0.001, 0.002, 1)).toBe(1);
    expect(evidenceScale(0, 0, 1)).toBe(1);
  });
});
