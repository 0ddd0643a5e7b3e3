/**
 * Which documents pass what a request says about their descriptions.
 *
 * Conditions in, ids out, all in one statement; path patterns are the caller's, who gets the
 * paths. Turning ids into a condition on chunks is done in `filters.ts`.
 */
import type { ChunkId, DocumentId } from "../core/document.ts";
import { type ChunkFilter, filterValues, passingConditions, restrictionOf } from "./filters.ts";
import type { IndexDatabase } from "./open.ts";

/** Conditions that must all hold; one that is absent (or an empty list) lets everything pass. */
export interface DocumentConditions {
  /** Equal to the last code point, as are all names here. */
  readonly category?: string | undefined;
  readonly topic?: string | undefined;
  readonly tagsAny?: readonly string[] | undefined;
  readonly tagsAll?: readonly string[] | undefined;
  /** `YYYY-MM-DD`, included; a document without a day does not pass. */
  readonly dayFrom?: string | undefined;
  readonly dayTo?: string | undefined;
}

/** What documents are described with. */
export type DescribedBy = "category" | "topic" | "tag";

/** Id and path of every document that passes, in no order. Reads each row once (38,404: about 10 ms). */
export function listPassingDocuments(
  db: IndexDatabase,
  conditions: DocumentConditions,
): { readonly id: DocumentId; readonly path: string }[] {
  return db.all(SELECT_PASSING, ...valuesOf(conditions));
}

/** The ids alone, which is several times as fast where many pass. */
export function listPassingIds(db: IndexDatabase, conditions: DocumentConditions): DocumentId[] {
  return JSON.parse(db.get<{ readonly ids: string }>(SELECT_PASSING_IDS, ...valuesOf(conditions))!.ids);
}

/** Every category, topic or tag that some document has, in code point order. */
export function listNames(db: IndexDatabase, describedBy: DescribedBy): string[] {
  return db.all<{ readonly name: string }>(SELECT_NAMES[describedBy]).map(({ name }) => name);
}

/** Whether any chunk passes. */
export function hasPassingChunk(db: IndexDatabase, filter: ChunkFilter): boolean {
  const condition = passingConditions("chunks.id")[restrictionOf(filter)];
  const values = restrictionOf(filter) === "none" ? [] : filterValues(filter);
  return db.get(`SELECT 1 FROM chunks WHERE ${condition} LIMIT 1`, ...values) !== undefined;
}

/** Those of the chunks that pass. */
export function listPassingChunks(
  db: IndexDatabase,
  filter: ChunkFilter,
  chunkIds: readonly ChunkId[],
): ReadonlySet<ChunkId> {
  const condition = passingConditions("chunks.id")[restrictionOf(filter)];
  const rows = db.all<{ readonly id: ChunkId }>(
    `SELECT chunks.id FROM json_each(?3) CROSS JOIN chunks ON chunks.id = json_each.value WHERE ${condition}`,
    ...filterValues(filter),
    JSON.stringify(chunkIds),
  );
  return new Set(rows.map(({ id }) => id));
}

/** The least and the greatest day of any document; undefined if none has one. */
export function findDayRange(
  db: IndexDatabase,
): { readonly first: string; readonly last: string } | undefined {
  const range = db.get<{ first: string | null; last: string | null }>(SELECT_DAY_RANGE)!;
  return range.first === null || range.last === null ? undefined : { first: range.first, last: range.last };
}

const PASSING = `
FROM documents
WHERE (?1 IS NULL OR category = ?1)
  AND (?2 IS NULL OR topic = ?2)
  AND (?5 IS NULL OR day >= ?5)
  AND (?6 IS NULL OR day <= ?6)
  AND (?3 IS NULL OR tags IS NOT NULL AND EXISTS (
    SELECT 1 FROM json_each(tags) AS own WHERE own.value IN (SELECT value FROM json_each(?3))))
  AND (?4 IS NULL OR tags IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM json_each(?4) AS wanted WHERE wanted.value NOT IN (SELECT value FROM json_each(tags))))`;

const SELECT_PASSING = `SELECT id, path ${PASSING}`;

const SELECT_PASSING_IDS = `SELECT json_group_array(id) AS ids ${PASSING}`;

const SELECT_NAMES: Readonly<Record<DescribedBy, string>> = {
  category: "SELECT DISTINCT category AS name FROM documents WHERE category IS NOT NULL ORDER BY name",
  topic: "SELECT DISTINCT topic AS name FROM documents WHERE topic IS NOT NULL ORDER BY name",
  tag: "SELECT DISTINCT value AS name FROM documents, json_each(tags) WHERE tags IS NOT NULL ORDER BY name",
};

const SELECT_DAY_RANGE = "SELECT min(day) AS first, max(day) AS last FROM documents";

function valuesOf({ category, topic, tagsAny, tagsAll, dayFrom, dayTo }: DocumentConditions) {
  return [
    category ?? null,
    topic ?? null,
    listOf(tagsAny),
    listOf(tagsAll),
    dayFrom ?? null,
    dayTo ?? null,
  ] as const;
}

function listOf(names: readonly string[] = []): string | null {
  return names.length === 0 ? null : JSON.stringify(names);
}
