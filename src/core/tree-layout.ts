/**
 * Where the nodes of a tree stand when it is drawn from left to right.
 *
 * In go nodes with their parents, out come a column and a row each: the column is the depth, children stand below
 * each other, a parent in the middle of its children, and no two nodes of a column share a row. Sizes and colours
 * are the drawing's (`cli/graph-svg.ts`).
 */

export interface TreeNode {
  /** Counted from 0, in order; a parent comes before its children. */
  readonly parentId: number | null;
  readonly depth: number;
}

export interface TreePlace {
  readonly column: number;
  /** Counted from 0; not always whole. */
  readonly row: number;
}

export interface TreeLayout {
  readonly places: readonly TreePlace[];
  readonly columns: number;
  readonly rows: number;
}

/** Rows are at least 1 apart within a column; siblings keep their order. */
export function layOutTree(nodes: readonly TreeNode[]): TreeLayout {
  const children: number[][] = nodes.map(() => []);
  const roots: number[] = [];
  for (const [id, { parentId }] of nodes.entries())
    (parentId === null ? roots : children[parentId]!).push(id);
  const rowOf = new Map<number, number>();
  let nextRow = 0;
  // A parent is placed when all its children are: they wait above it on the stack.
  const pending = roots.toReversed();
  while (pending.length > 0) {
    const id = pending.at(-1)!;
    const own = children[id]!;
    if (own.length > 0 && !rowOf.has(own[0]!)) {
      pending.push(...own.toReversed());
      continue;
    }
    pending.pop();
    const first = rowOf.get(own[0] ?? -1);
    const last = rowOf.get(own.at(-1) ?? -1);
    rowOf.set(id, first === undefined || last === undefined ? nextRow++ : (first + last) / 2);
  }
  const places = nodes.map(({ depth }, id) => ({ column: depth, row: rowOf.get(id)! }));
  const columns = nodes.reduce((most, { depth }) => Math.max(most, depth + 1), 0);
  return { places, columns, rows: nextRow };
}
