/**
 * A graph of connections as plain text: a tree, each line with its source and the reason why it is there.
 *
 * For the terminal and for clients that show their model no structured content. Text of documents is as it is; making it
 * harmless for a terminal is done in `cli/`.
 */
import type { ConnectionEdge, ConnectionNode, ConnectionsAnswer } from "./connections.ts";

/** Lines without their ends: the start, what is wrong or left out, then the tree. */
export function connectionLines(answer: ConnectionsAnswer): string[] {
  const { links, nodes, edges, truncation, degraded_reason: degraded } = answer;
  const children = Map.groupBy(nodes, ({ parent_id }) => parent_id);
  const edgeTo = new Map(edges.slice(0, countTreeEdges(answer)).map((edge) => [edge.to, edge]));
  const lines = [
    `${answer.start_path}: links to ${links.links_to}, linked from ${links.linked_from}, ${links.external} external, ${links.broken} broken`,
    ...answer.broken_links.map(({ line, target }) => `broken: line ${line}: ${target}`),
    ...(degraded === undefined ? [] : [`Note: ${degraded}`]),
    ...truncation.map(({ detail }) => `Note: ${detail}`),
    "",
  ];
  const pending = (children.get(null) ?? []).toReversed();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    lines.push("  ".repeat(node.depth) + lineOf(node, edgeTo.get(node.node_id)));
    pending.push(...(children.get(node.node_id) ?? []).toReversed());
  }
  if (nodes.length > 0) lines.push("");
  return [...lines, `${nodes.length} nodes, ${edges.length} edges`];
}

/** How many edges, the first ones, lead to a node from its parent; the others are further links. */
export function countTreeEdges({ nodes }: Pick<ConnectionsAnswer, "nodes">): number {
  return nodes.filter(({ parent_id }) => parent_id !== null).length;
}

/** Title and heading of a node, the heading left out where it is the title. */
export function nodeTitle({ title, heading }: Pick<ConnectionNode, "title" | "heading">): string {
  return heading === null || heading === title ? title : `${title} > ${heading}`;
}

/** Why an edge is there, in a few words. */
export function reasonOf({ why, score, line }: Omit<ConnectionEdge, "from" | "to">): string {
  if (why === "similar") return `similar ${(score ?? 0).toFixed(2)}`;
  return why === "links_to" ? `links to, line ${line}` : `linked from its line ${line}`;
}

function lineOf(node: ConnectionNode, edge: ConnectionEdge | undefined): string {
  const place = `${node.path}:${node.lines.start}-${node.lines.end} — ${nodeTitle(node)}`;
  if (edge === undefined) return place;
  const others = edge.others === undefined ? "" : `; the name also fits ${edge.others.join(", ")}`;
  return `[${reasonOf(edge)}${others}] ${place}`;
}
