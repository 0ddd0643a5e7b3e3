/**
 * What an index is opened with so that vectors can be compared: the extension, or why there is none.
 *
 * In go the wish of the user and the cache folder. Unpacking is done in `native/`, loading and
 * probing in `store/vector-engine.ts`.
 */
import { AppError, sentencesOf } from "../errors.ts";
import { locateVectorExtension } from "../native/vector-extension.ts";
import type { VectorEngineName, VectorEngineOptions } from "../store/vector-engine.ts";

/** Unpacks the extension unless it is not wanted. @param wish Which engine the user asks for, if any. */
export function locateOrExplain(
  wish: VectorEngineName | undefined,
  cacheFolder: string,
): VectorEngineOptions {
  if (wish === "js") return { vectorExtensionProblem: "KB_VECTOR_ENGINE is js" };
  const isVectorExtensionRequired = wish === "sqlite-vec";
  try {
    return { vectorExtensionPath: locateVectorExtension(cacheFolder), isVectorExtensionRequired };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { vectorExtensionProblem: sentencesOf(thrown), isVectorExtensionRequired };
  }
}
