/**
 * English words to their stems, so that `connected` and `connections` are one term.
 *
 * The English algorithm of the Snowball project ("Porter 2", after Porter's "An algorithm
 * for suffix stripping", 1980): lower-case ASCII word in, stem out, which need not be a
 * word itself. Which words are stemmed at all is decided in `analyse.ts`.
 */

/**
 * The stem of a word; words of fewer than three letters stay as they are.
 *
 * @param word Letters `a` to `z` only.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  // A `y` that sounds as a consonant is written `Y` until the end.
  let stem = word.replace(/^y|(?<=[aeiouy])y/g, "Y");
  const regions = regionsOf(stem);
  stem = dropPlural(stem);
  if (FINISHED_EARLY.has(stem)) return stem;
  stem = dropPastAndGerund(stem, regions);
  if (stem.length > 2) stem = stem.replace(/(?<=[^aeiouy])[yY]$/, "i");
  stem = replaceEnding(stem, regions, DERIVED_ENDINGS);
  stem = replaceEnding(stem, regions, ADJECTIVE_ENDINGS);
  stem = replaceEnding(stem, regions, LAST_ENDINGS);
  return dropFinalLetter(stem, regions).replaceAll("Y", "y");
}

/** Offsets from which on an ending may go: behind one, behind two syllables. */
interface Regions {
  readonly one: number;
  readonly two: number;
}

interface Ending {
  /** By length, longest first, so that the first that fits is the longest. */
  readonly text: string;
  readonly replacement: string;
  /** Where the ending has to lie. */
  readonly region: keyof Regions;
  /** What has to stand before it. */
  readonly after?: RegExp;
}

const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["singly", "singl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((word) => [word, word] as const),
]);

const FINISHED_EARLY: ReadonlySet<string> = new Set([
  "inning",
  "outing",
  "canning",
  "herring",
  "earring",
  "evening",
  "proceed",
  "exceed",
  "succeed",
]);

/** Beginnings whose first region starts right behind them, lest `general` and `generate` be one. */
const LONG_BEGINNING = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;

const SYLLABLE = /[aeiouy][^aeiouy]/;

/** A vowel between consonants that `e` may follow, or at the start of the word. */
const SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$|^past$/;

const DERIVED_ENDINGS = endings("one", [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["ogist", "og"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
  ["ogi", "og", /l$/],
  ["li", "", /[cdeghkmnrt]$/],
]);

const ADJECTIVE_ENDINGS = [
  ...endings("one", [
    ["ational", "ate"],
    ["tional", "tion"],
    ["alize", "al"],
    ["icate", "ic"],
    ["iciti", "ic"],
  ]),
  ...endings("two", [["ative", ""]]),
  ...endings("one", [
    ["ical", "ic"],
    ["ness", ""],
    ["ful", ""],
  ]),
];

const LAST_ENDINGS = endings("two", [
  ["ement", ""],
  ["ance", ""],
  ["ence", ""],
  ["able", ""],
  ["ible", ""],
  ["ment", ""],
  ["ant", ""],
  ["ent", ""],
  ["ism", ""],
  ["ate", ""],
  ["iti", ""],
  ["ous", ""],
  ["ive", ""],
  ["ize", ""],
  ["ion", "", /[st]$/],
  ["al", ""],
  ["er", ""],
  ["ic", ""],
]);

function endings(
  region: keyof Regions,
  rows: readonly (readonly [text: string, replacement: string, after?: RegExp])[],
): readonly Ending[] {
  return rows.map(([text, replacement, after]) => ({
    text,
    replacement,
    region,
    ...(after === undefined ? {} : { after }),
  }));
}

function regionsOf(word: string): Regions {
  const one = LONG_BEGINNING.exec(word)?.[0].length ?? behindSyllable(word, 0);
  return { one, two: behindSyllable(word, one) };
}

function behindSyllable(word: string, from: number): number {
  const at = word.slice(from).search(SYLLABLE);
  return at < 0 ? word.length : from + at + 2;
}

function dropPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  return /[aeiouy].*[^us]s$/.test(word) ? word.slice(0, -1) : word;
}

function dropPastAndGerund(word: string, regions: Regions): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed !== null) return eed.index >= regions.one ? `${word.slice(0, eed.index)}ee` : word;
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (ending === null) return word;
  const stem = word.slice(0, ending.index);
  // `dying`, `lying`, `tying`.
  if (/^[^aeiou]y$/.test(stem) && ending[0] === "ing") return `${stem.slice(0, 1)}ie`;
  if (!/[aeiouy]/.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) {
    return /^[aeo](?:dd|gg|ff)$/.test(stem) ? stem : stem.slice(0, -1);
  }
  const isShort = regions.one >= stem.length && SHORT_SYLLABLE.test(stem);
  return isShort ? `${stem}e` : stem;
}

function replaceEnding(word: string, regions: Regions, table: readonly Ending[]): string {
  const ending = table.find(({ text }) => word.endsWith(text));
  if (ending === undefined) return word;
  const at = word.length - ending.text.length;
  if (at < regions[ending.region]) return word;
  const stem = word.slice(0, at);
  return ending.after === undefined || ending.after.test(stem) ? stem + ending.replacement : word;
}

function dropFinalLetter(word: string, regions: Regions): string {
  const at = word.length - 1;
  const stem = word.slice(0, at);
  const goes = word.endsWith("e")
    ? at >= regions.two || (at >= regions.one && !SHORT_SYLLABLE.test(stem))
    : at >= regions.two && word.endsWith("ll");
  return goes ? stem : word;
}
