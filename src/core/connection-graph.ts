/**
 * The graph of what is connected with one document: by meaning, and by explicit links.
 *
 * In go limits and a source that knows vectors and links, out come nodes and edges, each with the reason why it is
 * there. A walk in breadth: the same source gives the same graph. Where vectors and links come from is known to
 * `engine/graph/graph-source.ts`; titles and texts of the nodes are added in `engine/graph/connections.ts`.
 */
import type { ChunkId } from "./document.ts";
import type { GraphLimits, GraphLink, GraphSource, Taken } from "./graph-source.ts";

export type Connection = "similar" | "links_to" | "linked_from";

export interface GraphNode {
  /** Counted from 0. */
  readonly nodeId: number;
  readonly parentId: number | null;
  readonly depth: number;
  readonly chunkId: ChunkId;
  readonly path: string;
  /** How its parent is connected with it. */
  readonly why: "start" | Connection;
  /** 1 for the start, the cosine for `similar`, null for links, which have no degree. */
  readonly score: number | null;
}

export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  /** As seen from `from`. */
  readonly why: Connection;
  readonly score: number | null;
  /** Of a link. */
  readonly link: Omit<GraphLink, "path"> | null;
}

export type TruncationReason = "seed_chunks" | "node_budget";

export interface ConnectionGraph {
  readonly nodes: readonly GraphNode[];
  /** First the one to each node from its parent, in the order of the nodes; then further links between the documents. */
  readonly edges: readonly GraphEdge[];
  /** Each reason at most once. */
  readonly truncation: readonly TruncationReason[];
  readonly maxDepthReached: number;
  readonly similarityQueries: number;
  readonly seedsUsed: number;
  /** Links between documents of the graph that are not told, since there are too many. */
  readonly untoldLinks: number;
}

/**
 * Walks from the start until depth, fan-out or budget end it.
 *
 * Each node is followed to its similar passages, and the first node of each document to the documents it links to, then
 * to those that link to it. The start and the excluded documents never come in again; a document that is there already
 * is not added for a link.
 */
export function buildConnectionGraph<Vector>(
  start: string,
  source: GraphSource<Vector>,
  limits: GraphLimits,
): ConnectionGraph {
  const walk = new Walk(start, source, limits);
  walk.addSeeds();
  if (limits.fanOut > 0) walk.followAll();
  return walk.result();
}

/** Links between documents of the graph, besides those it grew along, for each node on average. */
const FURTHER_LINKS_PER_NODE = 4;

interface QueueItem<Vector> {
  readonly node: GraphNode;
  readonly vector: Vector | undefined;
}

class Walk<Vector> {
  readonly #start: string;
  readonly #source: GraphSource<Vector>;
  readonly #limits: GraphLimits;
  readonly #nodes: GraphNode[] = [];
  readonly #edges: GraphEdge[] = [];
  readonly #queue: QueueItem<Vector>[] = [];
  readonly #truncation = new Set<TruncationReason>();
  readonly #blockedPaths: Set<string>;
  readonly #visited = new Set<ChunkId>();
  readonly #firstNodes = new Map<string, GraphNode>();
  readonly #linksFollowed = new Set<string>();
  #queries = 0;
  #seedsUsed = 0;

  constructor(start: string, source: GraphSource<Vector>, limits: GraphLimits) {
    this.#start = start;
    this.#source = source;
    this.#limits = limits;
    this.#blockedPaths = new Set([start, ...limits.excludedPaths]);
  }

  addSeeds(): void {
    const { maxSeedChunks, seedStrategy, maxNodes } = this.#limits;
    const found = this.#source.listSeeds(maxSeedChunks + 1);
    if (found.length > maxSeedChunks) this.#truncation.add("seed_chunks");
    const seeds: readonly { readonly chunkId: ChunkId; readonly vector: Vector | undefined }[] =
      found.length > 0 ? found.slice(0, maxSeedChunks) : this.#seedWithoutVector();
    if (seedStrategy === "centroid" && found.length > 0) {
      const vectors = found.slice(0, maxSeedChunks).map(({ vector }) => vector);
      for (const { chunkId } of seeds) this.#visited.add(chunkId);
      const added = this.#addNode(null, seeds[0]!.chunkId, this.#start, "start", 1, () =>
        this.#source.centroidOf(vectors),
      );
      this.#seedsUsed = added === undefined ? 0 : seeds.length;
      return;
    }
    for (const { chunkId, vector } of seeds) {
      if (this.#addNode(null, chunkId, this.#start, "start", 1, () => vector) === undefined) break;
      this.#seedsUsed++;
    }
    if (maxNodes === 0) this.#truncation.add("node_budget");
  }

