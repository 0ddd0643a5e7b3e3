/**
 * Where a text may be cut: after lines, after sentences, between words.
 *
 * In goes a range of a text, out come the ends of its pieces in order; pieces
 * touch, so nothing is lost between them. How many pieces make a chunk is
 * decided in `core/split-section.ts`. Offsets are UTF-16 units. Abbreviations are not
 * known: `e.g. this` counts as two sentences, which costs nothing but a cut.
 */

const ENDERS = new Set("。！？!?.．｡");
/** Enders that end a sentence whatever follows. */
const FULL_STOPS = new Set("。！？．｡");
const CLOSERS = new Set("」』）】〕〉》］｝)]}\"'”’»*_");
const BLANK_LINES = /\n(?:[^\S\n]*\n)+/g;

/** Longest piece `wordEnds` makes, in UTF-16 units; combining marks may stretch it a little. */
export const LONGEST_WORD_PIECE = 64;

/** Ends of the paragraphs of `text` in `[start, end)`; the blank lines go with the paragraph before. */
export function paragraphEnds(text: string, start: number, end: number): number[] {
  const ends: number[] = [];
  for (const match of text.slice(start, end).matchAll(BLANK_LINES)) {
    const border = start + match.index + match[0].length;
    if (border < end) ends.push(border);
  }
  ends.push(end);
  return ends;
}

/** Ends of the lines of `text` in `[start, end)`, each after its line feed. */
export function lineEnds(text: string, start: number, end: number): number[] {
  const range = text.slice(start, end);
  const ends: number[] = [];
  for (let at = range.indexOf("\n"); at !== -1 && at + 1 < range.length; at = range.indexOf("\n", at + 1)) {
    ends.push(start + at + 1);
  }
  ends.push(end);
  return ends;
}

/**
 * Ends of the sentences of `text` in `[start, end)`.
 *
 * A sentence ends after `。！？` or, before white space or a full-width character, after
 * `.!?`, with the closing brackets and quotes and the white space that follow. A closing
 * bracket followed by hiragana goes on: 「はい。」と言った is one sentence.
 */
export function sentenceEnds(text: string, start: number, end: number): number[] {
  const ends: number[] = [];
  let at = start;
  while (at < end) {
    if (!ENDERS.has(text[at]!)) {
      at += 1;
      continue;
    }
    let isFullStop = false;
    while (at < end && ENDERS.has(text[at]!)) {
      isFullStop ||= FULL_STOPS.has(text[at]!);
      at += 1;
    }
    const afterEnders = at;
    while (at < end && CLOSERS.has(text[at]!)) at += 1;
    if (at >= end) break;
    const next = text.charCodeAt(at);
    const isQuoteGoingOn = at > afterEnders && isHiragana(next);
    if (
      isQuoteGoingOn ||
      !(isFullStop || isSpace(next) || (next >= 0x3000 && text[afterEnders - 1] !== "."))
    ) {
      continue;
    }
    while (at < end && isSpace(text.charCodeAt(at))) at += 1;
    if (at < end) ends.push(at);
  }
  ends.push(end);
  return ends;
}

/**
 * Ends of small pieces of `text` in `[start, end)`, at most `maxUnits` long.
 *
 * Prefers to cut after white space or a comma; else cuts at any code point that is
 * not a combining mark, a joiner or a variation selector. Linear in the length, without spaces too.
 */
export function wordEnds(text: string, start: number, end: number, maxUnits = LONGEST_WORD_PIECE): number[] {
  const ends: number[] = [];
  let from = start;
  while (end - from > maxUnits) {
    let cut = from + maxUnits;
    while (cut > from && !isSoftBorder(text.charCodeAt(cut - 1))) cut -= 1;
    if (cut === from) cut = characterBorder(text, from + maxUnits, from, end);
    if (cut < end) ends.push(cut);
    from = cut;
  }
  ends.push(end);
  return ends;
}

/** Longest run of combining marks that is kept together; more is not writing. */
const MOST_MARKS = 8;

/** The nearest border at or after `at` that splits no character, or before it for a lone surrogate half. */
function characterBorder(text: string, at: number, from: number, end: number): number {
  let border = at;
  for (let marks = 0; border < end && marks < MOST_MARKS; marks += 1) {
    if (isLowSurrogate(text.charCodeAt(border))) border += 1;
    else if (isAttached(text, border)) border += text.codePointAt(border)! > 0xffff ? 2 : 1;
    else return border;
  }
  if (border < end && border > from + 1 && isLowSurrogate(text.charCodeAt(border))) border -= 1;
  return Math.min(border, end);
}

function isAttached(text: string, at: number): boolean {
  const point = text.codePointAt(at)!;
  return point >= 0x300 && (point === 0x200d || text.charCodeAt(at - 1) === 0x200d || isMark(point));
}

function isMark(point: number): boolean {
  return /\p{M}/u.test(String.fromCodePoint(point));
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

function isHiragana(unit: number): boolean {
  return unit >= 0x3041 && unit <= 0x309f;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0x3000 || unit === 0xa0;
}

function isSoftBorder(unit: number): boolean {
  return isSpace(unit) || unit === 0x3001 || unit === 0xff0c || unit === 0x2c || unit === 0x3b;
}
