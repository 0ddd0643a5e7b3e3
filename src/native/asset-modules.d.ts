/**
 * What the type checker is told of files that are imported with `type: "file"`.
 *
 * Such an import yields a path: a virtual one inside a compiled executable, the
 * real one when the program runs from source. `extract.ts` levels the difference.
 */
declare module "*.so" {
  const path: string;
  export default path;
}
declare module "*.so.1" {
  const path: string;
  export default path;
}
declare module "*.dylib" {
  const path: string;
  export default path;
}
declare module "*.dll" {
  const path: string;
  export default path;
}
declare module "*.node?file" {
  const path: string;
  export default path;
}
declare module "*.ort" {
  const path: string;
  export default path;
}
declare module "*.bin" {
  const path: string;
  export default path;
}
declare module "*.wasm" {
  const path: string;
  export default path;
}
