/**
 * Which shared libraries belong to the machine this runs on.
 *
 * In goes nothing but the platform; out come assets, or nothing where nobody builds them.
 * The bundler knows the target's platform, the build defines its C library, and every
 * other branch is dropped, so an executable carries one platform's libraries. Unpacking
 * is `extract.ts`; what to do without a library is the callers' business.
 */
import type { Asset, NativeAssets, OnnxAssets } from "./asset-file.ts";

/** `glibc` or `musl`, defined by `scripts/build.ts`; run from source it is found out. */
declare const KB_LIBC: string | undefined;

/** What runs a model on this platform; undefined where there is none. */
export function findOnnxAssets(): OnnxAssets | undefined {
  return findNativeAssets().onnx;
}

/** SQLite's vector extension for this platform; undefined where there is none. */
export function findVectorExtension(): Asset | undefined {
  return findNativeAssets().vectorExtension;
}

/** The platform in words for a message, such as `macOS on x64` or `Linux on arm64 with musl`. */
export function describePlatform(): string {
  const system = SYSTEMS[process.platform] ?? process.platform;
  return `${system} on ${process.arch}${process.platform === "linux" && findLibc() === "musl" ? " with musl" : ""}`;
}

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "macOS",
  linux: "Linux",
  win32: "Windows",
};

/** All of them on Linux need glibc: their checked forms of memcpy and the like are not in musl. */
const NOTHING: NativeAssets = { onnx: undefined, vectorExtension: undefined };

/**
 * Each condition stands in full where it is used, because the bundler drops only a branch
 * whose condition it can work out; `require`, because an `import` statement would embed the
 * libraries of every platform.
 */
function findNativeAssets(): NativeAssets {
  if (process.platform === "linux" && (typeof KB_LIBC === "string" ? KB_LIBC : findLibc()) === "glibc") {
    if (process.arch === "x64")
      return (require("./linux-x64.ts") as typeof import("./linux-x64.ts")).LINUX_X64;
    if (process.arch === "arm64")
      return (require("./linux-arm64.ts") as typeof import("./linux-arm64.ts")).LINUX_ARM64;
  }
  if (process.platform === "darwin") {
    if (process.arch === "arm64")
      return (require("./darwin-arm64.ts") as typeof import("./darwin-arm64.ts")).DARWIN_ARM64;
    if (process.arch === "x64")
      return (require("./darwin-x64.ts") as typeof import("./darwin-x64.ts")).DARWIN_X64;
  }
  if (process.platform === "win32") {
    if (process.arch === "x64")
      return (require("./windows-x64.ts") as typeof import("./windows-x64.ts")).WINDOWS_X64;
    if (process.arch === "arm64")
      return (require("./windows-arm64.ts") as typeof import("./windows-arm64.ts")).WINDOWS_ARM64;
  }
  return NOTHING;
}

/** The C library of the Bun that runs this; a system may have both. */
function findLibc(): string {
  if (typeof KB_LIBC === "string") return KB_LIBC;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? "musl" : "glibc";
}