  followAll(): void {
    for (let next = 0; next < this.#queue.length; next++) {
      const item = this.#queue[next]!;
      if (item.node.depth >= this.#limits.depth) continue;
      if (this.#isFull) {
        this.#truncation.add("node_budget");
        return;
      }
      this.#followLinks(item.node);
      if (!this.#isFull) this.#followSimilar(item);
      else this.#truncation.add("node_budget");
    }
  }

  result(): ConnectionGraph {
    const further = this.#listFurtherLinks();
    const told = further.slice(0, FURTHER_LINKS_PER_NODE * this.#nodes.length);
    return {
      nodes: this.#nodes,
      edges: [...this.#edges, ...told],
      truncation: [...this.#truncation],
      maxDepthReached: this.#nodes.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
      similarityQueries: this.#queries,
      seedsUsed: this.#seedsUsed,
      untoldLinks: further.length - told.length,
    };
  }

  get #isFull(): boolean {
    return this.#nodes.length >= this.#limits.maxNodes;
  }

  #seedWithoutVector() {
    const chunkId = this.#source.findFirstChunk(this.#start);
    return chunkId === undefined ? [] : [{ chunkId, vector: undefined }];
  }

  /** Undefined, and a truncation, if the budget is used up. */
  #addNode(
    parent: GraphNode | null,
    chunkId: ChunkId,
    path: string,
    why: GraphNode["why"],
    score: number | null,
    makeVector: () => Vector | undefined,
  ): GraphNode | undefined {
    if (this.#isFull) {
      this.#truncation.add("node_budget");
      return undefined;
    }
    const node: GraphNode = {
      nodeId: this.#nodes.length,
      parentId: parent?.nodeId ?? null,
      depth: parent === null ? 0 : parent.depth + 1,
      chunkId,
      path,
      why,
      score,
    };
    this.#nodes.push(node);
    this.#visited.add(chunkId);
    if (!this.#firstNodes.has(path)) this.#firstNodes.set(path, node);
    if (this.#limits.dedupByPath) this.#blockedPaths.add(path);
    this.#queue.push({ node, vector: makeVector() });
    return node;
  }

  #followLinks(parent: GraphNode): void {
    if (this.#linksFollowed.has(parent.path)) return;
    this.#linksFollowed.add(parent.path);
    this.#followOneWay(parent, "links_to", this.#source.listLinksOf(parent.path));
    this.#followOneWay(parent, "linked_from", this.#source.listLinksTo(parent.path));
  }

  #followOneWay(parent: GraphNode, why: "links_to" | "linked_from", links: readonly GraphLink[]): void {
    let added = 0;
    for (const { path, ...link } of links) {
      if (added === this.#limits.fanOut) return;
      if (this.#blockedPaths.has(path) || this.#firstNodes.has(path)) continue;
      const chunkId = this.#source.findFirstChunk(path);
      if (chunkId === undefined) continue;
      const node = this.#addNode(parent, chunkId, path, why, null, () => this.#source.findVector(chunkId));
      if (node === undefined) return;
      this.#edges.push({ from: parent.nodeId, to: node.nodeId, why, score: null, link });
      added++;
    }
  }

  #followSimilar({ node: parent, vector }: QueueItem<Vector>): void {
    if (vector === undefined) return;
    const { fanOut, minSimilarity, dedupByPath } = this.#limits;
    const taken: Taken = { paths: this.#blockedPaths, chunkIds: this.#visited };
    // Where each document comes in once, several of the nearest may be of one document: then it is asked again.
    for (let added = 0; added < fanOut; ) {
      const wanted = fanOut - added;
      this.#queries++;
      const similar = this.#source.listSimilar(vector, wanted, taken);
      for (const { chunkId, path, similarity } of similar) {
        if (added === fanOut || similarity < minSimilarity) return;
        if (this.#blockedPaths.has(path)) continue;
        const score = Math.min(1, Math.max(0, similarity));
        const node = this.#addNode(parent, chunkId, path, "similar", score, () =>
          this.#source.findVector(chunkId),
        );
        if (node === undefined) return;
        this.#edges.push({ from: parent.nodeId, to: node.nodeId, why: "similar", score, link: null });
        added++;
      }
      if (!dedupByPath || similar.length < wanted) return;
    }
  }

  /** Links between documents of the graph that it did not grow along, from first node to first node. */
  #listFurtherLinks(): GraphEdge[] {
    const told = new Set<string>();
    for (const { from, to, why } of this.#edges) {
      if (why === "similar") continue;
      const [source, target] = why === "links_to" ? [from, to] : [to, from];
      told.add(this.#keyOf(this.#nodes[source]!.path, this.#nodes[target]!.path));
    }
    const further: GraphEdge[] = [];
    for (const [path, from] of this.#firstNodes)
      for (const { path: target, ...link } of this.#source.listLinksOf(path)) {
        const to = this.#firstNodes.get(target);
        if (to === undefined || to === from || told.has(this.#keyOf(path, target))) continue;
        further.push({ from: from.nodeId, to: to.nodeId, why: "links_to", score: null, link });
      }
    return further;
  }

  #keyOf(from: string, to: string): string {
    return `${this.#firstNodes.get(from)?.nodeId} ${this.#firstNodes.get(to)?.nodeId}`;
  }
}
