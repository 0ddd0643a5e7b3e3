/**
 * The shared libraries for macOS on Intel.
 *
 * Nobody builds the ONNX Runtime for it any more.
 * Checksums belong to the exact versions in `package.json`; the build compares them,
 * so an update of a package is an update here.
 */
import vectorExtension from "sqlite-vec-darwin-x64/vec0.dylib" with { type: "file" };
import type { NativeAssets } from "./asset-file.ts";

export const DARWIN_X64: NativeAssets = {
  onnx: undefined,
  vectorExtension: {
    name: "vec0.dylib",
    embeddedPath: vectorExtension,
    sha256: "d39d33d16d302d57440d9a9cdbe3cc095e8324aa96b979b5171f545a6346996d",
    size: 127_632,
  },
};
