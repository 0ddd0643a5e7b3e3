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

/** The narrowest kind of sub-select that a filter needs. */
export type Restriction = "none" | "quality" | "documents";

/** Ids of the chunks that pass, by restriction; `?1` and `?2` take the values of `filterValues`. */
export const PASSING_CHUNKS: Readonly<Record<Exclude<Restriction, "none">, string>> = {
  quality: "SELECT id FROM chunks WHERE quality >= ?2",
  documents: "SELECT id FROM chunks WHERE document_id IN (SELECT value FROM json_each(?1)) AND quality >= ?2",
};

/** Which sub-select to use for a filter. */
export function restrictionOf({ documentIds, minQuality = 0 }: ChunkFilter): Restriction {
  if (documentIds !== undefined) return "documents";
  return minQuality > 0 ? "quality" : "none";
}

/** The first two parameters of every leg's statement, whatever its restriction. */
export function filterValues({ documentIds, minQuality = 0 }: ChunkFilter): readonly [string | null, number] {
  return [documentIds === undefined ? null : JSON.stringify(documentIds), minQuality];
}
