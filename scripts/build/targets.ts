/**
 * The platforms that executables are built for: what each is made of.
 *
 * Out comes a table. The runtimes are Bun's own packages, of the version that
 * `package.json` pins, each with the checksum of the one file taken from it: an update of
 * Bun is an update here, and a build with a wrong one says what it found. The libraries'
 * checksums are in `src/native`. Fetching is `packages.ts`, compiling `compile.ts`.
 */
import type { NativeAssets } from "../../src/native/asset-file.ts";

export interface Target {
  /** As in `--target` and in the executable's name. */
  readonly name: string;
  /** What the README says of it. */
  readonly title: string;
  /** As Bun's bundler calls it; decides what `process.platform` and `process.arch` are inside. */
  readonly bunTarget: Bun.Build.CompileTarget;
  readonly libc: "glibc" | "musl" | "none";
  readonly runtimePackage: string;
  /** Lower-case hex, of the runtime inside that package. */
  readonly runtimeSha256: string;
  /** The packages with this platform's libraries that an install on another platform leaves out. */
  readonly libraryPackages: readonly string[];
  /** To be called when those packages are there. */
  loadLibraries(): Promise<NativeAssets>;
}

const NO_LIBRARIES: NativeAssets = { onnx: undefined, vectorExtension: undefined };

/** In the order in which people look for theirs. */
export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    title: "Linux, x86-64",
    bunTarget: "bun-linux-x64",
    libc: "glibc",
    runtimePackage: "@oven/bun-linux-x64",
    runtimeSha256: "f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083",
    libraryPackages: ["sqlite-vec-linux-x64"],
    loadLibraries: async () => (await import("../../src/native/linux-x64.ts")).LINUX_X64,
  },
  {
    // The same bytes as the one above in this version of Bun; kept apart because that may change.
    name: "linux-x64-baseline",
    title: "Linux, x86-64 without AVX2",
    bunTarget: "bun-linux-x64-baseline",
    libc: "glibc",
    runtimePackage: "@oven/bun-linux-x64-baseline",
    runtimeSha256: "f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083",
    libraryPackages: ["sqlite-vec-linux-x64"],
    loadLibraries: async () => (await import("../../src/native/linux-x64.ts")).LINUX_X64,
  },
  {
    name: "linux-x64-musl",
    title: "Linux, x86-64, musl (Alpine)",
    bunTarget: "bun-linux-x64-musl",
    libc: "musl",
    runtimePackage: "@oven/bun-linux-x64-musl",
    runtimeSha256: "cf5d285ddbe256785a5121a3c113191a6b577504976374c7cfd5aedca609b720",
    libraryPackages: [],
    loadLibraries: async () => NO_LIBRARIES,
  },
  {
    name: "linux-arm64",
    title: "Linux, 64-bit ARM",
    bunTarget: "bun-linux-arm64",
    libc: "glibc",
    runtimePackage: "@oven/bun-linux-aarch64",
    runtimeSha256: "04778f1f42399a69d086853e9c7af4acf574b2f21a43d0dc673853d8b84a2923",
    libraryPackages: ["sqlite-vec-linux-arm64"],
    loadLibraries: async () => (await import("../../src/native/linux-arm64.ts")).LINUX_ARM64,
  },
  {
    name: "linux-arm64-musl",
    title: "Linux, 64-bit ARM, musl (Alpine)",
    bunTarget: "bun-linux-arm64-musl",
    libc: "musl",
    runtimePackage: "@oven/bun-linux-aarch64-musl",
    runtimeSha256: "9c48986093073afec8b76a3e285303598dd2462f52748aecb65e4d94866e1ea3",
    libraryPackages: [],
    loadLibraries: async () => NO_LIBRARIES,
  },
  {
    name: "darwin-arm64",
    title: "macOS 14 or newer, Apple silicon",
    bunTarget: "bun-darwin-arm64",
    libc: "none",
    runtimePackage: "@oven/bun-darwin-aarch64",
    runtimeSha256: "e2984124f1514e1e6bbda20adedbf07a02c443c6a5828853a15c7c7abf78e19f",
    libraryPackages: ["sqlite-vec-darwin-arm64"],
    loadLibraries: async () => (await import("../../src/native/darwin-arm64.ts")).DARWIN_ARM64,
  },
  {
    name: "darwin-x64",
    title: "macOS, Intel",
    bunTarget: "bun-darwin-x64",
    libc: "none",
    runtimePackage: "@oven/bun-darwin-x64",
    runtimeSha256: "88f97645b270aef20f9f9442f1658461cab3e7128e658af4615144e3396f084a",
    libraryPackages: ["sqlite-vec-darwin-x64"],
    loadLibraries: async () => (await import("../../src/native/darwin-x64.ts")).DARWIN_X64,
  },
  {
    name: "windows-x64",
    title: "Windows, x86-64",
    bunTarget: "bun-windows-x64",
    libc: "none",
    runtimePackage: "@oven/bun-windows-x64",
    runtimeSha256: "e06ad0864463c68892ae71a2a64af7eae1585cac5dd9b80bc042f45605587cb1",
    libraryPackages: ["sqlite-vec-windows-x64"],
    loadLibraries: async () => (await import("../../src/native/windows-x64.ts")).WINDOWS_X64,
  },
  {
    name: "windows-arm64",
    title: "Windows, 64-bit ARM",
    bunTarget: "bun-windows-arm64",
    libc: "none",
    runtimePackage: "@oven/bun-windows-aarch64",
    runtimeSha256: "8bd7f9210f9d58cc21f398d1478e53b2ff919a0c8fc935b5086f3f64667cec6d",
    libraryPackages: [],
    loadLibraries: async () => (await import("../../src/native/windows-arm64.ts")).WINDOWS_ARM64,
  },
];

/**
 * The target of the machine this runs on.
 *
 * @throws {Error} If executables are built for no such machine.
 */
export function hostTarget(): Target {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `${system}-${process.arch}${hostLibc() === "musl" ? "-musl" : ""}`;
  const target = TARGETS.find((candidate) => candidate.name === name);
  if (target === undefined) throw new Error(`no executable is built for ${name}`);
  return target;
}

/** What its executable is called, without a folder. */
export function executableName({ name }: Target): string {
  return name.startsWith("windows") ? `kb-${name}.exe` : `kb-${name}`;
}

function hostLibc(): Target["libc"] {
  if (process.platform !== "linux") return "none";
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? "musl" : "glibc";
}
