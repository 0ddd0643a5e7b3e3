/**
 * The shared libraries for macOS on Apple silicon.
 *
 * The package has the runtime twice with the same bytes; the binding asks for the shorter name.
 * Checksums belong to the exact versions in `package.json`; the build compares them,
 * so an update of a package is an update here.
 */
import onnxRuntime from "onnxruntime-node/bin/napi-v6/darwin/arm64/libonnxruntime.1.dylib" with {
  type: "file",
};
// Without the query Bun would take the import for a module to load, whatever its type; the build removes it.
import onnxBinding from "onnxruntime-node/bin/napi-v6/darwin/arm64/onnxruntime_binding.node?file" with {
  type: "file",
};
import vectorExtension from "sqlite-vec-darwin-arm64/vec0.dylib" with { type: "file" };
import type { NativeAssets } from "./asset-file.ts";

export const DARWIN_ARM64: NativeAssets = {
  onnx: {
    runtime: {
      name: "libonnxruntime.1.dylib",
      embeddedPath: onnxRuntime,
      sha256: "89f692a3a1a224e4ad0b796b0e7c0bd81113b0741bfe84211eceef14d05a9e59",
      size: 38_800_984,
    },
    binding: {
      name: "onnxruntime_binding.node",
      embeddedPath: onnxBinding,
      sha256: "2b26ea21a9088b03eb2c37a6f18a18930747d5f7039af4a40e3dbcec436835a0",
      size: 266_584,
    },
  },
  vectorExtension: {
    name: "vec0.dylib",
    embeddedPath: vectorExtension,
    sha256: "193e480c50b59a55977d166f4aaf0e1bc8832d6963516e5950f39e4d2ce0b793",
    size: 161_896,
  },
};
