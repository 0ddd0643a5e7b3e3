/**
 * The request for a graph of connections, checked once, the same for CLI and MCP.
 *
 * Values out of range are clamped, and the answer says with which limits it was made. What a graph is
 * is told in `core/connection-graph.ts`.
 */
import { z } from "zod";
import type { GraphLimits } from "../core/graph-source.ts";
import { AppError } from "../errors.ts";

const EXCLUDED_BYTES_MAX = 64 * 1024;
const STRATEGIES = ["all_chunks", "all-chunks", "centroid"] as const;

const count = z.int().min(0).max(0xffff_ffff).optional();

export const graphRequestSchema = z.strictObject({
  start: z
    .string()
    .min(1)
    .max(4096)
    .describe("Path of the indexed document to start from, as given in a search result."),
  depth: count.describe("Steps from the start. Default 2, at most 3."),
  fan_out: count.describe(
    "Most similar passages, documents linked to, and documents linking here, that are followed at each node. Default 5, at most 20; 0 gives the start alone.",
  ),
  min_similarity: z
    .number()
    .optional()
    .describe("Lowest cosine of a similar passage, clamped to 0 to 1. Default 0.3."),
  seed_strategy: z
    .enum(STRATEGIES, { error: `it may be ${STRATEGIES.join(", ")}` })
    .optional()
    .describe(
      "all_chunks (the default) starts from every passage of the document, centroid from their middle, which reaches farther with the same budget.",
    ),
  category: z.string().optional().describe("Only documents of exactly this category, at every step."),
  topic: z.string().optional().describe("Only documents of exactly this topic, at every step."),
  exclude_paths: z
    .array(z.string())
    .optional()
    .describe("Paths of documents to leave out; 65536 bytes together."),
  dedup_by_path: z
    .boolean()
    .optional()
    .describe("Whether each document comes in at most once. Default false."),
  max_nodes: count.describe("Most nodes, the start included. Default 100, at most 2000."),
  max_seed_chunks: count.describe("Most passages of the start. Default 32, 1 to 1000."),
});
export type GraphRequest = z.output<typeof graphRequestSchema>;

/**
 * The limits a request means, clamped.
 *
 * @throws {AppError} `usage` if the excluded paths are too long together.
 */
export function graphLimitsOf(request: GraphRequest): GraphLimits {
  const excludedPaths = request.exclude_paths ?? [];
  const bytes = excludedPaths.reduce((sum, path) => sum + Buffer.byteLength(path), 0);
  if (bytes > EXCLUDED_BYTES_MAX)
    throw new AppError(
      "usage",
      `exclude_paths: ${bytes} bytes of paths; at most ${EXCLUDED_BYTES_MAX} are read`,
      { hint: "Leave out fewer documents, or narrow the graph by category or topic." },
    );
  return {
    depth: Math.min(request.depth ?? 2, 3),
    fanOut: Math.min(request.fan_out ?? 5, 20),
    minSimilarity: Math.min(1, Math.max(0, request.min_similarity ?? 0.3)),
    seedStrategy: request.seed_strategy === "centroid" ? "centroid" : "all_chunks",
    dedupByPath: request.dedup_by_path ?? false,
    maxNodes: Math.min(request.max_nodes ?? 100, MAX_NODES),
    maxSeedChunks: Math.min(Math.max(1, request.max_seed_chunks ?? 32), MAX_SEED_CHUNKS),
    excludedPaths: excludedPaths.flatMap((path) => [path, path.normalize("NFC")]),
  };
}

/** No graph has more nodes. */
export const MAX_NODES = 2000;
/** No more passages of the start are looked at. */
export const MAX_SEED_CHUNKS = 1000;
