/**
 * The lexical scale: raw lexical scores in, scores and a denominator that still mean
 * something in a folder of a few chunks out.
 *
 * FTS5 sets the IDF of a phrase found in half the rows or more to almost nothing, so
 * in a small index its best score may be noise that a division by the best would
 * blow up to 1. Dividing is done in `fusion.ts`; finding the chunks, in `store/`.
 */
import type { ChunkId } from "./document.ts";

/**
 * The least raw score that counts as full lexical evidence: one mention, in a chunk of
 * average length, of a phrase that a little over a fourth of the rows contain
 * (IDF ln 2.7 = 1). Weaker best scores stay below 1 after scaling.
 */
export const LEXICAL_SCALE_FLOOR = 1;

/** Chunks up to which an index is scored by `rescoreSmall`: a candidate pool then holds every match. */
export const SMALL_INDEX_MAX_CHUNKS = 200;

/** The searchable texts of a chunk. */
export interface ChunkText {
  readonly chunkId: ChunkId;
  readonly heading: string | null;
  readonly context: string;
  readonly content: string;
}

/** What one occurrence counts for, by field; finite, not negative. 0 hides a field. */
export interface FieldWeights {
  readonly heading: number;
  readonly context: number;
  readonly content: number;
}

/**
 * The raw score that is scaled to 1: the best of the answer, but never below the floor.
 *
 * @param bestRaw Finite and not negative; 0 if there are no candidates.
 * @param floor Finite and above 0; see `LEXICAL_SCALE_FLOOR`.
 * @throws {RangeError} If either is outside its range.
 */
export function lexicalScale(bestRaw: number, floor: number): number {
  checkFinite("the best score", bestRaw);
  checkFinite("the floor", floor);
  if (floor === 0) throw new RangeError("the floor must be above 0");
  return Math.max(bestRaw, floor);
}

/**
 * BM25 (k1 1.2, b 0.75) over counts of our own, for an index small enough to count in.
 *
 * Per phrase `idf × tf × (k1 + 1) / (tf + k1 × (1 − b + b × length / average))`, after
 * Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
 * (2009), with the always positive `idf = ln(1 + (N − n + 0.5) / (n + 0.5))` known from
 * Lucene: `N` chunks, `n` of them with the phrase. `tf` is the weighted number of
 * occurrences; as in FTS5 the length is that of the whole row, unweighted, and
 * occurrences may overlap. Phrases and fields are compared as the trigram table does
 * it, without case and without accents on Latin letters: what it finds scores here.
 *
 * @param phrases Non-empty; those equal after folding count once.
 * @param chunks At least every chunk that contains a phrase. The average length is
 *   taken over these, so giving all chunks of the index is more exact.
 * @param totalChunks Chunks in the index, `N`; not fewer than given.
 * @returns Scores above 0 by chunk, in the order given; chunks without a phrase are left out.
 * @throws {RangeError} If an argument is outside its range.
 */
export function rescoreSmall(
  phrases: readonly string[],
  chunks: readonly ChunkText[],
  totalChunks: number,
  weights: FieldWeights,
): ReadonlyMap<ChunkId, number> {
  if (!(totalChunks >= chunks.length)) {
    throw new RangeError(`an index of ${totalChunks} chunks cannot give ${chunks.length} of them`);
  }
  for (const [field, weight] of Object.entries(weights)) checkFinite(`the weight of ${field}`, weight);
  if (phrases.includes("")) throw new RangeError("a phrase is empty");

  const folded = chunks.map(foldChunk);
  const averageLength = folded.reduce((sum, { length }) => sum + length, 0) / folded.length;
  const totals = folded.map(() => 0);
  for (const phrase of new Set(phrases.map(foldText))) {
    if (phrase === "") continue; // made of accents only
    const frequencies = folded.map((chunk) => weightedCount(phrase, chunk, weights));
    const matching = frequencies.filter((frequency) => frequency > 0).length;
    const idf = Math.log(1 + (totalChunks - matching + 0.5) / (matching + 0.5));
    for (const [at, frequency] of frequencies.entries()) {
      if (frequency === 0) continue;
      const damping = K1 * (1 - B + (B * folded[at]!.length) / averageLength);
      totals[at]! += (idf * frequency * (K1 + 1)) / (frequency + damping);
    }
  }
  return new Map(
    folded.map(({ chunkId }, at) => [chunkId, totals[at]!] as const).filter(([, total]) => total > 0),
  );
}

const K1 = 1.2;
const B = 0.75;

interface FoldedChunk {
  readonly chunkId: ChunkId;
  readonly fields: Readonly<Record<keyof FieldWeights, string>>;
  readonly length: number;
}

function foldChunk({ chunkId, heading, context, content }: ChunkText): FoldedChunk {
  const fields = { heading: foldText(heading ?? ""), context: foldText(context), content: foldText(content) };
  return { chunkId, fields, length: fields.heading.length + fields.context.length + fields.content.length };
}

/** Accents go from Latin letters and from where they stand alone; the voiced mark of `が` makes another syllable and stays. */
function foldText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/[\u00C0-\u024F\u1E00-\u1EFF]+/g, (letters) => letters.normalize("NFD"))
    .replace(/[\u0300-\u0331]+/g, "");
}

function weightedCount(phrase: string, { fields }: FoldedChunk, weights: FieldWeights): number {
  return (
    weights.heading * countOccurrences(phrase, fields.heading) +
    weights.context * countOccurrences(phrase, fields.context) +
    weights.content * countOccurrences(phrase, fields.content)
  );
}

function countOccurrences(phrase: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) count += 1;
  return count;
}

function checkFinite(name: string, value: number): void {
  if (!(value >= 0 && Number.isFinite(value))) {
    throw new RangeError(`${name} must be finite and not negative, got ${value}`);
  }
}
