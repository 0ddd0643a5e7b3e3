import { describe, expect, test } from "bun:test";
import { formatDot, formatMermaid } from "../../src/cli/graph-drawings.ts";
import { drawnGraph, HOSTILE_NAMES } from "../support/drawn-graph.ts";

describe("formatDot", () => {
  test.each(HOSTILE_NAMES)("keeps %p within its quotes", (name) => {
    const lines = formatDot(drawnGraph(name)).split("\n");
    expect(lines).toHaveLength(formatDot(drawnGraph("plain")).split("\n").length);
    const quoted = '"(?:[^"\\\\]|\\\\.)*"';
    const attributes = `\\[\\w+=[^\\s,\\]]+(?:, \\w+=[^\\s,\\]]+)*\\];?`;
    for (const line of lines.slice(1, -1)) {
      const bare = line.replace(new RegExp(quoted, "g"), "Q");
      expect(bare).toMatch(new RegExp(`^  (?:graph|node|edge|n\\d+(?: -> n\\d+)?) ${attributes}$`));
    }
  });

  test("names kinds and scores", () => {
    const dot = formatDot(drawnGraph("a"));
    expect(dot).toContain('n0 -> n1 [label="similar 0.83"');
    expect(dot).toContain('n2 -> n3 [label="linked from its line 9", color="#0b7a4b", dir=back]');
  });
});

describe("formatMermaid", () => {
  test.each(HOSTILE_NAMES)("keeps %p within its label", (name) => {
    const lines = formatMermaid(drawnGraph(name)).split("\n");
    expect(lines).toHaveLength(formatMermaid(drawnGraph("plain")).split("\n").length);
    const text = "(?:[\\p{L}\\p{M}\\p{N}\\p{Extended_Pictographic} ./,_-]|#\\d+;)*";
    for (const line of lines.filter((candidate) => candidate.includes('["')))
      expect(line).toMatch(new RegExp(`^  n\\d+\\["${text}<br/>${text}"\\]$`, "u"));
  });

  test("draws a link in the direction of the link", () => {
    const mermaid = formatMermaid(drawnGraph("a"));
    expect(mermaid).toContain('n0 -.->|"similar 0.83"| n1');
    expect(mermaid).toContain('n0 ==>|"links to, line 7"| n2');
    expect(mermaid).toContain('n3 ==>|"linked from its line 9"| n2');
  });
});
