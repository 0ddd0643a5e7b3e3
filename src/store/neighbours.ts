/**
 * Picks the nearest out of the squared distances of many vectors.
 *
 * In go exact whole numbers, row by row; out come the nearest rows with the distances that the
 * vector extension would give, ties at the border included. Where rows come from and which
 * chunk one belongs to is known to `vector-memory.ts` and `vector-stream.ts`; putting equals in
 * order is done in `dense-leg.ts`.
 */
import type { ChunkId } from "../core/document.ts";
import type { ChunkFilter } from "./filters.ts";

/** A chunk and how far its vector is from the query's: what the vector extension says, to the bit. */
export interface Neighbour {
  readonly chunkId: ChunkId;
  readonly distance: number;
}

export interface NeighbourSearch extends ChunkFilter {
  readonly queryBytes: Uint8Array;
  /** At least 1. */
  readonly poolSize: number;
}

/**
 * The `poolSize` nearest of the rows that pass, and all others that are as near as the farthest
 * of those; in the order of the rows.
 *
 * @param squared The squared distance of each row.
 * @param chunkIds The chunk of each row.
 */
export function nearestRows(
  squared: Int32Array,
  chunkIds: readonly ChunkId[],
  poolSize: number,
  passes: (row: number) => boolean = () => true,
): Neighbour[] {
  const border = widenToTies(findBorder(squared, poolSize, passes));
  const found: Neighbour[] = [];
  for (let row = 0; row < squared.length; row++) {
    if (squared[row]! > border || !passes(row)) continue;
    found.push({ chunkId: chunkIds[row]!, distance: distanceOf(squared[row]!) });
  }
  return found;
}

/** The `poolSize`th smallest of the passing rows' distances; the largest integer if there are fewer. */
function findBorder(squared: Int32Array, poolSize: number, passes: (row: number) => boolean): number {
  let border = 2 ** 31 - 1;
  if (squared.length <= poolSize) return border;
  // The smallest so far, and room for as many again before they are sorted and cut.
  const smallest = new Int32Array(2 * poolSize);
  let count = 0;
  const cut = () => {
    smallest.subarray(0, count).sort();
    count = poolSize;
    border = smallest[poolSize - 1]!;
  };
  for (let row = 0; row < squared.length; row++) {
    const distance = squared[row]!;
    if (distance >= border || !passes(row)) continue;
    smallest[count++] = distance;
    if (count === smallest.length) cut();
  }
  if (count >= poolSize) cut();
  return border;
}

/** The extension's result is a single-precision float. */
function distanceOf(squared: number): number {
  return Math.fround(Math.sqrt(squared));
}

/** The largest squared distance that is the same to the extension. */
function widenToTies(squared: number): number {
  let widened = squared;
  while (distanceOf(widened + 1) === distanceOf(squared)) widened++;
  return widened;
}
