/**
 * The judged set in the form of a golden file, for `kb eval` and `kb tune`.
 *
 * Tags are the language and the slice. A judgment becomes an expectation with `contains`.
 */
import type { JudgedQuery } from "./judged-set.ts";

/** YAML, written as JSON, which is a part of it. */
export function goldenTextOf(queries: readonly JudgedQuery[]): string {
  const rows = queries.map(({ id, query, slice, language, relevant }) => ({
    id,
    query,
    tags: [language, slice],
    ...(relevant.length === 0
      ? { unanswerable: true }
      : { expected: relevant.map(({ path, contains, grade }) => ({ path, contains, grade })) }),
  }));
  return `${JSON.stringify({ queries: rows }, null, 1)}\n`;
}
