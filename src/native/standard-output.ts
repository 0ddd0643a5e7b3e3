/**
 * Takes stdout away from everything but the protocol.
 *
 * Native libraries print where they like. After `claimStandardOutput` descriptor 1 leads
 * to stderr, and only the returned descriptor leads to the client. Who writes to it
 * is decided in `cli/`.
 */
import { dlopen } from "bun:ffi";

const LIBC_NAMES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
  darwin: ["libSystem.B.dylib"],
};

/**
 * @returns A descriptor that writes to what stdout was; 1 itself where the platform has no `dup2`.
 */
export function claimStandardOutput(): number {
  for (const name of LIBC_NAMES[process.platform] ?? []) {
    let libc: { symbols: { dup(descriptor: number): number; dup2(from: number, to: number): number } };
    try {
      libc = dlopen(name, {
        dup: { args: ["int"], returns: "int" },
        dup2: { args: ["int", "int"], returns: "int" },
      });
    } catch {
      continue; // not this C library
    }
    const client = libc.symbols.dup(1);
    if (client < 0) return 1;
    return libc.symbols.dup2(2, 1) < 0 ? 1 : client;
  }
  return 1;
}
