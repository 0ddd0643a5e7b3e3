/**
 * Folding of one character with its marks: text in, the form that stands for all its variants out.
 *
 * Rules that look at one character only are here, and the reason for each set. What belongs
 * to one character is decided in `characters.ts`, rules that need the neighbours are in
 * `neighbours.ts`.
 *
 * Not folded, because the forms are different words to somebody: 髙 and 高, old and new or
 * traditional and simplified kanji (國 and 国), hiragana and katakana, ø đ ł (letters without
 * a decomposition, not letters with a mark), ı (i only in Turkish), й and ё, Greek accents.
 */

/** Spellings of a hyphen or dash; which of them stands for ー is decided by its neighbours. */
const DASHES = /[\u2010-\u2015\u2212\u2E3A\u2E3B\uFE31\uFE32\uFE58\uFE63\uFF0D]/g;

/** The wave dash, what other tables of the same Japanese character made of it, and spacing tildes. */
const WAVES = /[\u02DC\u2053\u223C\u301C\uFF5E]/g;

/** Typographic apostrophes. */
const APOSTROPHES = /[\u2018\u2019]/g;

/** Invisible characters, and controls that are not white space. */
const DROPPED = /\p{Default_Ignorable_Code_Point}|(?!\p{White_Space})\p{Cc}/gu;

/**
 * More marks on one letter than any language writes. Normalising sorts marks in quadratic time, so that
 * a hostile text of some hundred kilobytes would take minutes.
 */
const EXCESS_MARKS = /(\p{M}{32})\p{M}+/gu;

const WHITE_SPACE = /(?!\n)\p{White_Space}/gu;

/**
 * Diacritics on a Latin letter: the blocks of marks that are made for it. Not `\p{M}`, which
 * holds the vowels of Thai, Hebrew and Indic scripts and the voicing of kana.
 */
const LATIN_MARKS = /[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]+/g;

/** Not by looking back from each mark: a letter may carry thousands. */
const LATIN_WITH_MARKS = /\p{Script=Latin}\p{M}+/gu;

/**
 * Folds width and compatibility forms (NFKC), case, Latin diacritics, white space, waves and
 * apostrophes, joins marks to their base and drops what cannot be seen, and marks beyond 32 in
 * a row. Dashes all become U+2010, as a note to `neighbours.ts`.
 *
 * @param text Whole characters, as `characters.ts` finds them; only then do the results
 *   of neighbours make up the result of the whole.
 * @returns Folding it again changes nothing.
 */
export function foldCharacter(text: string): string {
  let folded = text;
  for (;;) {
    const next = foldOnce(folded);
    if (next === folded) return folded;
    folded = next;
  }
}

/**
 * Full case folding, Unicode's `toCasefold` of the statuses C and F in CaseFolding.txt, as far as
 * equality goes: what is equal there is equal here, and nothing else.
 *
 * The language has only the mappings to lower and upper case. Folding differs from lower case where
 * a letter has a second lower-case form (ſ, ς, ϐ) or an upper case of several letters (ß, ŉ, ΐ, և);
 * going up and down again brings these together. ı alone would go too far, it has no folding.
 * Cherokee comes out as small letters, where the table has capital ones.
 */
export function foldCase(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^ı]+/g, (part) => part.toUpperCase().toLowerCase())
      // Lower case writes a sigma by its place in the word.
      .replaceAll("ς", "σ")
  );
}

function foldOnce(text: string): string {
  const visible = text
    .toWellFormed()
    .replace(DROPPED, "")
    .replace(WHITE_SPACE, " ")
    .replace(DASHES, "\u2010")
    .replace(WAVES, "~")
    .replace(APOSTROPHES, "'")
    // Voicing marks with a width of their own; NFKC would make a space with a mark of the wide ones.
    .replace(/[\u309B\uFF9E]/g, "\u3099")
    .replace(/[\u309C\uFF9F]/g, "\u309A")
    .replace(EXCESS_MARKS, "$1");
  const folded = foldCase(visible.normalize("NFKC")).normalize("NFD");
  return folded.replace(LATIN_WITH_MARKS, (letter) => letter.replace(LATIN_MARKS, "")).normalize("NFKC");
}
