/**
 * Exclusions: which passages the question rules out, for every leg alike.
 *
 * A passage is out if an excluded text stands in its heading, heading path or content, both
 * in the form of the index. Long texts are looked up once; for texts too short for the
 * full-text table each proposed passage is read. Parsing them is done in `core/query/`.
 */
import type { Candidate } from "../../core/candidate.ts";
import type { ChunkId } from "../../core/document.ts";
import { normalizeText } from "../../core/normalize.ts";
import { PHRASE_MIN_CHARS } from "../../core/query/phrases.ts";
import { formatMatchExpression } from "../../core/query/plan.ts";
import { getPassages } from "../../store/chunks.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { listPhraseMatches } from "../../store/phrases-leg.ts";

/** Leaves out what is excluded; keeps the order. */
export type ExclusionTest = (candidates: readonly Candidate[]) => readonly Candidate[];

/** @param exclusions As typed; none gives a test that lets everything through. */
export function exclusionTest(db: IndexDatabase, exclusions: readonly string[]): ExclusionTest {
  const texts = exclusions.map(normalizeText).filter((text) => text !== "");
  if (texts.length === 0) return (candidates) => candidates;
  const long = texts.filter((text) => [...text].length >= PHRASE_MIN_CHARS);
  const short = texts.filter((text) => !long.includes(text));
  const listed = long.length === 0 ? new Set<ChunkId>() : listPhraseMatches(db, formatMatchExpression(long));
  return (candidates) => {
    const unlisted = candidates.filter(({ chunkId }) => !listed.has(chunkId));
    if (short.length === 0) return unlisted;
    const passages = getPassages(
      db,
      unlisted.map(({ chunkId }) => chunkId),
    );
    const excluded = new Set(
      passages
        .filter(({ chunk }) =>
          [chunk.heading ?? "", chunk.context, chunk.content]
            .map(normalizeText)
            .some((field) => short.some((text) => field.includes(text))),
        )
        .map(({ chunkId }) => chunkId),
    );
    return unlisted.filter(({ chunkId }) => !excluded.has(chunkId));
  };
}

/**
 * The best `poolSize` candidates that pass: as if the excluded passages were not in the index.
 *
 * @param ask Gives the best candidates of a leg, as many as asked for while there are any.
 */
export function askUntilFull(
  poolSize: number,
  test: ExclusionTest,
  ask: (poolSize: number) => readonly Candidate[],
): readonly Candidate[] {
  for (let asked = poolSize; ; asked *= WIDEN_BY) {
    const found = ask(asked);
    const passing = test(found);
    if (passing.length >= poolSize || found.length < asked) return passing.slice(0, poolSize);
  }
}

/** Each wider look costs as much as the first one; few are needed. */
const WIDEN_BY = 4;
