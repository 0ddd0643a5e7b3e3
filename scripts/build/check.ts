/**
 * Tries an executable, if this machine can run it.
 *
 * In goes an executable of some platform; out comes a sentence. One for another processor
 * is run through QEMU's user emulation where that and a C library for it are installed
 * (Debian: `qemu-user-static`, `libstdc++6-arm64-cross`). What is tried is in `smoke-test.ts`.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { hostTarget, type Target } from "./targets.ts";

const SMOKE_TEST = resolve(import.meta.dir, "..", "smoke-test.ts");

/**
 * @returns What was done, for the person who builds.
 * @throws {Error} If the executable was run and failed; the reasons are on stderr.
 */
export async function tryExecutable(target: Target, executable: string): Promise<string> {
  const runner = findRunner(target);
  if (runner === undefined) return "not run: this machine cannot run it";
  const { onnx } = await target.loadLibraries();
  const command = [...runner, executable];
  const child = Bun.spawn(
    [process.execPath, SMOKE_TEST, ...(onnx === undefined ? ["--wasm"] : []), ...command],
    { stdin: "ignore", stdout: "inherit", stderr: "inherit" },
  );
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} does not work`);
  return `run: version, index, search by meaning (${onnx === undefined ? "WebAssembly" : "native"}), serve`;
}

/** What has to stand before the executable; undefined if nothing helps. */
function findRunner({ bunTarget, libc, name }: Target): readonly string[] | undefined {
  const host = hostTarget();
  if (bunTarget.startsWith(host.bunTarget) && libc === host.libc) return [];
  const emulator = Bun.which("qemu-aarch64-static");
  const isEmulated = name === "linux-arm64" && emulator !== null && existsSync(ARM64_ROOT);
  return isEmulated ? [emulator, "-L", ARM64_ROOT] : undefined;
}

const ARM64_ROOT = join("/usr", "aarch64-linux-gnu");
