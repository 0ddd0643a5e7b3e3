import { describe, expect, test } from "bun:test";
import { scanSource } from "./source-scan.ts";

describe("scanSource", () => {
  const imports: [source: string, expected: string[]][] = [
    ['import { a } from "./a.ts";', ["./a.ts"]],
    ['import type { A } from "./a.ts";', ["./a.ts"]],
    ['import {\n  a,\n  type B,\n} from "./a.ts";', ["./a.ts"]],
    ['import so from "pkg/lib.so" with { type: "file" };', ["pkg/lib.so"]],
    ['import "./a.ts";', ["./a.ts"]],
    ['export { a } from "./a.ts";', ["./a.ts"]],
    ['const { a } = await import("./a.ts");', ["./a.ts"]],
    ['const a = require("./a.ts") as typeof import("./a.ts");', ["./a.ts", "./a.ts"]],
    ['const w = new Worker("./a.ts");', ["./a.ts"]],
    ['// import { a } from "./a.ts";', []],
    ['/* import("./a.ts") */', []],
    ['const fence = /^(`{3,})/; import { a } from "./a.ts";', ["./a.ts"]],
    ['const half = 1 / 2; import { a } from "./a.ts"; // a / b', ["./a.ts"]],
  ];
  test.each(imports)("finds the imports of %s", (source, expected) => {
    expect(scanSource(source).imports).toEqual(expected);
  });

  const exports: [source: string, expected: string[]][] = [
    ["export const A = 1;", ["A"]],
    ["export async function run() {}", ["run"]],
    ["export abstract class Walker {}", ["Walker"]],
    ["export interface Shape {}\nexport type Size = number;", ["Shape", "Size"]],
    ["const a = 1;\nexport { a, b as c };", ["a", "c"]],
    ['const text = "export const A = 1";', []],
    ["// export const A = 1;", []],
  ];
  test.each(exports)("finds the exports of %s", (source, expected) => {
    expect(scanSource(source).exports).toEqual(expected);
  });

  test("keeps strings, and blanks them in the bare code", () => {
    const scan = scanSource('const url = "http://Date"; // Date\nconst t = `a "c"`;');
    expect(scan.strings).toEqual(["http://Date", 'a "c"']);
    expect(scan.bareCode).not.toContain("Date");
    expect(scan.code.split("\n")).toHaveLength(2);
  });

  test("sees a default export", () => {
    expect(scanSource("export default 1;").hasDefaultExport).toBe(true);
    expect(scanSource("const defaultLimit = 1;").hasDefaultExport).toBe(false);
  });
});
