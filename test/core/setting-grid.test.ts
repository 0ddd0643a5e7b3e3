import { describe, expect, test } from "bun:test";
import { gridAround } from "../../src/core/setting-grid.ts";

describe("gridAround", () => {
  test("begins with what is in use, and goes on with what is nearest to it", () => {
    const grid = gridAround([
      { current: 0.5, tried: [0.3, 0.5, 0.7] },
      { current: 2, tried: [1, 4] },
    ]);
    expect(grid).toEqual([
      [0.5, 2],
      [0.3, 2],
      [0.5, 1],
      [0.5, 4],
      [0.7, 2],
      [0.3, 1],
      [0.3, 4],
      [0.7, 1],
      [0.7, 4],
    ]);
  });

  test("takes what is in use for the same as a value that differs by rounding only", () => {
    expect(gridAround([{ current: 0.1 + 0.2, tried: [0.3, 0.4] }])).toEqual([[0.1 + 0.2], [0.4]]);
  });

  test("has one point where nothing is tried", () => {
    expect(gridAround([{ current: 1, tried: [] }])).toEqual([[1]]);
    expect(gridAround([])).toEqual([[]]);
  });
});
