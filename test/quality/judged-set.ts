/**
 * The project's own judged set: documents, queries, and which passages answer them.
 *
 * The corpus and the queries lie beside this file. Reading is strict, because a judgment that
 * silently matches nothing would make every ranking look worse.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export const SLICES = [
  "two-character",
  "kana-kanji",
  "width",
  "identifier",
  "long-question",
  "paraphrase",
  "keyword",
  "english",
  "mixed",
  "unanswerable",
] as const;
export type Slice = (typeof SLICES)[number];

export interface Judgment {
  /** Relative to the corpus. */
  readonly path: string;
  /** 2 answers the query, 1 is part of an answer. */
  readonly grade: number;
  /** Stands in the passage that is meant. */
  readonly contains: string;
}

export interface JudgedQuery {
  readonly id: string;
  readonly query: string;
  readonly slice: Slice;
  readonly language: "ja" | "en";
  /** Empty exactly for the slice `unanswerable`. */
  readonly relevant: readonly Judgment[];
}

export const CORPUS_FOLDER: string = join(import.meta.dir, "corpus");

/** All queries, Japanese ones first; throws on anything that is not as it says above. */
export function loadJudgedQueries(): JudgedQuery[] {
  const queries = (["ja", "en"] as const).flatMap(loadLanguage);
  const ids = new Set(queries.map(({ id }) => id));
  if (ids.size < queries.length) throw new Error("two judged queries have the same id");
  return queries;
}

function loadLanguage(language: "ja" | "en"): JudgedQuery[] {
  const file = join(import.meta.dir, `queries-${language}.yaml`);
  const rows = parse(readFileSync(file, "utf8")) as Partial<JudgedQuery>[];
  return rows.map(({ id, query, slice, relevant = [] }) => {
    if (id === undefined || query === undefined || slice === undefined || !SLICES.includes(slice))
      throw new Error(`${file}: incomplete query ${JSON.stringify({ id, query, slice })}`);
    if ((relevant.length === 0) !== (slice === "unanswerable"))
      throw new Error(`${file}: ${id} has ${relevant.length} judgments in slice ${slice}`);
    for (const judgment of relevant) checkJudgment(id, judgment);
    return { id, query, slice, language, relevant };
  });
}

function checkJudgment(id: string, { path, grade, contains }: Judgment): void {
  if (![1, 2].includes(grade)) throw new Error(`${id}: the grade is 1 or 2, got ${grade}`);
  if (!readFileSync(join(CORPUS_FOLDER, path), "utf8").includes(contains))
    throw new Error(`${id}: ${path} does not contain ${JSON.stringify(contains)}`);
}
