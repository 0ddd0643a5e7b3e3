/**
 * Query expansion: what 32 phrases in one search cost, against one of the same kind.
 *
 * The worst case on purpose: 20,000 rows, and every row has every phrase. It runs inside
 * this process through `store/`, since no query of a user makes just this expression.
 */
import { join } from "node:path";
import { PHRASE_MAX_COUNT } from "../../src/core/query/phrases.ts";
import { formatMatchExpression } from "../../src/core/query/plan.ts";
import { replaceDocument } from "../../src/store/documents.ts";
import { prepareIndexedText } from "../../src/store/indexed-text.ts";
import { optimizeFullText } from "../../src/store/maintenance.ts";
import { type IndexDatabase, openIndex } from "../../src/store/open.ts";
import { searchPhrases } from "../../src/store/phrases-leg.ts";
import { type FigureGroup, ratios } from "./figure.ts";
import { Chance, type Language } from "./synthetic-text.ts";
import type { Workbench } from "./workbench.ts";

const ROWS = 20_000;
const ROWS_PER_DOCUMENT = 100;
/** As a search for five hits asks, with the quality filter on. */
const SEARCH = { poolSize: 100, minQuality: 0.3 } as const;

/** One group. */
export async function* measureExpansion(bench: Workbench): AsyncGenerator<FigureGroup> {
  bench.say(`expansion: writing ${ROWS} rows`);
  using db = openIndex(join(bench.place, "expansion.db"), { mode: "write" });
  const phrases = { english: makePhrases("english"), japanese: makePhrases("japanese") };
  writeRows(db, [...phrases.english, ...phrases.japanese]);
  bench.say("expansion: searching");
  yield {
    measurement: "expansion",
    folder: null,
    facts: [`${ROWS} rows, each has every phrase; in one process, through the store`],
    figures: (["english", "japanese"] as const).flatMap((language) => {
      const { one, many } = measureSearches(db, phrases[language], bench.runs(10));
      const kind = language === "english" ? "English" : "Japanese";
      return [
        { name: `1 ${kind} phrase`, unit: "milliseconds", values: one },
        { name: `${PHRASE_MAX_COUNT} ${kind} phrases`, unit: "milliseconds", values: many },
        { name: `${PHRASE_MAX_COUNT} / 1 ${kind} phrase`, unit: "times", values: ratios(many, one) },
      ] as const;
    }),
  };
}

/** Both searches by turns, after one round that is not counted. */
function measureSearches(db: IndexDatabase, phrases: readonly string[], runs: number) {
  const one: number[] = [];
  const many: number[] = [];
  for (let round = 0; round <= runs; round += 1) {
    // Another single phrase each round, so that none counts for all.
    const oneMs = timeSearch(db, [phrases[round % phrases.length]!]);
    const manyMs = timeSearch(db, phrases);
    if (round === 0) continue;
    one.push(oneMs);
    many.push(manyMs);
  }
  return { one, many };
}

function timeSearch(db: IndexDatabase, phrases: readonly string[]): number {
  const expression = formatMatchExpression(phrases);
  const startedAt = performance.now();
  const found = searchPhrases(db, expression, SEARCH);
  const ms = performance.now() - startedAt;
  if (found.length !== SEARCH.poolSize)
    throw new Error(`${found.length} candidates instead of ${SEARCH.poolSize}`);
  return ms;
}

function writeRows(db: IndexDatabase, phrases: readonly string[]): void {
  const chance = new Chance(4);
  for (let first = 0; first < ROWS; first += ROWS_PER_DOCUMENT) {
    const path = `rows-${first}.txt`;
    replaceDocument(
      db,
      {
        path,
        rawPath: path,
        meta: { title: path, category: null, topic: null, date: null, tags: [] },
        contentHash: "00",
        size: 0,
        mtimeNs: 0n,
        ctimeNs: 0n,
        inode: 0n,
        encoding: "utf-8",
        warnings: [],
        parserVersion: "1",
        chunkerVersion: "1",
        indexedAt: new Date(0).toISOString(),
      },
      prepareIndexedText(
        path,
        Array.from({ length: ROWS_PER_DOCUMENT }, (_, index) => ({
          index,
          heading: null,
          level: null,
          headingPath: [],
          context: path,
          content: makeRow(chance, phrases),
          lines: { start: index + 1, end: index + 1 },
          tokenCount: 256,
          quality: 1,
        })),
      ),
    );
  }
  optimizeFullText(db);
}

/** Every phrase once and some a second time, in any order: scores differ, as they do in real text. */
function makeRow(chance: Chance, phrases: readonly string[]): string {
  const repeated = Array.from({ length: chance.below(16) }, () => chance.pick(phrases));
  return chance.shuffle([...phrases, ...repeated]).join(" ");
}

/** Distinct words of six letters, or of four to six kana. */
function makePhrases(language: Language): string[] {
  const chance = new Chance(3);
  const syllables =
    language === "english"
      ? ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"]
      : [..."アイカキサシタチナニマミラリ"];
  const phrases = new Set<string>();
  while (phrases.size < PHRASE_MAX_COUNT) {
    const length = language === "english" ? 3 : 4 + chance.below(3);
    phrases.add(Array.from({ length }, () => chance.pick(syllables)).join(""));
  }
  return [...phrases];
}
