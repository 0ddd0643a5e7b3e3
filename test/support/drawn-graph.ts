/**
 * A small graph with every kind of edge, all of whose names are the given one; and names made to break drawings.
 */
import type { ConnectionNode, ConnectionsAnswer } from "../../src/engine/graph/connections.ts";

export const HOSTILE_NAMES: readonly string[] = [
  'a "quoted" name',
  "<b>&amp;</b>",
  "</title></svg><script>alert(1)</script>",
  "]]> --> /* ]; }",
  "two\nlines\r\nand\ta tab",
  "back\\slash\\",
  "back\\",
  '\\"; } digraph evil { x',
  '"] --> evil["',
  "end",
  "`**markdown**` #quot; %% ; click n0",
  "emoji 👨‍👩‍👧 𠮷",
  "日本語の見出し「引用」",
  "\u202Egnp.exe",
  "\u001b[31mred",
  "x".repeat(500),
];

export function drawnGraph(name: string): ConnectionsAnswer {
  const node = (
    node_id: number,
    parent_id: number | null,
    depth: number,
    why: ConnectionNode["why"],
  ): ConnectionNode => ({
    node_id,
    parent_id,
    depth,
    why,
    chunk_id: node_id + 1,
    chunk_index: 0,
    score: why === "similar" ? 0.83 : null,
    path: `${name}/${name}.md`,
    heading: `§ ${name}`,
    title: name,
    topic: null,
    lines: { start: 1, end: 2 },
    snippet: name,
  });
  return {
    start_path: `${name}.md`,
    truncated: false,
    truncation: [],
    nodes: [
      node(0, null, 0, "start"),
      node(1, 0, 1, "similar"),
      node(2, 0, 1, "links_to"),
      node(3, 2, 2, "linked_from"),
    ],
    edges: [
      { from: 0, to: 1, why: "similar", score: 0.83 },
      { from: 0, to: 2, why: "links_to", line: 7, target: name },
      { from: 2, to: 3, why: "linked_from", line: 9, target: name },
      { from: 1, to: 3, why: "links_to", line: 5, target: name },
    ],
    links: { links_to: 1, linked_from: 0, broken: 0, external: 0, unchecked: 0 },
    broken_links: [],
    stats: {
      total_nodes: 4,
      max_depth_reached: 2,
      knn_queries: 1,
      duration_ms: 1,
      seeds_used: 1,
      untold_links: 0,
    },
  };
}
