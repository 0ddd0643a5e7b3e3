/**
 * The shared libraries for Linux on 64-bit ARM (glibc).
 *
 * Checksums belong to the exact versions in `package.json`; the build compares them,
 * so an update of a package is an update here.
 */
import onnxRuntime from "onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1" with { type: "file" };
// Without the query Bun would take the import for a module to load, whatever its type; the build removes it.
import onnxBinding from "onnxruntime-node/bin/napi-v6/linux/arm64/onnxruntime_binding.node?file" with {
  type: "file",
};
import vectorExtension from "sqlite-vec-linux-arm64/vec0.so" with { type: "file" };
import type { NativeAssets } from "./asset-file.ts";

export const LINUX_ARM64: NativeAssets = {
  onnx: {
    runtime: {
      name: "libonnxruntime.so.1",
      embeddedPath: onnxRuntime,
      sha256: "c36bc200e7e6c093b8abb0b34590fbdd8c52fd3fb5e33795b9523ffdde2fce0f",
      size: 20_001_880,
    },
    binding: {
      name: "onnxruntime_binding.node",
      embeddedPath: onnxBinding,
      sha256: "3827cba413ec3a104c1b2049b681c9875ea524fc3dcb6675d3537839b18fb263",
      size: 394_648,
    },
  },
  vectorExtension: {
    name: "vec0.so",
    embeddedPath: vectorExtension,
    sha256: "0b84cbd06418ca3040827deddd650539be05be0f657952426b926c8606217437",
    size: 156_520,
  },
};
