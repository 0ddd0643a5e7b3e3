/**
 * The words of a query as a person would list them: segments in, distinct words out.
 *
 * Words are for the terms leg and for telling the user what was understood. Unlike phrases
 * (`phrases.ts`) they may be short, are never joined across scripts, and keep the symbols
 * that belong to a name: `c++`, `.net`, `q&a`. How a word is looked up is decided by the leg.
 */
import type { QuerySegment } from "./quotes.ts";

export interface QueryWord {
  /** Holds a letter or digit, unless it is quoted: then it is the quoted text, verbatim and not blank. */
  readonly text: string;
  /** Whether it was quoted anywhere in the query. */
  readonly isQuoted: boolean;
  /** Whether it has one or two characters (code points), too few for a phrase. */
  readonly isShort: boolean;
}

/** Whether a word is one or two hiragana: a particle or an ending more often than a word of its own. */
export function isLoneParticle(word: string): boolean {
  return LONE_PARTICLE.test(word);
}

const LONE_PARTICLE = /^\p{Script=Hiragana}{1,2}$/u;

const SHORT_MAX_CHARS = 2;

const HAN = String.raw`\p{Script=Han}\u3006`;
const HIRAGANA = String.raw`\u3041-\u309F`;
/** Without the middle dot, which stands between words. */
const KATAKANA = String.raw`\u30A1-\u30FA\u30FC-\u30FF\u31F0-\u31FF\uFF66-\uFF9F`;

/**
 * A character of a spaced script, with its marks. Subtracting classes (the flag `v`) would say
 * the same and take ten times as long to compile, which every cold search pays for.
 */
const LETTER = String.raw`(?![${HAN}${HIRAGANA}${KATAKANA}])[\p{Alphabetic}\p{N}\p{M}_]`;
const LETTERS = `(?:${LETTER})+`;

/**
 * Between letters, what holds a name together: `node.js`, `gb/s`, `jp-4471-x`, `a@b`, `q&a`,
 * `it's`, `std::vec`, `localhost:8080`, `1,000`. One colon between letters separates.
 */
const JOINT = String.raw`[.\/\-@]|(?<=\p{L})[&'’](?=\p{L})|::|:(?=\p{Nd})|(?<=\p{Nd}),(?=\p{Nd}{3}(?!\p{Nd}))`;
/** After letters: `c++`, `c#`. */
const SUFFIX = String.raw`\+{1,2}|#`;
/** Before letters: `.net`, `#12`, `§4.2`, and `-m` or `--force` at the start of a word. */
const PREFIX = [
  String.raw`(?<![.\)\]\}'"]|${LETTER})\.(?=\p{L})`,
  `(?<![#]|${LETTER})#`,
  String.raw`§(?=\p{N})`,
  String.raw`(?<=^|[\p{White_Space}\p{Ps}\x60])-{1,2}`,
].join("|");

/** Ends in a letter or digit, so that the full stop or bracket after an address is not part of it. */
const ADDRESS = String.raw`[A-Za-z][A-Za-z0-9+.\-]{0,15}:\/\/[!#-;=?-_a-~]*[A-Za-z0-9]`;
const NAME = `(?:${PREFIX})?${LETTERS}(?:(?:(?:${SUFFIX})?(?:${JOINT})|${SUFFIX})${LETTERS})*(?:${SUFFIX})?`;

const WORD = new RegExp(
  [
    ADDRESS,
    NAME,
    `[${HAN}]+`,
    // The long vowel mark is katakana by its block and at home in both.
    `[${HIRAGANA}][${HIRAGANA}\u30FC]*`,
    `[${KATAKANA}]+`,
  ].join("|"),
  "gu",
);

const ALTERNATIVES = /^(\p{L}{3,})\/(\p{L}{3,})$/u;

/**
 * The words of all segments, in order of first occurrence, each text once.
 *
 * A quoted text is one word. Plain text is cut at white space and punctuation and where
 * kanji, hiragana, katakana and other scripts meet; addresses, paths, versions, numbers and
 * other names stay whole. `mac/windows` is two words, `gb/s` and `src/a.ts` are one each.
 *
 * Linear in the length of the text; there is no cap.
 */
export function wordsOf(segments: readonly QuerySegment[]): readonly QueryWord[] {
  const isQuotedOf = new Map<string, boolean>();
  for (const { kind, text } of segments) {
    const isQuoted = kind === "quoted";
    for (const word of isQuoted ? quotedWord(text) : plainWords(text))
      isQuotedOf.set(word, isQuoted || isQuotedOf.get(word) === true);
  }
  return [...isQuotedOf].map(([text, isQuoted]) => ({
    text,
    isQuoted,
    isShort: [...text].length <= SHORT_MAX_CHARS,
  }));
}

function quotedWord(text: string): readonly string[] {
  return /\P{White_Space}/u.test(text) ? [text] : [];
}

function plainWords(text: string): readonly string[] {
  return (text.match(WORD) ?? [])
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .flatMap((word) => ALTERNATIVES.exec(word)?.slice(1) ?? [word]);
}
