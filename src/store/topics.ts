/**
 * The documents as a table of contents: grouped by category and topic, and their paths and titles.
 *
 * Which groups fit into an answer is decided in `engine/`.
 */
import type { IndexDatabase } from "./open.ts";

export interface TopicCount {
  readonly category: string | null;
  readonly topic: string | null;
  readonly documents: number;
  /** When the youngest of them was read, ISO 8601, UTC. */
  readonly lastIndexed: string;
}

/** Every pair of category and topic that documents have, in that order, none first. */
export function listTopicCounts(db: IndexDatabase): TopicCount[] {
  return db
    .all<TopicRow>(SELECT_TOPICS)
    .map(({ last_indexed: lastIndexed, ...counts }) => ({ ...counts, lastIndexed }));
}

/** The first titles of such a pair, in the order of the documents' paths. */
export function listTopicTitles(
  db: IndexDatabase,
  { category, topic }: Pick<TopicCount, "category" | "topic">,
  limit: number,
): string[] {
  return db.all<{ readonly title: string }>(SELECT_TITLES, category, topic, limit).map(({ title }) => title);
}

/** Path and title of every document, in path order (code points). */
export function listTitles(db: IndexDatabase): { readonly path: string; readonly title: string }[] {
  return db.all<{ readonly path: string; readonly title: string }>(SELECT_PATHS_AND_TITLES);
}

interface TopicRow {
  readonly category: string | null;
  readonly topic: string | null;
  readonly documents: number;
  readonly last_indexed: string;
}

const SELECT_TOPICS = `
SELECT category, topic, count(*) AS documents, max(indexed_at) AS last_indexed
FROM documents JOIN readings ON readings.id = reading_id
GROUP BY category, topic ORDER BY category, topic`;

const SELECT_TITLES = `
SELECT title FROM documents WHERE category IS ?1 AND topic IS ?2 ORDER BY path LIMIT ?3`;

const SELECT_PATHS_AND_TITLES = "SELECT path, title FROM documents ORDER BY path";
