import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { layOutTree } from "../../src/core/tree-layout.ts";

/** Parents by node; null for a root. */
function treeOf(parents: readonly (number | null)[]) {
  const depths: number[] = [];
  for (const parent of parents) depths.push(parent === null ? 0 : depths[parent]! + 1);
  return parents.map((parentId, at) => ({ parentId, depth: depths[at]! }));
}

describe("layOutTree", () => {
  test("puts children below each other and parents in their middle", () => {
    expect(layOutTree(treeOf([null, 0, 0, 1, null]))).toEqual({
      places: [
        { column: 0, row: 0.5 },
        { column: 1, row: 0 },
        { column: 1, row: 1 },
        { column: 2, row: 0 },
        { column: 0, row: 2 },
      ],
      columns: 3,
      rows: 3,
    });
  });

  test("has no room for nothing", () => {
    expect(layOutTree([])).toEqual({ places: [], columns: 0, rows: 0 });
  });

  test("never puts two nodes of a column closer than a row", () => {
    const parents = fc
      .array(fc.nat(), { maxLength: 60 })
      .map((numbers) => numbers.map((number, at) => (at === 0 || number % 7 === 0 ? null : number % at)));
    fc.assert(
      fc.property(parents, (some) => {
        const { places, rows } = layOutTree(treeOf(some));
        for (const [at, place] of places.entries()) {
          expect(place.row).toBeGreaterThanOrEqual(0);
          expect(place.row).toBeLessThan(rows);
          for (const other of places.slice(at + 1))
            if (other.column === place.column)
              expect(Math.abs(other.row - place.row)).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });
});
