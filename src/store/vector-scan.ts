/**
 * Stored vectors side by side in memory, and their distances to a query.
 *
 * In go the bytes of `quantise`, row by row; out comes the exact squared distance of each row,
 * by the vector instructions of WebAssembly where the machine has them, else by a plain loop.
 * Which chunk a row belongs to, and which rows are wanted, is known to `vector-memory.ts` and
 * `vector-stream.ts`.
 */
import { compileScan, hasVectorInstructions, type ScanLayout } from "./vector-scan-wasm.ts";

/** Computes the distances that a layout asks for, in a memory of its own. */
export type Scan = (layout: ScanLayout) => void;

/** The fastest way to scan `memory` that this machine has. */
export function fastestScan(memory: WebAssembly.Memory): Scan {
  return hasVectorInstructions() ? compileScan(memory) : plainScan(memory);
}

/** Does what the WebAssembly module does, twelve times slower. */
export function plainScan(memory: WebAssembly.Memory): Scan {
  return ({ query, rows, stride, end, distances }) => {
    const bytes = new Int8Array(memory.buffer);
    const wanted = new Int16Array(memory.buffer, query, stride);
    const found = new Int32Array(memory.buffer, distances, (end - rows) / stride);
    for (let row = 0; row < found.length; row++) {
      const start = rows + row * stride;
      let sum = 0;
      for (let offset = 0; offset < stride; offset++) {
        const difference = bytes[start + offset]! - wanted[offset]!;
        sum = (sum + difference * difference) | 0; // An integer addition, twice as fast.
      }
      found[row] = sum;
    }
  };
}

/** Memory that `count` rows take, in bytes: the vectors and a distance for each. */
export function scanBytes(count: number, dims: number): number {
  return count * (strideOf(dims) + DISTANCE_BYTES);
}

/** The machine has no memory for more rows; those that are there stay. */
export class NoScanMemory extends Error {}

/** Rows are counted from 0 and have no gaps. The memory never shrinks. */
export class VectorRows {
  readonly #dims: number;
  readonly #stride: number;
  readonly #memory: WebAssembly.Memory;
  readonly #scan: Scan;
  #bytes: Uint8Array;
  #count = 0;
  /** Rows for which there certainly is memory. */
  #capacity = 0;

  /**
   * @param makeScan How to scan; another than `fastestScan` is for comparison.
   * @param maxPages Most memory to ask for, in units of 65,536 bytes; what the machine has if not given.
   * @throws {NoScanMemory} If there is no memory at all.
   */
  constructor(dims: number, makeScan: (memory: WebAssembly.Memory) => Scan = fastestScan, maxPages?: number) {
    this.#dims = dims;
    this.#stride = strideOf(dims);
    const size = { initial: pagesOf(this.#rowsAt), ...(maxPages === undefined ? {} : { maximum: maxPages }) };
    this.#memory = allocate(() => new WebAssembly.Memory(size));
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#scan = makeScan(this.#memory);
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Adds a row at the end.
   *
   * @throws {RangeError} If there are not `dims` bytes.
   * @throws {NoScanMemory} If the machine has no memory for it.
   */
  append(bytes: Uint8Array): void {
    if (bytes.length !== this.#dims) {
      throw new RangeError(`a row has ${this.#dims} bytes, got ${bytes.length}`);
    }
    if (this.#count >= this.#capacity) this.#reserve(this.#count + 1);
    const start = this.#startOf(this.#count);
    this.#bytes.set(bytes, start);
    if (this.#stride > this.#dims) this.#bytes.fill(0, start + this.#dims, start + this.#stride);
    this.#count++;
  }

  /** Removes a row; the last row takes its place. */
  remove(row: number): void {
    this.#count--;
    const last = this.#startOf(this.#count);
    this.#bytes.copyWithin(this.#startOf(row), last, last + this.#stride);
  }

  /** Removes all rows. */
  clear(): void {
    this.#count = 0;
  }

  /**
   * The squared distance of each row to the bytes of a query, exact for up to 8192 dimensions.
   * The answer is overwritten by the next call and by changes.
   */
  distancesTo(query: Uint8Array): Int32Array {
    const wanted = new Int16Array(this.#memory.buffer, QUERY_AT, this.#stride);
    wanted.set(new Int8Array(query.buffer, query.byteOffset, query.length));
    const end = this.#startOf(this.#count);
    const distances = new Int32Array(this.#memory.buffer, end, this.#count);
    const rows = { rows: this.#rowsAt, stride: this.#stride, end };
    if (this.#count > 0) this.#scan({ query: QUERY_AT, ...rows, distances: end });
    return distances;
  }

  /** In memory come the query, the rows, and behind the last row the distances. */
  get #rowsAt(): number {
    return QUERY_AT + this.#stride * Int16Array.BYTES_PER_ELEMENT;
  }

  #startOf(row: number): number {
    return this.#rowsAt + row * this.#stride;
  }

  /** Grows by an eighth at least: to grow is costly, and untouched memory costs nothing. */
  #reserve(count: number): void {
    const size = this.#memory.buffer.byteLength;
    const needed = this.#rowsAt + scanBytes(count, this.#dims);
    if (needed > size) {
      allocate(() => this.#memory.grow(pagesOf(Math.max(needed - size, size / 8))));
      this.#bytes = new Uint8Array(this.#memory.buffer); // The old buffer is empty now.
    }
    this.#capacity = Math.floor((this.#bytes.length - this.#rowsAt) / scanBytes(1, this.#dims));
  }
}

function allocate<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new NoScanMemory("no memory for vectors", { cause });
  }
}

const QUERY_AT = 0;

const DISTANCE_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** The unit in which WebAssembly memory grows, in bytes. */
const PAGE_BYTES = 65_536;

function pagesOf(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES);
}

/** Rows are filled up with zeros to a multiple of what one instruction takes; so is the query. */
function strideOf(dims: number): number {
  return Math.ceil(dims / 16) * 16;
}
