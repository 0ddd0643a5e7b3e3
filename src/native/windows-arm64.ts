/**
 * The shared libraries for Windows on 64-bit ARM.
 *
 * There is no sqlite-vec for it. What else lies beside the runtime in its package serves graphics
 * processors and is never loaded here.
 * Checksums belong to the exact versions in `package.json`; the build compares them,
 * so an update of a package is an update here.
 */
import onnxRuntime from "onnxruntime-node/bin/napi-v6/win32/arm64/onnxruntime.dll" with { type: "file" };
// Without the query Bun would take the import for a module to load, whatever its type; the build removes it.
import onnxBinding from "onnxruntime-node/bin/napi-v6/win32/arm64/onnxruntime_binding.node?file" with {
  type: "file",
};
import type { NativeAssets } from "./asset-file.ts";

export const WINDOWS_ARM64: NativeAssets = {
  onnx: {
    runtime: {
      name: "onnxruntime.dll",
      embeddedPath: onnxRuntime,
      sha256: "908ce63e73f375e90daabe24c52486b42392c19df3d63973a26f871cfeab5453",
      size: 26_834_232,
    },
    binding: {
      name: "onnxruntime_binding.node",
      embeddedPath: onnxBinding,
      sha256: "b2dc1c56e7b78ffc66dc261c15ba01b489845aed68f33d81c6950bf09afdf575",
      size: 421_688,
    },
  },
  vectorExtension: undefined,
};
