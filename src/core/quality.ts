/**
 * Quality: how much a chunk's text says of its own, as one number from 0 to 1.
 *
 * Measured by words, not by length: words of links, images and placeholders are not the text's
 * own, repeated ones are counted once, and a word is what it is in its script, so that a line of a
 * Japanese glossary or a command is worth as much as an English sentence. Only the content counts;
 * headings do not. Hiding low scores is a threshold applied at search time, not here.
 */
import { isPlaceholder, withoutPlaceholders } from "./placeholders.ts";

/** Words of its own from which a text is as good as any; fewer count in proportion. */
const ENOUGH_WORDS = 6;
/** What a text has that says anything at all: `Yes.` may be an answer. */
const LEAST_AMOUNT = 0.2;
/** Share of its own words, of all including those of links, below which a text is a list of links. */
const OWN_SHARE = 0.25;
/** Different words in a hundred below which a text repeats itself. Prose of 400 words has 35 or more, tables of numbers 15. */
const VARIETY = 0.1;

/** 1 for all that says something; 0 for a placeholder or a text without a word of its own. Two decimals. */
export function qualityOf(content: string): number {
  if (isPlaceholder(content)) return 0;
  const { own, linked } = splitMarkup(content);
  const { words, different } = countWords(withoutPlaceholders(own));
  if (words === 0) return 0;
  const linkedWords = countWords(linked).words;
  const amount = Math.min(1, Math.max(LEAST_AMOUNT, different / ENOUGH_WORDS));
  const share = Math.min(1, words / (words + linkedWords) / OWN_SHARE);
  const variety = Math.min(1, different / words / VARIETY);
  return Math.round(amount * share * variety * 100) / 100;
}

// Bounded repetitions: an opening that is never closed must not be searched for to the end from each place.
const MARKUP = new RegExp(
  [
    /(?<code>`{1,2}[^`\n]{1,400}`{1,2})/,
    /<!--[\s\S]{0,2000}?-->/,
    /!\[(?<alt>[^[\]]{0,400})\](?:\([^()\n]{0,800}\)|\[[^[\]\n]{0,200}\])/,
    /\[(?<text>[^[\]]{1,400})\](?:\([^()\n]{0,800}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\[[^[\]\n]{0,200}\])/,
    /\[\[(?<wiki>[^[\]\n]{1,400})\]\]/,
    /^\s{0,3}\[[^[\]\n]{1,200}\]:\s*\S{1,800}.*$/,
    /<?(?:https?|ftp|mailto):[^\s<>)\]」』）、。]{1,800}>?/,
    /<\/?[A-Za-z][^<>]{0,800}>/,
    /^(?<entry>[^\n]{1,200}?)(?:\.{4,}|(?:\. ){4,}|…{2,}|・{4,})\s*\d{1,4}\s*$/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);
const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/;

/** What a text says itself, and what its links, images and lines of a table of contents do. Code is all its own. */
function splitMarkup(content: string): { readonly own: string; readonly linked: string } {
  const linked: string[] = [];
  const own: string[] = [];
  const add = (prose: string) => {
    own.push(
      prose.replace(MARKUP, (...match) => {
        const { code, alt, text, wiki, entry } = match.at(-1) as Record<string, string | undefined>;
        if (code !== undefined) return code;
        linked.push(alt ?? text ?? wiki ?? entry ?? "");
        return " ";
      }),
    );
  };
  if (!MARKUP_SIGN.test(content)) return { own: content, linked: "" };
  let prose: string[] = [];
  let isCode = false;
  for (const line of content.split("\n")) {
    if (FENCE.test(line)) {
      add(prose.join("\n"));
      prose = [];
      isCode = !isCode;
    } else if (isCode) own.push(line);
    else prose.push(line);
  }
  add(prose.join("\n"));
  return { own: own.join("\n"), linked: linked.join("\n") };
}

/** What any of `MARKUP` has somewhere. */
const MARKUP_SIGN = /[<[]|```|~~~|:\/\/|mailto:|\.\.\.\.|\. \. |……|・・・・/;

/**
 * Words, and different ones. Two ideographs count as a word; a stretch of hiragana, mostly grammar, as a
 * quarter; four characters of other scripts without spaces as one.
 */
function countWords(text: string): { readonly words: number; readonly different: number } {
  const seen = new Set<number>();
  let words = 0;
  let different = 0;
  let kind: number = NO_WORD;
  let length = 0;
  let hash = 0;
  const finish = () => {
    if (kind === NO_WORD) return;
    const weight = WEIGHTS[kind]!;
    words += weight;
    if (!seen.has(hash)) {
      seen.add(hash);
      different += weight;
    }
    kind = NO_WORD;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!;
    if (code > 0xffff) at += 1;
    const next = kindOf(code);
    const longest = next === IDEOGRAPH ? 1 : next === UNSPACED ? 4 : Number.POSITIVE_INFINITY;
    if (next !== kind || length >= longest) {
      finish();
      kind = next;
      length = 0;
      hash = 7;
    }
    length += 1;
    hash = (Math.imul(hash, 31) + (code >= 65 && code <= 90 ? code + 32 : code)) | 0;
  }
  finish();
  return { words, different };
}

const NO_WORD = 1;
const SPACED = 2;
const IDEOGRAPH = 3;
const HIRAGANA = 4;
const KATAKANA = 5;
const UNSPACED = 6;
/** What one counts for, by kind. */
const WEIGHTS = [0, 0, 1, 0.5, 0.25, 1, 1];

const KINDS = new Uint8Array(0x20000);

/** Looked up once for each character; asking the patterns each time took twenty times as long. */
function kindOf(code: number): number {
  if (code >= KINDS.length) return code < 0x3ffff ? IDEOGRAPH : NO_WORD;
  const known = KINDS[code]!;
  if (known !== 0) return known;
  const character = String.fromCodePoint(code);
  const [kind = NO_WORD] = PATTERNS.find(([, pattern]) => pattern.test(character)) ?? [];
  KINDS[code] = kind;
  return kind;
}

const PATTERNS: readonly (readonly [kind: number, pattern: RegExp])[] = [
  [IDEOGRAPH, /\p{Script=Han}/u],
  [HIRAGANA, /\p{Script=Hiragana}/u],
  [KATAKANA, /[\p{Script=Katakana}ー]/u],
  [UNSPACED, /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u],
  [SPACED, /[\p{L}\p{N}\p{M}]/u],
];
