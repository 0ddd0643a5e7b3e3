/**
 * The documents and passages connected with one document, as answer.
 *
 * In go an open index and a request, out comes the graph with titles, snippets, links and reasons. Needs no model: only stored
 * vectors are compared. The walk is `core/connection-graph.ts`, links are resolved in `link-map.ts`.
 *
 * snake_case, because the answer goes over the wire as it is.
 */
import { type GraphRequest, graphLimitsOf, MAX_NODES, MAX_SEED_CHUNKS } from "../../config/graph-request.ts";
import type { Config } from "../../config/schema.ts";
import {
  buildConnectionGraph,
  type Connection,
  type ConnectionGraph,
  type GraphNode,
} from "../../core/connection-graph.ts";
import type { LineRange } from "../../core/document.ts";
import type { GraphLimits, GraphSource } from "../../core/graph-source.ts";
import { getPassages, type Passage } from "../../store/chunks.ts";
import {
  type DocumentPlace,
  findFirstChunkOf,
  findVectorOf,
  listDocumentPlaces,
  listVectorsOf,
  NeighbourSearcher,
} from "../../store/connections.ts";
import { listDocumentPaths } from "../../store/documents.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { middleOf } from "../../store/quantise.ts";
import { readStatusCounts } from "../../store/status-counts.ts";
import { readInTransaction } from "../../store/transaction.ts";
import { noSuchDocument } from "../read-document.ts";
import { type BrokenLink, type LinkCounts, type LinkMap, LinkMaps } from "./link-map.ts";

export interface ConnectionNode {
  /** Counted from 0; the start comes first. */
  readonly node_id: number;
  readonly parent_id: number | null;
  readonly depth: number;
  /** How the parent is connected with it. */
  readonly why: "start" | Connection;
  readonly chunk_id: number;
  readonly chunk_index: number;
  /** 1 for the start, the cosine for `similar`, null for links. */
  readonly score: number | null;
  readonly path: string;
  readonly heading: string | null;
  readonly title: string;
  readonly topic: string | null;
  readonly lines: LineRange;
  readonly snippet: string;
}

export interface ConnectionEdge {
  readonly from: number;
  readonly to: number;
  /** As seen from `from`. */
  readonly why: Connection;
  readonly score?: number;
  /** Of a link: where it stands, and as what. */
  readonly line?: number;
  readonly target?: string;
  /** Other documents that the name of a wiki link fits as well. */
  readonly others?: readonly string[];
}

export interface Truncation {
  readonly reason: "seed_chunks" | "node_budget";
  readonly limit: number;
  /** What to do about it. */
  readonly detail: string;
}

export interface ConnectionsAnswer {
  readonly start_path: string;
  readonly truncated: boolean;
  readonly truncation: readonly Truncation[];
  readonly nodes: readonly ConnectionNode[];
  readonly edges: readonly ConnectionEdge[];
  /** Of the start. */
  readonly links: LinkCounts;
  /** Of the start: links to documents that are not there. */
  readonly broken_links: readonly Omit<BrokenLink, "path">[];
  readonly stats: {
    readonly total_nodes: number;
    readonly max_depth_reached: number;
    readonly knn_queries: number;
    readonly duration_ms: number;
    readonly seeds_used: number;
    /** Links between documents of the graph that are left out, since there are too many. */
    readonly untold_links: number;
  };
  /** What could not be looked at for all documents, and why. */
  readonly degraded?: "similar";
  readonly degraded_reason?: string;
}

export interface BrokenLinksAnswer {
  readonly documents: number;
  /** Different targets of each document, together. */
  readonly links: number;
  /** Addresses with a scheme, which are never followed. */
  readonly external: number;
  /** By path and line. */
  readonly broken: readonly BrokenLink[];
}

/** Questions about what is connected, on one folder; the links are resolved once for all of them. */
export class Connections {
  readonly #config: () => Pick<Config, "quality">;
  readonly #ask: AskIndex;
  readonly #linkMaps = new LinkMaps();

  /**
   * @param config The settings in force when it is asked.
   * @param ask Asks the index in use, and explains its failures.
   */
  constructor(config: () => Pick<Config, "quality">, ask: AskIndex) {
    this.#config = config;
    this.#ask = ask;
  }

  /**
   * What is connected with a document. Needs no model.
   *
   * @throws {AppError} `missing` naming the nearest path if the start is no indexed document; `usage` as `graphLimitsOf`.
   */
  find(request: GraphRequest): ConnectionsAnswer {
    const { enabled, threshold } = this.#config().quality;
    return this.#ask((db) => findConnections(db, request, enabled ? threshold : 0, this.#linkMaps));
  }

  /** Every link to a document that is not there. */
  findBroken(): BrokenLinksAnswer {
    return this.#ask((db) => findBrokenLinks(db, this.#linkMaps));
  }
}

type AskIndex = <Answer>(question: (db: IndexDatabase) => Answer) => Answer;

function findConnections(
  db: IndexDatabase,
  request: GraphRequest,
  minQuality: number,
  linkMaps: LinkMaps,
): ConnectionsAnswer {
  const startedAt = performance.now();
  const limits = graphLimitsOf(request);
  return readInTransaction(db, () => {
    const places = listDocumentPlaces(db);
    const byPath = new Map(places.map((place) => [place.path, place]));
    const start = byPath.get(request.start.normalize("NFC")) ?? byPath.get(request.start);
    if (start === undefined) throw noSuchDocument(db, request.start);
    const links = linkMaps.get(db, () => places.map(({ path }) => path));
    const allowed = places.filter((place) => passes(place, request));
    const source = graphSource(db, start, allowed, links, minQuality);
    const graph = buildConnectionGraph(start.path, source, limits);
    const broken = links.listBroken(start.path);
    return {
      start_path: start.path,
      truncated: graph.truncation.length > 0,
      truncation: graph.truncation.map((reason) => describeTruncation(reason, limits)),
      nodes: describeNodes(db, graph.nodes),
      edges: graph.edges.map(describeEdge),
      links: links.countLinks(start.path),
      broken_links: broken.map(({ line, target }) => ({ line, target })),
      ...describeDegradation(db, listVectorsOf(db, start.id, 1).length > 0),
      stats: describeStats(graph, performance.now() - startedAt),
    };
  });
}

