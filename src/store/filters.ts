/**
 * Which chunks a leg may propose, expressed so that SQLite applies it before any limit.
 *
 * Filters on documents (category, tags, dates, path patterns) are resolved to document
 * ids by the engine; this module turns the ids and a quality threshold into the
 * sub-selects and parameters that all legs share. The legs put them in their place.
 */
import type { DocumentId } from "../core/document.ts";

export interface ChunkFilter {
  /** Only chunks of these documents; an empty list lets nothing through, `undefined` everything. */
  readonly documentIds?: readonly DocumentId[] | undefined;
  /** Only chunks of at least this quality, 0 to 1; 0 (or none) lets everything through. */
  readonly minQuality?: number | undefined;
}

/** The narrowest kind of condition that a filter needs. */
export type Restriction = "none" | "quality" | "documents";

/*
 * Ids of the chunks that are not good enough. They are few and have an index of their own, so
 * leaving them out costs nearly nothing; listing all others took 6 ms for 37,000 chunks.
 */
const LOW_QUALITY_CHUNKS = "SELECT id FROM chunks WHERE quality < 1 AND quality < ?2";

/**
 * For each restriction a condition on a chunk id; `?1` and `?2` take the values of `filterValues`.
 *
 * @param id A column that holds chunk ids.
 */
export function passingConditions(id: string): Readonly<Record<Restriction, string>> {
  return {
    none: "TRUE",
    quality: `${id} NOT IN (${LOW_QUALITY_CHUNKS})`,
    documents: `${id} IN (${CHUNKS_OF_DOCUMENTS})`,
  };
}

/** Which condition to use for a filter. */
export function restrictionOf({ documentIds, minQuality = 0 }: ChunkFilter): Restriction {
  if (documentIds !== undefined) return "documents";
  return minQuality > 0 ? "quality" : "none";
}

/** The first two parameters of every leg's statement, whatever its restriction. */
export function filterValues({ documentIds, minQuality = 0 }: ChunkFilter): readonly [string | null, number] {
  return [documentIds === undefined ? null : JSON.stringify(documentIds), minQuality];
}

const CHUNKS_OF_DOCUMENTS =
  "SELECT id FROM chunks WHERE document_id IN (SELECT value FROM json_each(?1)) AND quality >= ?2";
