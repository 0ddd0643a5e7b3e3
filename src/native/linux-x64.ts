/**
 * The shared libraries for Linux on x86-64 (glibc).
 *
 * Checksums belong to the exact versions in `package.json`; the build compares them,
 * so an update of a package is an update here.
 */
import onnxRuntime from "onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1" with { type: "file" };
// Without the query Bun would take the import for a module to load, whatever its type; the build removes it.
import onnxBinding from "onnxruntime-node/bin/napi-v6/linux/x64/onnxruntime_binding.node?file" with {
  type: "file",
};
import vectorExtension from "sqlite-vec-linux-x64/vec0.so" with { type: "file" };
import type { NativeAssets } from "./asset-file.ts";

export const LINUX_X64: NativeAssets = {
  onnx: {
    runtime: {
      name: "libonnxruntime.so.1",
      embeddedPath: onnxRuntime,
      sha256: "d8aff4aa8abee8fb2abb2f2f2459ffc94461e781e41b9f7c072829dd0d470221",
      size: 38_023_776,
    },
    binding: {
      name: "onnxruntime_binding.node",
      embeddedPath: onnxBinding,
      sha256: "0f52b3621eedeb415d946528e820259066fd38f2c3ad373b5fa46cc60de88ffc",
      size: 389_424,
    },
  },
  vectorExtension: {
    name: "vec0.so",
    embeddedPath: vectorExtension,
    sha256: "5923730861b86c707cca5602b5f91092f9e52a46706dbc6e269fd4bb9c4498e8",
    size: 159_816,
  },
};