function findBrokenLinks(db: IndexDatabase, linkMaps: LinkMaps): BrokenLinksAnswer {
  return readInTransaction(db, () => {
    const paths = listDocumentPaths(db);
    const links = linkMaps.get(db, () => paths);
    return { documents: paths.length, ...links.countAll(), broken: links.listBroken() };
  });
}

function passes(place: DocumentPlace, { category, topic }: GraphRequest): boolean {
  return (
    (category === undefined || place.category === category) && (topic === undefined || place.topic === topic)
  );
}

function graphSource(
  db: IndexDatabase,
  start: DocumentPlace,
  allowed: readonly DocumentPlace[],
  links: LinkMap,
  minQuality: number,
): GraphSource<Uint8Array> {
  const idOfPath = new Map(allowed.map(({ path, id }) => [path, id]));
  const documentIds = new Set(idOfPath.values());
  const searcher = new NeighbourSearcher(db);
  return {
    listSeeds: (count) =>
      listVectorsOf(db, start.id, count).map(({ chunkId, bytes }) => ({ chunkId, vector: bytes })),
    findFirstChunk(path) {
      const id = path === start.path ? start.id : idOfPath.get(path);
      return id === undefined ? undefined : findFirstChunkOf(db, id);
    },
    findVector: (chunkId) => findVectorOf(db, chunkId),
    centroidOf: middleOf,
    listSimilar(vector, count, { paths, chunkIds }) {
      for (const path of paths) documentIds.delete(idOfPath.get(path) ?? start.id);
      const near = searcher.listNear(vector, { count, minQuality, documentIds, taken: chunkIds });
      return near.map(({ chunkId, path, cosine }) => ({ chunkId, path, similarity: cosine }));
    },
    listLinksOf: (path) => links.listLinksOf(path),
    listLinksTo: (path) => links.listLinksTo(path),
  };
}

/** In code points. */
const SNIPPET_LENGTH = 200;

function describeNodes(db: IndexDatabase, nodes: readonly GraphNode[]): ConnectionNode[] {
  const passages = getPassages(
    db,
    nodes.map(({ chunkId }) => chunkId),
  );
  const byId = new Map<number, Passage>(passages.map((passage) => [passage.chunkId, passage]));
  return nodes.map(({ nodeId, parentId, depth, why, chunkId, score, path }) => {
    const { meta, chunk } = byId.get(chunkId)!;
    const characters = [...chunk.content.slice(0, 2 * SNIPPET_LENGTH + 2)];
    const isLong = characters.length > SNIPPET_LENGTH;
    return {
      node_id: nodeId,
      parent_id: parentId,
      depth,
      why,
      chunk_id: chunkId,
      chunk_index: chunk.index,
      score,
      path,
      heading: chunk.heading,
      title: meta.title,
      topic: meta.topic,
      lines: chunk.lines,
      snippet: isLong ? `${characters.slice(0, SNIPPET_LENGTH).join("")}…` : chunk.content,
    };
  });
}

function describeEdge({ from, to, why, score, link }: ConnectionGraph["edges"][number]): ConnectionEdge {
  if (link === null) return { from, to, why, score: score ?? 0 };
  const { line, target, others } = link;
  return { from, to, why, line, target, ...(others.length === 0 ? {} : { others: others.slice(0, 5) }) };
}

function describeTruncation(reason: Truncation["reason"], limits: GraphLimits): Truncation {
  if (reason === "seed_chunks") {
    const limit = limits.maxSeedChunks;
    const raise =
      limit < MAX_SEED_CHUNKS
        ? `raise max_seed_chunks (at most ${MAX_SEED_CHUNKS})`
        : "no more are available in one graph";
    return {
      reason,
      limit,
      detail: `only the first ${limit} passages of the start were used; ${raise}, or use seed_strategy centroid`,
    };
  }
  const limit = limits.maxNodes;
  const raise = limit < MAX_NODES ? `raise max_nodes (at most ${MAX_NODES})` : "no larger graph is available";
  return {
    reason,
    limit,
    detail: `the budget of ${limit} nodes was used up; ${raise}, or use seed_strategy centroid or a smaller max_seed_chunks to reach farther`,
  };
}

function describeDegradation(
  db: IndexDatabase,
  startHasVectors: boolean,
): Pick<ConnectionsAnswer, "degraded" | "degraded_reason"> {
  const { pending, chunks } = readStatusCounts(db);
  if (pending === 0) return {};
  const what = startHasVectors
    ? `${pending} of ${chunks} passages have no vector yet and cannot be found as similar`
    : "the start has no vectors yet, so only its links are followed";
  return { degraded: "similar", degraded_reason: `${what}; make the vectors with: kb index` };
}

function describeStats(graph: ConnectionGraph, durationMs: number): ConnectionsAnswer["stats"] {
  return {
    total_nodes: graph.nodes.length,
    max_depth_reached: graph.maxDepthReached,
    knn_queries: graph.similarityQueries,
    duration_ms: Math.round(durationMs),
    seeds_used: graph.seedsUsed,
    untold_links: graph.untoldLinks,
  };
}
