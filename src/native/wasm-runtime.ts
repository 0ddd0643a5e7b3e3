/**
 * The ONNX Runtime as WebAssembly, which runs on every platform.
 *
 * Out comes one asset. It is read from where it is embedded, so nothing of it is ever
 * unpacked. Its checksum belongs to the exact version in `package.json`; a test compares
 * them. Running it is `embed/wasm-session.ts`.
 */
import wasmPath from "onnxruntime-web/ort-wasm-simd-threaded.wasm" with { type: "file" };
import type { Asset } from "./asset-file.ts";

export const WASM_RUNTIME: Asset = {
  name: "ort-wasm-simd-threaded.wasm",
  embeddedPath: wasmPath,
  sha256: "d1ab1b94b16a65b29d710d0b587b29e7bed336827577623913479b8afe8113e6",
  size: 13_479_978,
};
