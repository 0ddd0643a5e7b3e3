/**
 * The shared libraries for Windows on x86-64.
 *
 * DirectML, dxcompiler and dxil, which lie beside the runtime in its package, serve graphics
 * processors: the runtime loads them when it is first asked for one, which never happens here.
 * Checksums belong to the exact versions in `package.json`; the build compares them,
 * so an update of a package is an update here.
 */
import onnxRuntime from "onnxruntime-node/bin/napi-v6/win32/x64/onnxruntime.dll" with { type: "file" };
// Without the query Bun would take the import for a module to load, whatever its type; the build removes it.
import onnxBinding from "onnxruntime-node/bin/napi-v6/win32/x64/onnxruntime_binding.node?file" with {
  type: "file",
};
import vectorExtension from "sqlite-vec-windows-x64/vec0.dll" with { type: "file" };
import type { NativeAssets } from "./asset-file.ts";

export const WINDOWS_X64: NativeAssets = {
  onnx: {
    runtime: {
      name: "onnxruntime.dll",
      embeddedPath: onnxRuntime,
      sha256: "273f9ef9cf755c6a0f342226a80448156c10ceb74db2ae8c8370dc98e75af0eb",
      size: 26_011_960,
    },
    binding: {
      name: "onnxruntime_binding.node",
      embeddedPath: onnxBinding,
      sha256: "dd50eb632300170576fda3648f4fcf00fbd44afca6a70efa53c57f85b272faf2",
      size: 298_296,
    },
  },
  vectorExtension: {
    name: "vec0.dll",
    embeddedPath: vectorExtension,
    sha256: "fcf98662a7ad9dce394b96a88f91032047823831b951c76636787c312a6476e6",
    size: 289_280,
  },
};
