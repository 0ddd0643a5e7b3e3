/**
 * Which documents quote golden queries word for word: notes about a measurement outrank the
 * documents that it asks for, and so spoil it.
 *
 * In go queries and, one after the other, the texts of each document; out come the queries that
 * a document quotes. Two or more of them in one document are worth telling; reading the texts
 * and ranks is done by the caller.
 */

/** A golden query, as far as finding it needs it. */
export interface QuotableQuery {
  readonly query: string;
  /** Documents that answer it: they may well have its words. */
  readonly expectedPaths: readonly string[];
}

/** Looks for many queries in many texts at once; keep one for all texts. */
export class QuotedQueries {
  readonly #needles: readonly Needle[];
  /** Needles by the hash of their first characters. */
  readonly #starts = new Map<number, Needle[]>();
  /** One bit for each hash that a needle has: most places in a text are done with after one look. */
  readonly #hashes = new Uint8Array(2 ** FILTER_BITS);

  constructor(queries: readonly QuotableQuery[]) {
    const needles = new Map<string, { text: string; entries: number[]; expected: Set<string> }>();
    for (const [entry, { query, expectedPaths }] of queries.entries()) {
      const text = normalise(query);
      if ([...text].length < MIN_CHARACTERS) continue;
      const needle = needles.get(text) ?? { text, entries: [], expected: new Set<string>() };
      needle.entries.push(entry);
      for (const path of expectedPaths) needle.expected.add(path);
      needles.set(text, needle);
    }
    this.#needles = [...needles.values()];
    for (const needle of this.#needles) {
      const hash = hashAt(needle.text, 0);
      this.#starts.set(hash, [...(this.#starts.get(hash) ?? []), needle]);
      this.#hashes[hash & FILTER_MASK] = 1;
    }
  }

  /** Whether no query is long enough to be looked for, so that no text need be read. */
  get isEmpty(): boolean {
    return this.#needles.length === 0;
  }

  /** Adds to `found` what one text (a heading, a context or a content) of a document quotes. */
  collect(text: string, found: Set<Needle>): void {
    const normal = normalise(text);
    if (normal.length < MIN_CHARACTERS) return;
    let hash = hashAt(normal, 0);
    for (let at = 0; ; at++) {
      if (this.#hashes[hash & FILTER_MASK] === 1)
        for (const needle of this.#starts.get(hash) ?? [])
          if (normal.startsWith(needle.text, at)) found.add(needle);
      const next = at + MIN_CHARACTERS;
      if (next >= normal.length) return;
      const without = hash - Math.imul(normal.charCodeAt(at), HIGHEST_POWER);
      hash = (Math.imul(without, BASE) + normal.charCodeAt(next)) | 0;
    }
  }

  /**
   * The queries that a document quotes and does not answer, as offsets into the queries; of equal
   * queries the first. A query inside a longer one that is quoted too does not count.
   *
   * @param found What `collect` found in all texts of the document.
   * @returns In the order of the queries; empty if there are fewer than two.
   */
  quotedBy(path: string, found: ReadonlySet<Needle>): number[] {
    const all = [...found];
    const quoted = this.#needles.filter(
      (needle) =>
        found.has(needle) &&
        !needle.expected.has(path) &&
        !all.some(({ text }) => text !== needle.text && text.includes(needle.text)),
    );
    return quoted.length < MIN_QUOTED ? [] : quoted.map(({ entries }) => entries[0]!);
  }
}

/** One text to look for, and the queries it is the text of. */
export interface Needle {
  readonly text: string;
  readonly entries: readonly number[];
  readonly expected: ReadonlySet<string>;
}

/** Shorter queries are words that any document may have. Also the width of the rolling hash, in UTF-16 units. */
const MIN_CHARACTERS = 12;
const MIN_QUOTED = 2;
const FILTER_BITS = 16;
const FILTER_MASK = 2 ** FILTER_BITS - 1;
const BASE = 0x01000193;
const HIGHEST_POWER = Array.from({ length: MIN_CHARACTERS - 1 }).reduce<number>(
  (power) => Math.imul(power, BASE),
  1,
);

/** White_Space in runs, and single ones that are no space: most spaces of a text stay as they are, which is a third of the time. */
const OTHER_THAN_ONE_SPACE =
  /(?: [\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]|[\t-\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*/g;

function normalise(text: string): string {
  return text.replace(OTHER_THAN_ONE_SPACE, " ").trim().toLowerCase();
}

function hashAt(text: string, start: number): number {
  let hash = 0;
  for (let at = start; at < start + MIN_CHARACTERS; at++)
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
  return hash;
}
