/**
 * What makes the figures of a measurement mean less than they seem to.
 *
 * In go the golden queries, what was found, and the index in the same view; out come findings in a
 * fixed order, errors first. None of them changes a figure.
 */
import type { GoldenQuery } from "../../config/golden-file.ts";
import { findNearest } from "../../config/nearest.ts";
import { compareCodePoints } from "../../core/code-point-order.ts";
import { type Expectation, meets } from "../../core/judging.ts";
import { type Needle, QuotedQueries } from "../../core/quoted-queries.ts";
import { visitTexts } from "../../store/corpus.ts";
import { listDocumentIds } from "../../store/documents.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { countPending } from "../../store/status-counts.ts";
import type { AskedQuery } from "./ask-queries.ts";
import type { EvalFinding } from "./eval-report.ts";

/** @param asked In the order of `queries`. */
export function findFindings(
  db: IndexDatabase,
  queries: readonly GoldenQuery[],
  asked: readonly AskedQuery[],
): EvalFinding[] {
  const paths = [...listDocumentIds(db).keys()];
  const texts = readTexts(db, queries);
  return [
    ...missingDocuments(queries, paths),
    ...missingParts(queries, new Set(paths), texts.met),
    ...quotedQueries(queries, asked, texts),
    ...notJudged(queries),
    ...pendingVectors(db),
    ...degradedAnswers(asked),
  ];
}

interface TextsRead {
  readonly quotations: QuotedQueries;
  /** What each document quotes. */
  readonly found: ReadonlyMap<string, ReadonlySet<Needle>>;
  /** Expectations that some passage meets, as far as texts tell. */
  readonly met: ReadonlySet<Expectation>;
}

/** Goes through all texts once, for everything that needs them. */
function readTexts(db: IndexDatabase, queries: readonly GoldenQuery[]): TextsRead {
  const quotations = new QuotedQueries(
    queries.map(({ query, expected }) => ({ query, expectedPaths: expected.map(({ path }) => path) })),
  );
  const byPath = Map.groupBy(queries.flatMap(({ expected }) => expected).filter(hasPart), ({ path }) => path);
  const found = new Map<string, Set<Needle>>();
  const met = new Set<Expectation>();
  if (quotations.isEmpty && byPath.size === 0) return { quotations, found, met };
  visitTexts(db, (path, texts) => {
    const own = found.get(path) ?? new Set<Needle>();
    for (const { heading, context, content } of texts) {
      for (const text of [heading ?? "", context, content]) quotations.collect(text, own);
      for (const expectation of byPath.get(path) ?? []) {
        const anyLines = { ...expectation, lines: undefined };
        if (meets({ path, heading, content, lines: NO_LINES }, anyLines)) met.add(expectation);
      }
    }
    if (own.size > 0) found.set(path, own);
  });
  return { quotations, found, met };
}

const NO_LINES = { start: 0, end: 0 };

function hasPart({ heading, contains }: Expectation): boolean {
  return heading !== undefined || contains !== undefined;
}

function missingDocuments(queries: readonly GoldenQuery[], paths: readonly string[]): EvalFinding[] {
  const known = new Set(paths);
  const nearest = new Map<string, string | null>();
  return queries.flatMap(({ id, expected }) =>
    distinct(expected.map(({ path }) => path))
      .filter((path) => !known.has(path))
      .map((path) => {
        // Looking for the most similar of many paths takes its time, and nobody reads hundreds.
        if (!nearest.has(path) && nearest.size < MAX_LOOKED_UP)
          nearest.set(path, findNearest(path, paths) ?? null);
        const finding = { check: "expected-missing", severity: "error", query_id: id, path } as const;
        return { ...finding, nearest: nearest.get(path) ?? null };
      }),
  );
}

const MAX_LOOKED_UP = 20;

function missingParts(
  queries: readonly GoldenQuery[],
  known: ReadonlySet<string>,
  met: ReadonlySet<Expectation>,
): EvalFinding[] {
  return queries.flatMap(({ id, expected }) =>
    expected
      .filter((expectation) => hasPart(expectation) && known.has(expectation.path) && !met.has(expectation))
      .map(({ path, heading, contains }) => ({
        check: "expected-part-missing" as const,
        severity: "error" as const,
        query_id: id,
        path,
        part: [
          ...(heading === undefined ? [] : [`heading ${JSON.stringify(heading)}`]),
          ...(contains === undefined ? [] : [`contains ${JSON.stringify(contains)}`]),
        ].join(", "),
      })),
  );
}

function quotedQueries(
  queries: readonly GoldenQuery[],
  asked: readonly AskedQuery[],
  { quotations, found }: TextsRead,
): EvalFinding[] {
  return [...found]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .flatMap(([path, needles]) => {
      const quoted = quotations.quotedBy(path, needles).map((at) => ({
        query_id: queries[at]!.id,
        rank_in_top_k: asked[at]!.report.top_k.find((hit) => hit.path === path)?.rank ?? null,
      }));
      return quoted.length === 0
        ? []
        : [{ check: "golden-queries-quoted" as const, severity: "warning" as const, path, quoted }];
    });
}

function notJudged(queries: readonly GoldenQuery[]): EvalFinding[] {
  const ids = queries
    .filter(({ expected, isUnanswerable }) => expected.length === 0 && !isUnanswerable)
    .map(({ id }) => id);
  return ids.length === 0 ? [] : [{ check: "not-judged", severity: "warning", query_ids: ids }];
}

function pendingVectors(db: IndexDatabase): EvalFinding[] {
  const pending = countPending(db);
  return pending === 0 ? [] : [{ check: "vectors-pending", severity: "warning", pending }];
}

function degradedAnswers(asked: readonly AskedQuery[]): EvalFinding[] {
  const reasons = asked.flatMap(({ degraded }) => degraded ?? []);
  return reasons.length === 0
    ? []
    : [{ check: "degraded", severity: "warning", query_count: reasons.length, reason: reasons[0]! }];
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
