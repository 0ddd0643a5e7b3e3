/**
 * Where the ONNX Runtime and its Node-API binding lie as real files.
 *
 * In goes the cache folder; out comes the path to hand to `process.dlopen`.
 * Loading and using it is done in `embed/session.ts`.
 */
import { AppError } from "../errors.ts";
import { locateAssets } from "./extract.ts";
import { describePlatform, findOnnxAssets } from "./platform.ts";

/**
 * The binding, with the runtime beside it where the system's loader looks for it.
 *
 * @throws {AppError} `model` on a platform without it, `io` if it cannot be unpacked.
 */
export function locateOnnxBinding(cacheFolder: string): string {
  const onnx = findOnnxAssets();
  if (onnx === undefined) {
    throw new AppError("model", `there is no ONNX Runtime for ${describePlatform()}`, {
      hint: "The model runs as WebAssembly there.",
    });
  }
  const [path] = locateAssets([onnx.binding, onnx.runtime], cacheFolder);
  return path!;
}
