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
  /** Only chunks of other documents than these; shorter to say where most pass. Not together with `documentIds`. */
  readonly exceptDocumentIds?: readonly DocumentId[] | undefined;
  /** Only chunks of at least this quality, 0 to 1; 0 (or none) lets everything through. */
  readonly minQuality?: number | undefined;
}

/** The narrowest kind of condition that a filter needs. */
export type Restriction = "none" | "quality" | "documents" | "except";

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
    documents: passingOne("document_id IN", id),
    except: passingOne("document_id NOT IN", id),
  };
}

/** Which condition to use for a filter. */
export function restrictionOf({ documentIds, exceptDocumentIds, minQuality = 0 }: ChunkFilter): Restriction {
  if (exceptDocumentIds !== undefined) return "except";
  if (documentIds !== undefined) return "documents";
  return minQuality > 0 ? "quality" : "none";
}

/** The first two parameters of every leg's statement, whatever its restriction. */
export function filterValues({
  documentIds,
  exceptDocumentIds,
  minQuality = 0,
}: ChunkFilter): readonly [string | null, number] {
  const ids = exceptDocumentIds ?? documentIds;
  return [ids === undefined ? null : JSON.stringify(ids), minQuality];
}

/*
 * Looked up chunk by chunk: a list of all passing chunks, made anew for each statement, took up to
 * five times as long (38,000 documents, of which half or all pass).
 */
function passingOne(documentTest: string, id: string): string {
  return `(SELECT ${documentTest} (SELECT value FROM json_each(?1)) AND quality >= ?2 FROM chunks AS own WHERE own.id = ${id})`;
}
