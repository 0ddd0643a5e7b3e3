/**
 * Which shared libraries belong to the machine this runs on.
 *
 * In goes nothing but the platform; out come three assets or a plain refusal.
 * The bundler knows the target's platform and drops every other branch, so an
 * executable carries one platform's libraries. Unpacking is `extract.ts`.
 */
import { AppError } from "../errors.ts";
import type { NativeAssets } from "./asset-file.ts";

/**
 * The libraries for this platform.
 *
 * @throws {AppError} `model` if there are none; searching by words needs none.
 */
export function getNativeAssets(): NativeAssets {
  if (process.platform === "linux" && process.arch === "x64") {
    // `require`, because an `import` statement would embed the libraries of every platform.
    return (require("./linux-x64.ts") as typeof import("./linux-x64.ts")).LINUX_X64;
  }
  throw new AppError(
    "model",
    `searching by meaning is not available on ${process.platform} ${process.arch}`,
    {
      hint: "Searching by words works without it.",
    },
  );
}
