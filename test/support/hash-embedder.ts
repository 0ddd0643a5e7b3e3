/**
 * An embedder without a model, for tests that need vectors but not their meaning.
 *
 * In go texts; out come vectors made of hashed letter groups, so that texts with
 * common parts are near each other, in any language. It keeps the same contract
 * as the built-in model (`test/contract/embedder-contract.ts`).
 */
import type { Embedder, EmbedderIdentity, EmbedderRuntime } from "../../src/core/embedder.ts";

export interface HashEmbedderOptions {
  /** At least 2; default 64. */
  readonly dims?: number;
  /** Words counted by spaces; default 256. */
  readonly maxTokens?: number;
  /** Part of the identity: another one stands for another model. */
  readonly revision?: string;
}

/** Deterministic vectors; equal options give equal vectors on every machine. */
export class HashEmbedder implements Embedder {
  readonly identity: EmbedderIdentity;
  readonly runtime: EmbedderRuntime = { name: "none" };
  /** Every text embedded so far, in order: what a test asserts was, or was not, done again. */
  readonly embeddedPassages: string[] = [];

  constructor({ dims = 64, maxTokens = 256, revision = "1" }: HashEmbedderOptions = {}) {
    this.identity = {
      name: "hash",
      revision,
      dims,
      maxTokens,
      pooling: "mean",
      queryPrefix: "query: ",
      passagePrefix: "passage: ",
    };
  }

  findRuntime(): EmbedderRuntime {
    return this.runtime;
  }

  /** Only cuneiform is foreign to it. */
  unknownShare(text: string): number {
    const characters = [...text.replace(/\s/gu, "")];
    const unknown = characters.filter((character) => /\p{Script=Cuneiform}/u.test(character));
    return characters.length === 0 ? 0 : unknown.length / characters.length;
  }

  /** A word between spaces is a token, and so is each of its characters outside ASCII. */
  countPassageTokens(text: string): number {
    return tokensOf(this.identity.passagePrefix + text).length;
  }

  async embedQuery(text: string): Promise<Float32Array> {
    return this.#embed(this.identity.queryPrefix, text);
  }

  async embedPassages(texts: readonly string[]): Promise<Float32Array[]> {
    this.embeddedPassages.push(...texts);
    return texts.map((text) => this.#embed(this.identity.passagePrefix, text));
  }

  async close(): Promise<void> {}

  #embed(prefix: string, text: string): Float32Array {
    const { dims, maxTokens } = this.identity;
    const kept = tokensOf(text.normalize("NFKC").toLowerCase()).slice(0, maxTokens).join(" ");
    const vector = new Float32Array(dims);
    // The prefix weighs little, but makes a query differ from the same passage.
    addFeature(vector, prefix, 0.3);
    const letters = [...` ${kept} `];
    for (let size = 1; size <= 3; size++)
      for (let at = 0; at + size <= letters.length; at++)
        addFeature(vector, letters.slice(at, at + size).join(""), size);
    const norm = Math.hypot(...vector);
    return vector.map((value) => value / norm);
  }
}

function tokensOf(text: string): string[] {
  return text.match(/[\x21-\x7e]+|[^\s\x00-\x7f]/gu) ?? [];
}

/** Adds weight to one dimension and, with the hash's next bits, chooses its sign. */
function addFeature(vector: Float32Array, feature: string, weight: number): void {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at++) {
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  const sign = hash & 1 ? 1 : -1;
  const dimension = (hash >>> 1) % vector.length;
  vector[dimension] = vector[dimension]! + sign * weight;
}
