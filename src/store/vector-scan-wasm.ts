/**
 * The inner loop of the vector scan as a WebAssembly module, put together instruction by
 * instruction.
 *
 * Out comes a function that writes the squared distance of every row of bytes to one query,
 * 16 dimensions at a time, exactly: all sums are integers. What lies where in the memory is
 * the business of `vector-scan.ts`. Names and numbers of the instructions are those of the
 * WebAssembly core specification, 2.0.
 */

/** Where things lie in the memory; all offsets are in bytes and multiples of 16. */
export interface ScanLayout {
  /** The query: a 16-bit integer for each dimension. */
  readonly query: number;
  /** The first row: a signed byte for each dimension. */
  readonly rows: number;
  /** Bytes from one row to the next; a multiple of 16. */
  readonly stride: number;
  /** Behind the last row; there is at least one. */
  readonly end: number;
  /** Where the 32-bit distances go, in the order of the rows. */
  readonly distances: number;
}

/** Whether this machine's WebAssembly has the vector instructions. */
export function hasVectorInstructions(): boolean {
  return WebAssembly.validate(MODULE);
}

/** A scan over `memory`. It stays valid when the memory grows. Needs `hasVectorInstructions`. */
export function compileScan(memory: WebAssembly.Memory): (layout: ScanLayout) => void {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { store: { memory } });
  const scan = instance.exports["scan"] as (...offsets: number[]) => void;
  return ({ query, rows, stride, end, distances }) => scan(query, rows, stride, end, distances);
}

// Types.
const I32 = 0x7f;
const V128 = 0x7b;
const FUNCTION = 0x60;
const NO_RESULT = 0x40;

// Instructions, each without its operands.
const LOOP = 0x03;
const END = 0x0b;
const BR_IF = 0x0d;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;
const I32_CONST = 0x41;
const I32_STORE = [0x36, 2, 0]; // aligned to 2^2, at +0
const I32_LT_U = 0x49;
const I32_ADD = 0x6a;
const V128_LOAD = [0xfd, 0x00, 4, 0]; // aligned to 2^4, at +0
const V128_LOAD_NEXT = [0xfd, 0x00, 4, 16]; // the same, at +16
const V128_ZERO = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
const I16X8_EXTEND_LOW_I8X16_S = [0xfd, 0x87, 0x01];
const I16X8_EXTEND_HIGH_I8X16_S = [0xfd, 0x88, 0x01];
const I16X8_SUB = [0xfd, 0x91, 0x01];
const I32X4_ADD = [0xfd, 0xae, 0x01];
const I32X4_DOT_I16X8_S = [0xfd, 0xba, 0x01];
const I32X4_EXTRACT_LANE = [0xfd, 0x1b];

// Local variables: first the five parameters, then the function's own.
const [QUERY, ROW, STRIDE, ROWS_END, DISTANCE] = [0, 1, 2, 3, 4];
const [QUERY_AT, ROW_END, BYTES, DIFFERENCES, SUMS] = [5, 6, 7, 8, 9];

/** Adds the squares of what lies on the stack, eight differences, to the four running sums. */
const ADD_SQUARES = [
  ...[LOCAL_TEE, DIFFERENCES, LOCAL_GET, DIFFERENCES, ...I32X4_DOT_I16X8_S],
  ...[LOCAL_GET, SUMS, ...I32X4_ADD, LOCAL_SET, SUMS],
];

/** 16 dimensions: `SUMS` grows, `ROW` and `QUERY_AT` move on. */
const SCAN_16_DIMENSIONS = [
  ...[LOCAL_GET, ROW, ...V128_LOAD, LOCAL_TEE, BYTES],
  ...[...I16X8_EXTEND_LOW_I8X16_S, LOCAL_GET, QUERY_AT, ...V128_LOAD, ...I16X8_SUB],
  ...ADD_SQUARES,
  ...[LOCAL_GET, BYTES, ...I16X8_EXTEND_HIGH_I8X16_S],
  ...[LOCAL_GET, QUERY_AT, ...V128_LOAD_NEXT, ...I16X8_SUB],
  ...ADD_SQUARES,
  ...[LOCAL_GET, QUERY_AT, I32_CONST, 32, I32_ADD, LOCAL_SET, QUERY_AT],
  ...[LOCAL_GET, ROW, I32_CONST, 16, I32_ADD, LOCAL_TEE, ROW],
];

const lane = (number: number) => [LOCAL_GET, SUMS, ...I32X4_EXTRACT_LANE, number];

/** One row: its distance is stored, `DISTANCE` moves on; `ROW` is at the next row then. */
const SCAN_ROW = [
  ...[LOCAL_GET, QUERY, LOCAL_SET, QUERY_AT],
  ...[LOCAL_GET, ROW, LOCAL_GET, STRIDE, I32_ADD, LOCAL_SET, ROW_END],
  ...[...V128_ZERO, LOCAL_SET, SUMS],
  ...[LOOP, NO_RESULT, ...SCAN_16_DIMENSIONS, LOCAL_GET, ROW_END, I32_LT_U, BR_IF, 0, END],
  ...[LOCAL_GET, DISTANCE, ...lane(0), ...lane(1), I32_ADD, ...lane(2), I32_ADD, ...lane(3), I32_ADD],
  ...I32_STORE,
  ...[LOCAL_GET, DISTANCE, I32_CONST, 4, I32_ADD, LOCAL_SET, DISTANCE],
];

const BODY = [
  ...[2, /* locals */ 2, I32, 3, V128],
  ...[LOOP, NO_RESULT, ...SCAN_ROW, LOCAL_GET, ROW, LOCAL_GET, ROWS_END, I32_LT_U, BR_IF, 0, END],
  END,
];

/** The module: `(import "store" "memory")`, `(export "scan")`. */
const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // "\0asm", version 1
  ...section(1, [1, FUNCTION, ...counted([I32, I32, I32, I32, I32]), 0]), // one type, no results
  ...section(2, [1, ...name("store"), ...name("memory"), 2, 0, 0]), // a memory of 0 pages or more
  ...section(3, [1, 0]), // one function, of type 0
  ...section(7, [1, ...name("scan"), 0, 0]), // function 0
  ...section(10, [1, ...counted(BODY)]),
]);

function section(id: number, content: readonly number[]): number[] {
  return [id, ...counted(content)];
}

function name(text: string): number[] {
  return counted([...new TextEncoder().encode(text)]);
}

/** Items after their number: LEB128, seven bits a byte, all but the last marked. */
function counted(items: readonly number[]): number[] {
  const { length } = items;
  return length < 128 ? [length, ...items] : [(length % 128) + 128, length >> 7, ...items];
}
