/**
 * Where one character ends: a text and an offset in, the extent of what a reader takes
 * for one character out.
 *
 * Close to Unicode's grapheme clusters, and never less than what normalisation can join:
 * a base with its marks, Hangul letters, an emoji sequence, a flag. What a character
 * becomes is decided in `fold.ts`.
 */
import { foldCharacter } from "./fold.ts";

/** What scanning has to do at a code point. */
export const Kind = {
  /** Starts a character and is its own folded form. */
  plain: 1,
  /** Starts a character and folds from one UTF-16 unit to one. */
  unit: 2,
  /** Starts a character and folds to something else. */
  other: 3,
  /** Belongs to the character before it: a mark, or what folds to one, or the skin of an emoji. */
  mark: 4,
  /** Folds to nothing and shapes the character before it: joiner, invisible mark, tag. */
  joiner: 5,
  /** Folds to nothing and belongs to nobody. */
  dropped: 6,
  /** A Hangul vowel or final, which joins only Hangul. */
  jamo: 7,
  /** Half of a flag. */
  regional: 8,
  /** First half of a surrogate pair, perhaps. */
  lead: 9,
} as const;

/** The start is known to the caller. */
export interface CharacterExtent {
  /** After everything that belongs to the character or folds to nothing. */
  readonly end: number;
  /** The same without `Kind.dropped` at the end. */
  readonly visibleEnd: number;
}

/** What a unit of kind `unit` becomes; meaningless for others. Filled by `kindOfUnit`. */
export const UNIT_FOLDINGS = new Uint16Array(0x1_0000);

/**
 * The kind of a UTF-16 unit.
 *
 * A code point is looked into at its first use and remembered in a table: all of Unicode
 * at once would cost a start of the program more than most texts need.
 */
export function kindOfUnit(code: number): number {
  return UNIT_KINDS[code] || classifyUnit(code);
}

/** The kind of the code point at an offset; a lone surrogate has the kind `unit`. */
export function kindAt(text: string, at: number): number {
  const codePoint = text.codePointAt(at)!;
  if (codePoint >= 0x1_0000) return kindOfAstral(codePoint);
  return isLead(codePoint) ? Kind.unit : kindOfUnit(codePoint);
}

/** @param start Offset of the base, or of a mark that has none. */
export function extentOfCharacter(text: string, start: number): CharacterExtent {
  const base = text.codePointAt(start)!;
  let last = base;
  let end = start + lengthOf(base);
  if (isRegional(base) && end < text.length && isRegional(text.codePointAt(end)!)) end += 2;
  let visibleEnd = end;
  while (end < text.length) {
    const next = text.codePointAt(end)!;
    const kind = kindAt(text, end);
    const joins =
      kind === Kind.mark ||
      kind === Kind.joiner ||
      kind === Kind.dropped ||
      (kind === Kind.jamo && isHangul(base)) ||
      (last === ZERO_WIDTH_JOINER && isPictograph(base) && isPictograph(next));
    if (!joins) break;
    end += lengthOf(next);
    if (kind !== Kind.dropped) visibleEnd = end;
    last = next;
  }
  return { end, visibleEnd };
}

/** The bulk of most texts, known without looking: line feed, printable ASCII but capitals, kana, kanji, Hangul. */
const ALWAYS_PLAIN = /^[\n -@[-~ぁ-ゖァ-ー\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3]$/;

const ZERO_WIDTH_JOINER = 0x200d;

const UNIT_KINDS = new Uint8Array(0x1_0000);
const ASTRAL_KINDS = new Map<number, number>();

function classifyUnit(code: number): number {
  const kind = isLead(code)
    ? Kind.lead
    : ALWAYS_PLAIN.test(String.fromCharCode(code))
      ? Kind.plain
      : classify(code);
  UNIT_KINDS[code] = kind;
  if (kind === Kind.unit) UNIT_FOLDINGS[code] = foldCharacter(String.fromCharCode(code)).charCodeAt(0);
  return kind;
}

function kindOfAstral(codePoint: number): number {
  const known = ASTRAL_KINDS.get(codePoint);
  if (known !== undefined) return known;
  const kind = classify(codePoint);
  ASTRAL_KINDS.set(codePoint, kind);
  return kind;
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const folded = foldCharacter(character);
  if (folded === "") return SHAPING.test(character) ? Kind.joiner : Kind.dropped;
  const decomposed = character.normalize("NFKD");
  if (MARK.test(decomposed) || MARK.test(folded)) return Kind.mark;
  if (JAMO.test(decomposed)) return Kind.jamo;
  if (isRegional(codePoint)) return Kind.regional;
  if (folded === character) return Kind.plain;
  return folded.length === 1 && character.length === 1 ? Kind.unit : Kind.other;
}

/** The joiner, tags, and invisible marks, variation selectors among them. */
const SHAPING = /^[\u200D\u{E0020}-\u{E007F}\p{M}]/u;
const MARK = /^[\p{M}\p{Emoji_Modifier}]/u;
const JAMO = /^[\u1160-\u11FF\uD7B0-\uD7FF]/;

/** Whether Hangul vowels and finals may join it. */
function isHangul(codePoint: number): boolean {
  return /^\p{Script=Hangul}/u.test(String.fromCodePoint(codePoint));
}

function isPictograph(codePoint: number): boolean {
  return /^\p{Extended_Pictographic}/u.test(String.fromCodePoint(codePoint));
}

function isRegional(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}

function isLead(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function lengthOf(codePoint: number): number {
  return codePoint >= 0x1_0000 ? 2 : 1;
}
