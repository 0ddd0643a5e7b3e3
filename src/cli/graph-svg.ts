/**
 * A graph of connections as an SVG: a tree from left to right, its kinds of edges in a legend.
 *
 * One file of valid XML without script, references or fonts of its own; light or dark as its reader is. Titles of documents
 * are data: what XML does not allow is replaced, everything else escaped. Where a node stands is decided in `core/tree-layout.ts`.
 */
import { fitText } from "../core/text-width.ts";
import { layOutTree } from "../core/tree-layout.ts";
import { visible } from "../core/visible-text.ts";
import type { ConnectionEdge, ConnectionNode, ConnectionsAnswer } from "../engine/graph/connections.ts";
import { countTreeEdges, nodeTitle, reasonOf } from "../engine/graph/connections-text.ts";

/** The whole document. */
export function formatSvg({ start_path, nodes, edges, truncated }: ConnectionsAnswer): string {
  const treeEdges = countTreeEdges({ nodes });
  const { places, columns, rows } = layOutTree(
    nodes.map(({ parent_id, depth }) => ({ parentId: parent_id, depth })),
  );
  const boxes = places.map(({ column, row }) => ({
    x: MARGIN + column * (BOX_WIDTH + GAP),
    y: TOP + row * ROW_HEIGHT,
  }));
  const bends = edges.length > treeEdges ? GAP / 2 : 0;
  const width = Math.max(2 * MARGIN + columns * (BOX_WIDTH + GAP) - GAP + bends, LEGEND_WIDTH);
  const height = TOP + rows * ROW_HEIGHT + MARGIN;
  const title = `What is connected with ${start_path}`;
  const count = `${nodes.length} nodes, ${edges.length} edges${truncated ? "; not all that is connected" : ""}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    `<text class="head" x="${MARGIN}" y="32">${escapeXml(fitText(title, (width - 2 * MARGIN) / HEAD_UNIT))}</text>`,
    `<text class="small" x="${MARGIN}" y="52">${count}</text>`,
    ...legend(),
    // Links across the tree first, so that everything else lies on them.
    ...edges.slice(treeEdges).map((edge) => acrossPath(edge, nodes, boxes)),
    ...edges.slice(0, treeEdges).map((edge) => treePath(edge, boxes)),
    ...edges.slice(0, treeEdges).map((edge) => treeLabel(edge, boxes)),
    ...nodes.map((node, at) => nodeBox(node, boxes[at]!)),
    "</svg>",
  ].join("\n");
}

interface Point {
  readonly x: number;
  readonly y: number;
}

// In pixels.
const MARGIN = 24;
const TOP = 104;
const BOX_WIDTH = 330;
const BOX_HEIGHT = 36;
const ROW_HEIGHT = 44;
const GAP = 110;
const PADDING = 10;
const LEGEND_WIDTH = 700;
/** Widths of half an ideograph at 12, 10 and 17 pixels. */
const TITLE_UNIT = 6.1;
const PATH_UNIT = 5.1;
const HEAD_UNIT = 8.8;

const KINDS = [
  ["similar", "similar in meaning, with the cosine"],
  ["links_to", "links to"],
  ["linked_from", "is linked from"],
] as const;

const STYLE = `
text { font-family: system-ui, "Segoe UI", "Noto Sans", "Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic UI", sans-serif; fill: #1d2430; }
.page { fill: #ffffff; }
.head { font-size: 17px; font-weight: 600; }
.name { font-size: 12px; font-weight: 600; }
.small { font-size: 10px; fill: #5a6575; }
.label { font-size: 10px; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
.box { fill: #f4f6f9; stroke: #aab4c2; }
.start { fill: #fff3d6; stroke: #c98a00; }
.edge { fill: none; stroke-width: 1.4; }
.similar { stroke: #7a8699; }
.links_to { stroke: #1463c8; stroke-width: 2; }
.linked_from { stroke: #0b7a4b; stroke-width: 2; stroke-dasharray: 7 4; }
.across { stroke: #1463c8; stroke-opacity: 0.5; stroke-dasharray: 2 4; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6eaf0; }
  .page { fill: #14181f; }
  .small { fill: #a3adbb; }
  .label { stroke: #14181f; }
  .box { fill: #212833; stroke: #4b5668; }
  .start { fill: #443510; stroke: #d9a32e; }
  .similar { stroke: #8793a6; }
  .links_to, .across { stroke: #6aa9ff; }
  .linked_from { stroke: #4cc38a; }
}
`;

function legend(): string[] {
  let x = MARGIN;
  const entries: readonly (readonly [string, string])[] = [...KINDS, ["across", "further links"]];
  return entries.flatMap(([kind, words]) => {
    const entry = [
      `<path class="edge ${kind}" d="M${x} 76h34"/>`,
      `<text class="small" x="${x + 40}" y="80">${words}</text>`,
    ];
    x += 62 + words.length * 5.6;
    return entry;
  });
}

/** A link between two nodes that the tree does not join: around their right sides. */
function acrossPath(
  { from, to, ...edge }: ConnectionEdge,
  nodes: readonly ConnectionNode[],
  boxes: readonly Point[],
): string {
  const [source, target] = [boxes[from]!, boxes[to]!];
  const start = { x: source.x + BOX_WIDTH, y: source.y + BOX_HEIGHT / 2 };
  const end = { x: target.x + BOX_WIDTH, y: target.y + BOX_HEIGHT / 2 };
  const bend = Math.max(start.x, end.x) + GAP / 2;
  const words = `${nodes[from]!.path}: ${reasonOf(edge)}: ${nodes[to]!.path}`;
  return `<path class="edge across" d="${curve(start, bend, end)}"><title>${escapeXml(words)}</title></path>`;
}

function treePath({ from, to, ...edge }: ConnectionEdge, boxes: readonly Point[]): string {
  const [source, target] = [boxes[from]!, boxes[to]!];
  const start = { x: source.x + BOX_WIDTH, y: source.y + BOX_HEIGHT / 2 };
  const end = { x: target.x, y: target.y + BOX_HEIGHT / 2 };
  const path = curve(start, end.x - GAP / 2, end);
  return `<path class="edge ${edge.why}" d="${path}"><title>${escapeXml(reasonOf(edge))}</title></path>`;
}

function treeLabel({ to, why, score, line }: ConnectionEdge, boxes: readonly Point[]): string {
  const { x, y } = boxes[to]!;
  const label = why === "similar" ? (score ?? 0).toFixed(2) : `line ${line}`;
  return `<text class="small label" x="${x - 5}" y="${y + BOX_HEIGHT / 2 - 4}" text-anchor="end">${label}</text>`;
}

function curve(start: Point, bend: number, end: Point): string {
  return `M${start.x} ${start.y}C${bend} ${start.y} ${bend} ${end.y} ${end.x} ${end.y}`;
}

function nodeBox(node: ConnectionNode, { x, y }: Point): string {
  const room = BOX_WIDTH - 2 * PADDING;
  const name = fitText(visible(nodeTitle(node)), room / TITLE_UNIT);
  const lines = `:${node.lines.start}-${node.lines.end}`;
  const path = fitText(visible(node.path), room / PATH_UNIT - lines.length) + lines;
  return [
    `<g><title>${escapeXml(`${node.path}${lines}\n${nodeTitle(node)}`)}</title>`,
    `<rect class="${node.why === "start" ? "start" : "box"}" x="${x}" y="${y}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="6"/>`,
    `<text class="name" x="${x + PADDING}" y="${y + 15}">${escapeXml(name)}</text>`,
    `<text class="small" x="${x + PADDING}" y="${y + 29}">${escapeXml(path)}</text></g>`,
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters and directions of writing are shown as code points; what is no character is replaced. */
function escapeXml(text: string): string {
  return visible(text.replaceAll("\n", " ").toWellFormed())
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
