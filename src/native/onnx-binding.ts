/**
 * Where the ONNX Runtime and its Node-API binding lie as real files.
 *
 * In goes the cache folder; out comes the path to hand to `process.dlopen`.
 * Loading and using it is done in `embed/session.ts`.
 */
import { locateAssets } from "./extract.ts";
import { getNativeAssets } from "./platform.ts";

/**
 * The binding, with the runtime beside it where the system's loader looks for it.
 *
 * @throws {AppError} `model` on a platform without it, `io` if it cannot be unpacked.
 */
export function locateOnnxBinding(cacheFolder: string): string {
  const { onnxBinding, onnxRuntime } = getNativeAssets();
  const [path] = locateAssets([onnxBinding, onnxRuntime], cacheFolder);
  return path!;
}
