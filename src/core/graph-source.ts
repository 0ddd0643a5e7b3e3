/**
 * What a walk through connections is given: its limits, and where it asks for neighbours and links.
 *
 * The walk itself is `connection-graph.ts`; limits come from `config/graph-request.ts`, the source is made in
 * `engine/graph/connections.ts`.
 */
import type { ChunkId } from "./document.ts";

export interface GraphLimits {
  /** Steps from the start, 0 to 3. */
  readonly depth: number;
  /** Most new nodes of each kind at one node; 0 for the start alone. */
  readonly fanOut: number;
  /** Lowest cosine of a similar passage, 0 to 1. */
  readonly minSimilarity: number;
  /** Whether the start is all its chunks, or one node in their middle. */
  readonly seedStrategy: "all_chunks" | "centroid";
  /** Whether a document comes in only once. */
  readonly dedupByPath: boolean;
  /** Most nodes, seeds included; 0 for an empty graph. */
  readonly maxNodes: number;
  /** Most chunks of the start that are looked at; at least 1. */
  readonly maxSeedChunks: number;
  /** Documents that never come in. */
  readonly excludedPaths: readonly string[];
}

/** A link between two documents that both exist. */
export interface GraphLink {
  /** The document at its other end. */
  readonly path: string;
  /** Where the link stands in the document that has it; counted from 1. */
  readonly line: number;
  readonly target: string;
  /** Other documents that the name fits as well. */
  readonly others: readonly string[];
}

export interface SimilarChunk {
  readonly chunkId: ChunkId;
  readonly path: string;
  /** Cosine. */
  readonly similarity: number;
}

export interface Taken {
  readonly paths: ReadonlySet<string>;
  readonly chunkIds: ReadonlySet<ChunkId>;
}

/** What the walk asks; equal questions get equal answers. `Vector` is whatever the source compares. */
export interface GraphSource<Vector> {
  /** The first chunks of the start that have a vector, in their order. */
  listSeeds(count: number): readonly { readonly chunkId: ChunkId; readonly vector: Vector }[];
  /** What stands for a document as a whole; undefined if it may not come in. */
  findFirstChunk(path: string): ChunkId | undefined;
  findVector(chunkId: ChunkId): Vector | undefined;
  centroidOf(vectors: readonly Vector[]): Vector;
  /** The nearest that are not taken: similarity descending, then path, then chunk index. */
  listSimilar(vector: Vector, count: number, taken: Taken): readonly SimilarChunk[];
  /** Documents that one links to, once each, in the order of its text. */
  listLinksOf(path: string): readonly GraphLink[];
  /** Documents that link to one, once each, in path order. */
  listLinksTo(path: string): readonly GraphLink[];
}
