/**
 * The first half of analysis: text in, stretches of writing without spaces, words and
 * identifiers out.
 *
 * What each of them becomes in the index and in a query is decided in `analyse.ts`.
 * Text is taken as given: folding it is done before, in `normalize.ts`.
 */

/** What `scanText` finds; called in text order. */
export interface ScanListener {
  /** A maximal stretch of scripts that are written without spaces; not empty. */
  onStretch(stretch: string): void;
  /** Letters, marks and digits of other scripts; at most `TERM_MAX_LENGTH` long, the rest cut off. */
  onWord(word: string): void;
  /** A token with joiners in it, whole; its parts follow as words, and identifiers of its own segments too. */
  onIdentifier(identifier: string): void;
}

/** UTF-16 units kept of a word; longer identifiers are known by their parts only. */
export const TERM_MAX_LENGTH = 64;

/**
 * Tells the listener everything in a text that can be searched for. Linear in its length.
 *
 * A token is words joined by `- _ . / : @ + # & §` without a space. Scripts without spaces
 * end it, so `重跑gen-itgc后` has the identifier `gen-itgc`. Joiners around a token are
 * no part of it, except one `.`, `@`, `#` or `§` before it (`.net`, `§4.2`) and `+`, `++`
 * or `#` behind it (`c++`). At `/ : @ & §` a token falls into segments that may be
 * identifiers themselves, so that `src/core/query.ts` is also `query.ts`. A URL is kept
 * whole from its host on, so that it is found with and without its scheme. What an apostrophe shortens (`'s`, `'t`) is left out.
 */
export function scanText(text: string, listener: ScanListener): void {
  let at = 0;
  while (at < text.length) {
    switch (classAt(text, at)) {
      case SEPARATOR:
        at += widthAt(text, at);
        break;
      case UNSPACED:
        at = scanStretch(text, at, listener);
        break;
      default:
        at = scanToken(text, at, listener);
    }
  }
}

// Numbers, since they are looked up for every character; 0 is "not looked up yet".
const SEPARATOR = 1;
const WORD = 2;
const UNSPACED = 3;
const JOINER = 4;

const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}]$/u;
/**
 * By extensions, as `ー`, `〆` and voicing marks belong to several scripts. Korean has spaces,
 * but between phrases: what is searched for is mostly a part of one.
 */
const UNSPACED_SCRIPT =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u;
const JOINERS = "-_./:@+#&§";
const SEGMENT_BORDER = /[/:@&§]+/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//;
const PART_BORDER = /[-_.+#]+/;
const SHORTENED = /'(?:s|t|d|m|ll|re|ve)(?![\p{L}\p{M}\p{N}])/uy;

/** What is known of the characters of the basic plane; the answers of `classify`, kept. */
const CLASSES = new Uint8Array(0x10000);

function classify(char: string): number {
  if (WORD_CHARACTER.test(char)) return UNSPACED_SCRIPT.test(char) ? UNSPACED : WORD;
  return JOINERS.includes(char) ? JOINER : SEPARATOR;
}

function classifyUnit(unit: number): number {
  const kind = classify(String.fromCharCode(unit));
  CLASSES[unit] = kind;
  return kind;
}

function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit <= 0xdfff) return classify(String.fromCodePoint(text.codePointAt(at)!));
  return CLASSES[unit] || classifyUnit(unit);
}

/** UTF-16 units of the character at an offset: 2 outside the basic plane. */
function widthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}

function scanStretch(text: string, start: number, listener: ScanListener): number {
  let end = start;
  while (end < text.length && classAt(text, end) === UNSPACED) end += widthAt(text, end);
  listener.onStretch(text.slice(start, end));
  return end;
}

function scanToken(text: string, start: number, listener: ScanListener): number {
  let firstWord = -1;
  let wordEnd = start;
  let hasInnerJoiner = false;
  let end = start;
  while (end < text.length) {
    const kind = classAt(text, end);
    if (kind !== WORD && kind !== JOINER) break;
    const next = end + widthAt(text, end);
    if (kind === WORD) {
      if (firstWord < 0) firstWord = end;
      else if (wordEnd < end) hasInnerJoiner = true;
      wordEnd = next;
    }
    end = next;
  }
  if (firstWord < 0) return end;
  // Most joiners are just the full stop of a sentence.
  const isDecorated = (wordEnd < end && "+#".includes(text[wordEnd]!)) || firstWord === start + 1;
  if (hasInnerJoiner || isDecorated) emitToken(text.slice(start, end), listener);
  else emitWord(text.slice(firstWord, wordEnd), listener);
  return endOfShortening(text, end);
}

function endOfShortening(text: string, at: number): number {
  if (text[at] !== "'") return at;
  SHORTENED.lastIndex = at;
  return SHORTENED.test(text) ? SHORTENED.lastIndex : at;
}

function emitToken(token: string, listener: ScanListener): void {
  const whole = trimJoiners(token);
  const segments = whole.split(SEGMENT_BORDER).map(trimJoiners);
  const unschemed = trimJoiners(whole.replace(SCHEME, ""));
  if (!segments.includes(unschemed)) emitIdentifier(unschemed, listener);
  for (const segment of segments) {
    const parts = segment.split(PART_BORDER).filter((part) => part !== "");
    if (parts[0] !== segment) emitIdentifier(segment, listener);
    for (const part of parts) emitWord(part, listener);
  }
}

/** Without the joiners at either end that say nothing. */
function trimJoiners(token: string): string {
  let start = 0;
  while (start < token.length && JOINERS.includes(token[start]!)) start += 1;
  let end = token.length;
  while (end > start && JOINERS.includes(token[end - 1]!)) end -= 1;
  if (start === end) return "";
  const keptBefore = start === 1 && ".@#§".includes(token[0]!) ? 1 : 0;
  const keptBehind = /^(?:\+\+?|#)(?![+#])/.exec(token.slice(end))?.[0].length ?? 0;
  return token.slice(start - keptBefore, end + keptBehind);
}

function emitIdentifier(identifier: string, listener: ScanListener): void {
  if (identifier !== "" && identifier.length <= TERM_MAX_LENGTH) listener.onIdentifier(identifier);
}

function emitWord(word: string, listener: ScanListener): void {
  listener.onWord(word.length > TERM_MAX_LENGTH ? cutOff(word) : word);
}

function cutOff(word: string): string {
  const isPairSplit = widthAt(word, TERM_MAX_LENGTH - 1) === 2;
  return word.slice(0, isPairSplit ? TERM_MAX_LENGTH - 1 : TERM_MAX_LENGTH);
}
