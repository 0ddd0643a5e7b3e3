import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestScan, NoScanMemory, plainScan, VectorRows } from "../../src/store/vector-scan.ts";
import { hasVectorInstructions } from "../../src/store/vector-scan-wasm.ts";

const WAYS = { fastestScan, plainScan };

const squaredDistance = (a: Int8Array, b: Int8Array) =>
  a.reduce((sum, component, offset) => sum + (component - b[offset]!) ** 2, 0);

const stored = (bytes: Int8Array) => new Uint8Array(bytes.buffer);

/** A query, rows to add, and offsets of rows to remove between them. */
const scenarios = fc.integer({ min: 1, max: 70 }).chain((dims) => {
  const bytes = fc.int8Array({ minLength: dims, maxLength: dims });
  const step = fc.record({ added: bytes, removed: fc.option(fc.nat(), { freq: 2 }) });
  return fc.record({ dims: fc.constant(dims), query: bytes, steps: fc.array(step, { maxLength: 40 }) });
});

describe.each(Object.entries(WAYS))("VectorRows by %s", (_, makeScan) => {
  test("knows the exact distance of every row, whatever was removed", () => {
    fc.assert(
      fc.property(scenarios, ({ dims, query, steps }) => {
        const rows = new VectorRows(dims, makeScan);
        const expected: Int8Array[] = [];
        for (const { added, removed } of steps) {
          rows.append(stored(added));
          expected.push(added);
          if (removed === null) continue;
          const row = removed % expected.length;
          rows.remove(row);
          const last = expected.pop()!;
          if (row < expected.length) expected[row] = last;
          rows.distancesTo(stored(query)); // Its result lies where the next row will be.
        }
        expect([...rows.distancesTo(stored(query))]).toEqual(
          expected.map((row) => squaredDistance(row, query)),
        );
        expect(rows.count).toBe(expected.length);
      }),
    );
  });

  test("holds after it was cleared what came since", () => {
    const rows = new VectorRows(2, makeScan);
    for (let n = 0; n < 9; n++) rows.append(stored(Int8Array.of(9, n)));
    rows.clear();
    expect([...rows.distancesTo(stored(Int8Array.of(0, 0)))]).toEqual([]);
    rows.append(stored(Int8Array.of(3, 4)));
    expect([...rows.distancesTo(stored(Int8Array.of(0, 0)))]).toEqual([25]);
  });

  test("does not overflow, however far and wide the vectors are", () => {
    const rows = new VectorRows(8192, makeScan);
    rows.append(stored(new Int8Array(8192).fill(-128)));
    const query = new Int8Array(8192).fill(127);
    expect([...rows.distancesTo(stored(query))]).toEqual([8192 * 255 ** 2]);
  });

  test("keeps its rows while the memory grows", () => {
    const rows = new VectorRows(100, makeScan);
    for (let n = 0; n < 5000; n++) rows.append(stored(new Int8Array(100).fill(n % 100)));
    const distances = rows.distancesTo(new Uint8Array(100));
    expect([...distances]).toEqual(Array.from({ length: 5000 }, (_, n) => 100 * (n % 100) ** 2));
  });
});

describe("VectorRows", () => {
  test("scans with vector instructions here, so that they are what is tested", () => {
    expect(hasVectorInstructions()).toBe(true);
  });

  test("refuses a row of another width", () => {
    const rows = new VectorRows(3);
    expect(() => rows.append(new Uint8Array(4))).toThrow(RangeError);
    expect(rows.count).toBe(0);
  });

  test("says that there is no memory left, and keeps the rows that are there", () => {
    const rows = new VectorRows(256, fastestScan, 1);
    const append = () => {
      for (let n = 0; n < 300; n++) rows.append(new Uint8Array(256).fill(1));
    };
    expect(append).toThrow(NoScanMemory);
    expect(rows.count).toBeGreaterThan(200);
    expect(new Set(rows.distancesTo(new Uint8Array(256)))).toEqual(new Set([256]));
    expect(() => new VectorRows(8192, fastestScan, 0)).toThrow(NoScanMemory);
  });

  test("has no distances without rows", () => {
    expect(new VectorRows(16).distancesTo(new Uint8Array(16))).toHaveLength(0);
  });
});
