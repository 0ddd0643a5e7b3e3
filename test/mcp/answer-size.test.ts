import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SpanUnit } from "../../src/core/span.ts";
import { convertSpans } from "../../src/core/span-units.ts";
import { fitHits } from "../../src/mcp/answer-size.ts";
import { jsonBytes } from "../../src/mcp/quoted-text.ts";

const sizeOf = (hit: object) => jsonBytes(hit) + 1;
const fit = <Hit extends { content: string }>(hits: readonly Hit[], budget: number) =>
  fitHits(hits, budget, "byte", sizeOf);

describe("fitHits", () => {
  const hit = (content: string) => ({ path: "a.md", content });

  test("keeps every hit that fits, in order", () => {
    const hits = [hit("one"), hit("two"), hit("three")];
    expect(fit(hits, 1000)).toEqual({ hits, cut: undefined });
  });

  test("leaves out what follows, and cuts no scrap of it", () => {
    const hits = [hit("one"), hit("x\n".repeat(500)), hit("three")];
    expect(fit(hits, 200)).toEqual({ hits: [hits[0]!], cut: undefined });
  });

  test("cuts the first one that does not fit at a line", () => {
    const long = hit("0123456789\n".repeat(1000));
    const { hits, cut } = fit([hit("one"), long], 3000);
    expect(cut).toBe(2);
    expect(long.content.startsWith(`${hits[1]!.content}\n`)).toBe(true);
    expect(hits[1]!.content).toMatch(/0123456789$/);
    expect(hits[1]!.content.length).toBeGreaterThan(2000);
  });

  test("cuts a single long line between two characters", () => {
    const { hits } = fit([hit("𠮷".repeat(1000))], 203);
    expect(hits[0]!.content).toMatch(/^(?:𠮷)+$/u);
  });

  test("gives nothing where not even the frame of a hit fits", () => {
    expect(fit([hit("one")], 10)).toEqual({ hits: [], cut: undefined });
  });

  test("never exceeds the budget, never cuts a character, and keeps spans within the content", () => {
    const unit = fc.constantFrom<SpanUnit>("byte", "utf16", "codepoint");
    const content = fc.string({
      unit: fc.constantFrom("a", "語", "𠮷", "\n", "\u0001", '"'),
      maxLength: 4000,
    });
    fc.assert(
      fc.property(fc.array(content, { maxLength: 4 }), unit, fc.nat(12_000), (contents, spanUnit, budget) => {
        const all = contents.map((text) => {
          const starts = [...text.matchAll(/[語𠮷]/gu)].map(({ index, 0: found }) => ({
            start: index,
            end: index + found.length,
          }));
          return { content: text, match_spans: convertSpans(starts, text, spanUnit) };
        });
        const { hits, cut } = fitHits(all, budget, spanUnit, sizeOf);
        expect(hits.reduce((sum, one) => sum + sizeOf(one), 0)).toBeLessThanOrEqual(budget);
        for (const [at, one] of hits.entries()) {
          const whole = all[at]!;
          if (at + 1 !== cut) expect(one).toEqual(whole);
          expect(whole.content.startsWith(one.content)).toBe(true);
          expect(one.content.isWellFormed()).toBe(true);
          expect(one.match_spans).toEqual(
            whole.match_spans.filter(({ end }) => end <= lengthIn(one.content, spanUnit)),
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});

function lengthIn(text: string, unit: SpanUnit): number {
  if (unit === "utf16") return text.length;
  return unit === "byte" ? new TextEncoder().encode(text).length : [...text].length;
}
