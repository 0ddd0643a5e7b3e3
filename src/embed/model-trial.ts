/**
 * Whether the model really works on this machine: it embeds known texts, and the vectors are
 * compared with known ones.
 *
 * In go the cache folder and the runtime to try; out come what ran and how near it came. A
 * runtime that starts and computes nonsense is the reason for this: searching by meaning would
 * answer without any sign of it.
 */
import type { EmbedderRuntime, RuntimeKind } from "../core/embedder.ts";
import { openBuiltinEmbedder } from "./builtin-embedder.ts";
import { REFERENCE_VECTORS } from "./reference-vectors.ts";

export interface ModelTrial {
  readonly runtime: EmbedderRuntime;
  /** How many texts were embedded. */
  readonly texts: number;
  /** Of the text that came out worst, to its known vector. */
  readonly cosine: number;
  /** Whether that is near enough. */
  readonly isRight: boolean;
}

/**
 * Unpacks, loads and runs the model once.
 *
 * @param runtime As `chooseRuntime` says.
 * @throws {AppError} `model` if it does not run, `config` if the runtime asked for cannot be had.
 */
export async function tryModel(cacheFolder: string, runtime: RuntimeKind | undefined): Promise<ModelTrial> {
  const embedder = openBuiltinEmbedder({ cacheFolder, runtime, queryThreads: 1, isShortLived: true });
  try {
    const cosines: number[] = [];
    for (const { text, bytes } of REFERENCE_VECTORS)
      cosines.push(cosineOf(await embedder.embedQuery(text), bytesOf(bytes)));
    const cosine = Math.min(...cosines);
    return {
      runtime: embedder.runtime,
      texts: cosines.length,
      cosine,
      isRight: cosine >= MIN_COSINE,
    };
  } finally {
    await embedder.close();
  }
}

/** Runtimes and processors that work differ by less than .001; the two texts are .87 apart. */
const MIN_COSINE = 0.99;

function bytesOf(base64: string): Int8Array {
  return new Int8Array(Buffer.from(base64, "base64"));
}

function cosineOf(vector: Float32Array, reference: Int8Array): number {
  const dot = vector.reduce((sum, value, at) => sum + value * (reference[at] ?? 0), 0);
  return dot / (Math.hypot(...vector) * Math.hypot(...reference));
}
