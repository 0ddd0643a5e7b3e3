/**
 * The model as a measurement uses it: loaded before the first question, and asked once for each.
 *
 * What a failure of the model means is decided by the search.
 */
import type { Embedder } from "../../core/embedder.ts";
import { AppError } from "../../errors.ts";

/** The same embedder, but each question is embedded once, however often it is asked. */
export function embeddingOnce(embedder: Embedder): Embedder {
  const vectors = new Map<string, Promise<Float32Array>>();
  return {
    identity: embedder.identity,
    get runtime() {
      return embedder.runtime;
    },
    findRuntime: () => embedder.findRuntime(),
    unknownShare: (text) => embedder.unknownShare(text),
    countPassageTokens: (text) => embedder.countPassageTokens(text),
    embedPassages: (texts) => embedder.embedPassages(texts),
    embedQuery(text) {
      const vector = vectors.get(text) ?? embedder.embedQuery(text);
      vectors.set(text, vector);
      return vector;
    },
    close: () => embedder.close(),
  };
}

/** Loads the model, before anything is timed. One that cannot be loaded is told by every answer. */
export async function warmUp(embedder: Embedder): Promise<void> {
  try {
    await embedder.embedQuery("kb");
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code === "config") throw thrown;
  }
}
