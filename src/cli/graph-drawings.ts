/**
 * A graph of connections in two languages that other programs draw: Graphviz's DOT, and Mermaid.
 *
 * Titles of documents are data: whatever they hold, they stay text in a label. The drawing that needs no other
 * program is `graph-svg.ts`.
 */

import { visible } from "../core/visible-text.ts";
import type { ConnectionsAnswer } from "../engine/graph/connections.ts";
import { nodeTitle, reasonOf } from "../engine/graph/connections-text.ts";

/** For `dot -Tsvg`; arrows of `linked_from` point at the parent, as the links do. */
export function formatDot({ start_path, nodes, edges }: ConnectionsAnswer): string {
  return [
    "digraph connections {",
    `  graph [rankdir=LR, label=${quoteDot(start_path)}, fontname="sans-serif"];`,
    '  node [shape=box, style="rounded,filled", fillcolor="#f4f6f9", color="#8a94a3", fontname="sans-serif", fontsize=10];',
    '  edge [fontname="sans-serif", fontsize=9];',
    ...nodes.map((node) => {
      const label = `${quoteDot(nodeTitle(node)).slice(0, -1)}\\n${quoteDot(placeOf(node)).slice(1)}`;
      return `  n${node.node_id} [label=${label}${node.why === "start" ? ', fillcolor="#fff3d6"' : ""}];`;
    }),
    ...edges.map(({ from, to, ...edge }) => {
      const style = DOT_STYLES[edge.why];
      return `  n${from} -> n${to} [label=${quoteDot(reasonOf(edge))}, ${style}];`;
    }),
    "}",
  ].join("\n");
}

/** For Markdown viewers. */
export function formatMermaid({ nodes, edges }: ConnectionsAnswer): string {
  const starts = nodes.filter(({ why }) => why === "start").map(({ node_id }) => `n${node_id}`);
  return [
    "flowchart LR",
    ...nodes.map(
      (node) => `  n${node.node_id}["${escapeMermaid(nodeTitle(node))}<br/>${escapeMermaid(placeOf(node))}"]`,
    ),
    ...edges.map(({ from, to, ...edge }) => {
      const label = `|"${escapeMermaid(reasonOf(edge))}"|`;
      return edge.why === "linked_from"
        ? `  n${to} ==>${label} n${from}`
        : `  n${from} ${edge.why === "similar" ? "-.->" : "==>"}${label} n${to}`;
    }),
    "  classDef start fill:#fff3d6,stroke:#c98a00,color:#1d2430",
    ...(starts.length === 0 ? [] : [`  class ${starts.join(",")} start`]),
  ].join("\n");
}

const DOT_STYLES = {
  similar: 'color="#7a8699", style=dashed, dir=none',
  links_to: 'color="#1463c8"',
  linked_from: 'color="#0b7a4b", dir=back',
} as const;

function placeOf({
  path,
  lines,
}: {
  readonly path: string;
  readonly lines: { readonly start: number; readonly end: number };
}) {
  return `${path}:${lines.start}-${lines.end}`;
}

/** Graphviz reads `&…;` in labels as HTML does. */
function quoteDot(text: string): string {
  const escaped = visible(text.toWellFormed()).replaceAll("&", "&amp;").replace(/["\\]/g, "\\$&");
  return `"${escaped}"`;
}

/** Everything with a meaning to Mermaid, Markdown or HTML goes by its number. */
function escapeMermaid(text: string): string {
  return visible(text.toWellFormed()).replace(
    /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic} ./,_-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
