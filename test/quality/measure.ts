/**
 * Runs the judged set through the production search and sums it up by slice.
 *
 * A hit counts for a judgment if it is a passage of that document and contains the judged text;
 * each judgment counts once. Metrics are `core/metrics.ts`; floors are in `quality.test.ts`.
 */
import { normalisedGain, reciprocalRank, successAt } from "../../src/core/metrics.ts";
import type { JudgedQuery } from "./judged-set.ts";

/** What a search gave, as far as judging needs it; best first. */
export interface JudgedHit {
  readonly path: string;
  readonly heading: string | null;
  readonly content: string;
}

export interface QueryResult {
  readonly query: JudgedQuery;
  /** Grades of the first ten hits, 0 where nothing is judged. */
  readonly ranking: readonly number[];
  readonly hitCount: number;
}

/** Means over some queries. */
export interface Summary {
  readonly queries: number;
  readonly successAt1: number;
  readonly successAt5: number;
  readonly reciprocalRank: number;
  readonly gainAt10: number;
}

const DEPTH = 10;

/** Asks every answerable query. */
export async function measureQueries(
  queries: readonly JudgedQuery[],
  search: (query: string) => Promise<readonly JudgedHit[]>,
): Promise<QueryResult[]> {
  const results: QueryResult[] = [];
  for (const query of queries.filter(({ relevant }) => relevant.length > 0)) {
    const hits = (await search(query.query)).slice(0, DEPTH);
    results.push({ query, ranking: gradesOf(query, hits), hitCount: hits.length });
  }
  return results;
}

/** One summary for each group of queries; groups in the order in which they first occur. */
export function summarise(
  results: readonly QueryResult[],
  groupOf: (query: JudgedQuery) => string,
): Map<string, Summary> {
  const groups = Map.groupBy(results, ({ query }) => groupOf(query));
  return new Map([...groups].map(([name, group]) => [name, meanOf(group)]));
}

/** The grade of each hit, each judgment counted once. */
export function gradesOf({ relevant }: JudgedQuery, hits: readonly JudgedHit[]): number[] {
  const open = new Set(relevant);
  return hits.map((hit) => {
    for (const judgment of open) {
      const text = `${hit.heading ?? ""}\n${hit.content}`;
      if (judgment.path !== hit.path || !text.includes(judgment.contains)) continue;
      open.delete(judgment);
      return judgment.grade;
    }
    return 0;
  });
}

function meanOf(results: readonly QueryResult[]): Summary {
  const mean = (measureOf: (result: QueryResult) => number) =>
    results.reduce((sum, result) => sum + measureOf(result), 0) / results.length;
  return {
    queries: results.length,
    successAt1: mean(({ ranking }) => successAt(ranking, 1)),
    successAt5: mean(({ ranking }) => successAt(ranking, 5)),
    reciprocalRank: mean(({ ranking }) => reciprocalRank(ranking, DEPTH)),
    gainAt10: mean(({ ranking, query }) =>
      normalisedGain(
        ranking,
        DEPTH,
        query.relevant.map(({ grade }) => grade),
      ),
    ),
  };
}
