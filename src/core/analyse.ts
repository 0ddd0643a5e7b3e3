/**
 * The analyser: text in, the terms of the full-text index out, for documents and for
 * questions.
 *
 * A question finds a passage by its terms, so both sides share `analyse-scan.ts` and the
 * stems. Text comes folded (`normalize.ts`), hence parts of `camelCase` are not seen here:
 * such a name is one word, and parts of it are found by the phrases leg. Looking terms up
 * and scoring them is done in `store/terms-leg.ts`.
 */
import { scanText } from "./analyse-scan.ts";
import { stemEnglish } from "./analyse-stem.ts";

/** Changes whenever the same text may give other terms; documents analysed by another version must be stored anew. */
export const ANALYSER_VERSION = 2;

/** Terms kept per question; the cost of a search grows with each one. */
export const QUERY_TERM_MAX_COUNT = 64;

export interface QueryTerm {
  /** As in the index; no white space and no double quote in it. */
  readonly text: string;
  /** Stands for all terms that begin with it; exactly for kind `character`. */
  readonly isPrefix: boolean;
  /** `bigram`: two neighbours in a script without spaces; `character`: one that stands alone there. */
  readonly kind: "bigram" | "word" | "identifier" | "character";
}

export interface QueryTerms {
  /** Distinct, in order of first occurrence, at most `QUERY_TERM_MAX_COUNT`. */
  readonly terms: readonly QueryTerm[];
  /** Distinct terms dropped because of that limit. */
  readonly cappedCount: number;
}

/**
 * The terms of one field of a passage, with single spaces between; repeated as often as they
 * occur.
 *
 * Scripts without spaces give each pair of neighbours, across borders of scripts too, and the
 * last character of a stretch alone, so that each character begins some term. English words
 * are stemmed, the exact form is not kept: it would add a sixth to the table and count such
 * a word twice, and exact strings are what the phrases leg is for. Identifiers are kept whole
 * and in parts. Every term is one token for FTS5's `unicode61` when that takes letters, marks,
 * digits, symbols and punctuation for parts of words.
 */
export function analyseDocumentField(text: string): string {
  const terms: string[] = [];
  scanText(text, {
    onStretch(stretch) {
      const lastCharacter = collectBigrams(stretch, terms);
      terms.push(lastCharacter);
    },
    onWord(word) {
      terms.push(stemWord(word));
    },
    onIdentifier(identifier) {
      terms.push(identifier);
    },
  });
  return terms.join(" ");
}

/**
 * The terms a question is searched by.
 *
 * A character that stands alone in a script without spaces becomes a prefix: `税` is in a
 * passage exactly if a term there begins with it. Terms of hiragana only are particles and
 * endings more often than words; they go if any other term is left.
 */
export function analyseQuery(text: string): QueryTerms {
  const found = new Map<string, QueryTerm>();
  const add = (term: string, kind: QueryTerm["kind"]) => {
    const key = `${kind === "character"} ${term}`;
    if (!found.has(key)) found.set(key, { text: term, isPrefix: kind === "character", kind });
  };
  scanText(text, {
    onStretch(stretch) {
      const bigrams: string[] = [];
      const lastCharacter = collectBigrams(stretch, bigrams);
      if (bigrams.length === 0) add(lastCharacter, "character");
      for (const bigram of bigrams) add(bigram, "bigram");
    },
    onWord: (word) => add(stemWord(word), "word"),
    onIdentifier: (identifier) => add(identifier, "identifier"),
  });
  const all = [...found.values()];
  const telling = all.filter(({ text: term }) => !HIRAGANA_ONLY.test(term));
  const distinct = telling.length > 0 ? telling : all;
  return {
    terms: distinct.slice(0, QUERY_TERM_MAX_COUNT),
    cappedCount: Math.max(0, distinct.length - QUERY_TERM_MAX_COUNT),
  };
}

/**
 * The union of terms as an FTS5 expression; null if there are none, so that nothing is asked.
 * The same for every order of the terms, so that scores are the same to the last bit.
 */
export function formatTermsExpression(terms: readonly QueryTerm[]): string | null {
  if (terms.length === 0) return null;
  const literals = terms.map(({ text, isPrefix }) => (isPrefix ? `"${text}" *` : `"${text}"`));
  return literals.sort().join(" OR ");
}

const HIRAGANA_ONLY = /^[\p{Script=Hiragana}ー]+$/u;

const STEMMABLE = /^[a-z]{3,32}$/;

/** Stems made before; a text has few distinct words. Emptied when full. */
const STEMS = new Map<string, string>();
const STEMS_MAX_COUNT = 50_000;

function stemWord(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  if (!STEMMABLE.test(word)) return word;
  const shortest = stemEnglish(word);
  // `ids` is more than one `id`, but `going` is not `Go`.
  const stem = shortest.length > 2 || word === `${shortest}s` ? shortest : word;
  if (STEMS.size >= STEMS_MAX_COUNT) STEMS.clear();
  STEMS.set(word, stem);
  return stem;
}

/**
 * Appends each pair of neighbouring characters.
 *
 * @returns The last character.
 */
function collectBigrams(stretch: string, into: string[]): string {
  let previous = 0;
  let at = 0;
  while (at < stretch.length) {
    const end = at + (stretch.codePointAt(at)! > 0xffff ? 2 : 1);
    if (at > 0) into.push(stretch.slice(previous, end));
    previous = at;
    at = end;
  }
  return stretch.slice(previous);
}
