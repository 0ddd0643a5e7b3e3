/**
 * Vectors as they are stored: one signed byte for each dimension.
 *
 * A unit vector in, bytes of (nearly) constant length out, so that the engine's
 * fastest metric, squared distance, orders as the cosine does. Which vectors are
 * acceptable at all is checked in `chunks.ts`.
 *
 * Measured with 25,000 vectors of 384 dimensions around 2,000 real ones, k = 100:
 * bytes by distance 10 ms, bytes by cosine 17 ms, floats 11 ms by distance and 15 ms by
 * cosine; of the exact top 100 by cosine, bytes by distance find 98 %; the cosine is
 * off by 0.0002 on average and 0.001 at most. Floats take four times the space.
 */

/**
 * The largest component that is stored as it is, in units of the components' root mean
 * square. The built-in model stays below 3.8; what exceeds it is cut, which matters little
 * as it happens in the same few dimensions for every text.
 */
const RANGE = 4;

/**
 * The widest vectors that can be stored. Up to here the square of the distance of any two is
 * below 2^24, so that the extension, which adds in single-precision floats, adds exactly: the
 * bytes of a vector have a length of at most (127 / RANGE + 1/2) * sqrt(dims).
 */
export const MAX_DIMS = 4032;

/** The bytes to store or to search with for a finite vector of any length above 0. */
export function quantise(vector: Float32Array): Uint8Array {
  const factor = storedLength(vector.length) / Math.hypot(...vector);
  const bytes = new Int8Array(vector.length);
  for (const [offset, component] of vector.entries()) {
    bytes[offset] = Math.max(-127, Math.min(127, Math.round(component * factor)));
  }
  return new Uint8Array(bytes.buffer);
}

/** The bytes of the middle of vectors, as long as all stored ones; of one that is all zeros the first's. */
export function middleOf(vectors: readonly Uint8Array[]): Uint8Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const bytes of vectors) {
    const components = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const [offset, component] of components.entries()) sum[offset]! += component;
  }
  return sum.some((component) => component !== 0) ? quantise(sum) : (vectors[0] ?? new Uint8Array());
}

/** The cosine, -1 to 1, of two vectors whose bytes are `distance` apart. */
export function cosineOfDistance(distance: number, dims: number): number {
  const relative = distance / storedLength(dims);
  return Math.max(-1, Math.min(1, 1 - (relative * relative) / 2));
}

function storedLength(dims: number): number {
  return (127 * Math.sqrt(dims)) / RANGE;
}
