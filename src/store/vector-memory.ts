/**
 * All vectors of an index, kept in memory by a reader that answers many queries.
 *
 * In goes a query's bytes, out come the nearest chunks of exactly the state that the running
 * transaction sees: vectors that came or went since the last look are caught up with first.
 * Putting the chunks found in order, ties included, is left to `dense-leg.ts`.
 */
import type { ChunkId, DocumentId } from "../core/document.ts";
import { type ChunkFilter, restrictionOf } from "./filters.ts";
import { type Neighbour, type NeighbourSearch, nearestRows } from "./neighbours.ts";
import { dataVersionOf } from "./transaction.ts";
import { NoScanMemory, scanBytes, VectorRows } from "./vector-scan.ts";

/** What is needed of an open index; `IndexDatabase` has it. */
interface VectorSource {
  all<Row>(sql: string, ...values: string[]): Row[];
  get<Row>(sql: string): Row | undefined;
}

/** Belongs to one read-only connection and one index file; what it knows of a chunk id holds forever there. */
export class VectorMemory {
  readonly #makeRows: (dims: number) => VectorRows;
  #dataVersion: number | undefined;
  #rows: VectorRows | undefined;
  // What each row belongs to; the three are as long as there are rows.
  readonly #chunkIds: ChunkId[] = [];
  readonly #documentIds: DocumentId[] = [];
  readonly #qualities: number[] = [];

  /** @param makeRows Where rows are kept; another than the machine's memory is for small ones. */
  constructor(makeRows: (dims: number) => VectorRows = (dims) => new VectorRows(dims)) {
    this.#makeRows = makeRows;
  }

  /**
   * Makes the memory agree with what the caller's transaction sees. Cheap if nobody has
   * written since the last time; else it costs a list of all chunk ids and a look-up for each
   * vector that is new (37,000 chunks: 15 ms, or 100 ms if all are new).
   *
   * @returns Whether the vectors are here; false if they would take too much memory, or more than
   *   the machine gives: then the file is searched until it changes.
   */
  catchUp(source: VectorSource, dims: number): boolean {
    const dataVersion = dataVersionOf(source);
    if (dataVersion === this.#dataVersion) return this.#rows !== undefined;
    const ids = JSON.parse(source.get<IdsRow>(SELECT_IDS)!.ids) as ChunkId[];
    if (scanBytes(ids.length, dims) > MAX_BYTES) {
      this.#clear();
    } else {
      this.#fetch(source, ids, dims);
    }
    // Set last: after a failure half-way, the next call goes on from the rows that are there.
    this.#dataVersion = dataVersion;
    return this.#rows !== undefined;
  }

  /** Drops and adds rows until there are those of `ids`; without memory for them there are none. */
  #fetch(source: VectorSource, ids: readonly ChunkId[], dims: number): void {
    try {
      this.#rows ??= this.#makeRows(dims);
      const known = new Set(this.#chunkIds);
      const added = ids.filter((id) => !known.has(id));
      if (known.size > ids.length - added.length) this.#dropAllBut(new Set(ids), this.#rows);
      this.#add(source, added, this.#rows);
    } catch (thrown) {
      if (!(thrown instanceof NoScanMemory)) throw thrown;
      this.#clear();
    }
  }

  /**
   * The `poolSize` nearest of the chunks that pass the filter, and all others as far as the
   * farthest of those; in no order. `catchUp` has said that the vectors are here.
   *
   * @param isWanted A further condition.
   */
  findNearest(
    { queryBytes, poolSize, ...filter }: NeighbourSearch,
    isWanted?: (chunkId: ChunkId, documentId: DocumentId) => boolean,
  ): Neighbour[] {
    const squared = this.#rows?.distancesTo(queryBytes) ?? new Int32Array();
    const passes = this.#passing(filter);
    const passesAll =
      isWanted === undefined
        ? passes
        : (row: number) => passes(row) && isWanted(this.#chunkIds[row]!, this.#documentIds[row]!);
    return nearestRows(squared, this.#chunkIds, poolSize, passesAll);
  }

  /** The filter as a condition on rows; means the same as `passingConditions`. */
  #passing(filter: ChunkFilter): (row: number) => boolean {
    const minQuality = filter.minQuality ?? 0;
    const documents = new Set(filter.exceptDocumentIds ?? filter.documentIds);
    switch (restrictionOf(filter)) {
      case "none":
        return () => true;
      case "quality":
        return (row) => this.#qualities[row]! >= minQuality;
      case "documents":
        return (row) => documents.has(this.#documentIds[row]!) && this.#qualities[row]! >= minQuality;
      case "except":
        return (row) => !documents.has(this.#documentIds[row]!) && this.#qualities[row]! >= minQuality;
    }
  }

  #dropAllBut(kept: ReadonlySet<ChunkId>, rows: VectorRows): void {
    // Backwards, so that the row that takes the place of a removed one has been looked at.
    for (let row = rows.count - 1; row >= 0; row--) {
      if (kept.has(this.#chunkIds[row]!)) continue;
      rows.remove(row);
      removeAt(this.#chunkIds, row);
      removeAt(this.#documentIds, row);
      removeAt(this.#qualities, row);
    }
  }

  #add(source: VectorSource, ids: readonly ChunkId[], rows: VectorRows): void {
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = JSON.stringify(ids.slice(start, start + BATCH));
      for (const row of source.all<VectorRow>(SELECT_VECTORS, batch)) {
        rows.append(row.embedding);
        this.#chunkIds.push(row.id);
        this.#documentIds.push(row.document_id);
        this.#qualities.push(row.quality);
      }
    }
  }

  #clear(): void {
    this.#rows = undefined;
    for (const column of [this.#chunkIds, this.#documentIds, this.#qualities]) column.length = 0;
  }
}

/** Memory the vectors may take, in bytes: 430,000 of 384 dimensions. */
const MAX_BYTES = 160 * 2 ** 20;

/** Vectors fetched at a time, so that they do not lie in memory twice. */
const BATCH = 256;

/*
 * A chunk's vector, document and quality never change under its id (a changed document gets new
 * chunks, and no id is used twice), so the ids tell all that there is to catch up with.
 */
const SELECT_IDS = `
SELECT json_group_array(id) AS ids FROM chunks WHERE id NOT IN (SELECT chunk_id FROM pending_vectors)`;

const SELECT_VECTORS = `
SELECT chunks.id, document_id, quality, embedding
FROM json_each(?1) AS wanted
CROSS JOIN chunks ON chunks.id = wanted.value
CROSS JOIN chunk_vectors ON chunk_id = wanted.value`;

interface IdsRow {
  readonly ids: string;
}

interface VectorRow {
  readonly id: ChunkId;
  readonly document_id: DocumentId;
  readonly quality: number;
  readonly embedding: Uint8Array;
}

/** The last item takes the place of the removed one, as in `VectorRows`. */
function removeAt<T>(column: T[], offset: number): void {
  const last = column.pop()!;
  if (offset < column.length) column[offset] = last;
}
