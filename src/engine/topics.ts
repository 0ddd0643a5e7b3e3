/**
 * What the documents are about, as their folders and front matter group them.
 *
 * In goes a request, out come groups of category and topic in that order, as many as fit, and where
 * to go on. Searching within a topic is the business of the search.
 */
import type { TopicsRequest } from "../config/request.ts";
import { AppError } from "../errors.ts";
import type { IndexDatabase } from "../store/open.ts";
import { listTopicCounts, listTopicTitles, type TopicCount } from "../store/topics.ts";

/** snake_case, because it goes over the wire as it is. */
export interface TopicGroup {
  /** First folder of the path, or as the front matter says; null at the top of the folder. */
  readonly category: string | null;
  readonly topic: string | null;
  readonly file_count: number;
  /** ISO 8601, UTC. */
  readonly last_updated: string;
  /** The first ones, in path order. */
  readonly titles: readonly string[];
}

export interface TopicsAnswer {
  readonly topics: readonly TopicGroup[];
  /** Groups there are, those of other parts included. */
  readonly total_topics: number;
  readonly total_files: number;
  /** Present when more groups follow; to be passed back. */
  readonly next?: string;
}

/**
 * @param sizeOf Of a group in an answer, in bytes.
 * @param maxBytes For all groups together; one is always given.
 * @throws {AppError} `usage` for a `next` that no answer gave; `missing` for a category that no document has.
 */
export function listTopicGroups(
  db: IndexDatabase,
  { category, titles: titleCount = DEFAULT_TITLES, next }: TopicsRequest,
  { maxBytes, sizeOf }: { readonly maxBytes: number; readonly sizeOf: (group: TopicGroup) => number },
): TopicsAnswer {
  const counts = countsOf(db, category);
  const start = next === undefined ? 0 : parseStart(next, counts.length);
  const topics: TopicGroup[] = [];
  let bytes = 0;
  for (const { documents, lastIndexed, ...key } of counts.slice(start)) {
    const titles = titleCount === 0 ? [] : listTopicTitles(db, key, titleCount);
    const group = { ...key, file_count: documents, last_updated: lastIndexed, titles };
    bytes += sizeOf(group);
    if (bytes > maxBytes && topics.length > 0) break;
    topics.push(group);
  }
  const after = start + topics.length;
  return {
    topics,
    total_topics: counts.length,
    total_files: counts.reduce((sum, { documents }) => sum + documents, 0),
    ...(after < counts.length ? { next: String(after) } : {}),
  };
}

/** Names of all topics, in code point order, each once. */
export function listTopicNames(db: IndexDatabase): string[] {
  return [...new Set(listTopicCounts(db).flatMap(({ topic }) => topic ?? []))].sort();
}

const DEFAULT_TITLES = 5;

function countsOf(db: IndexDatabase, category: string | undefined): TopicCount[] {
  const all = listTopicCounts(db);
  if (category === undefined) return all;
  const counts = all.filter((count) => count.category === category);
  if (counts.length > 0) return counts;
  const known = [...new Set(all.flatMap((count) => count.category ?? []))];
  throw new AppError("missing", `no document has the category ${JSON.stringify(category)}`, {
    hint:
      known.length === 0
        ? "No document has any."
        : `There are: ${known.slice(0, SHOWN_CATEGORIES).join(", ")}.`,
  });
}

const SHOWN_CATEGORIES = 30;

function parseStart(next: string, count: number): number {
  const start = /^\d{1,9}$/.test(next) ? Number(next) : Number.NaN;
  if (start < count) return start;
  throw new AppError("usage", `next is ${JSON.stringify(next)}, where nothing follows`, {
    hint: "Pass the next of the last answer unchanged, or leave it away to begin again.",
  });
}
