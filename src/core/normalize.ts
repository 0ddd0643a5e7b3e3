/**
 * Normalisation: a text in, the form in which its spellings meet out, and the way back.
 *
 * Everything that is indexed or searched for passes here, so that ﾃﾞｰﾀ finds データ, ＡＰＩ
 * API and Café cafe; what is shown stays as it was. Single characters are folded in
 * `normalize/fold.ts`, what depends on neighbours in `normalize/neighbours.ts`; cutting
 * into words is done elsewhere.
 */
import { extentOfCharacter, Kind, kindAt, kindOfUnit, UNIT_FOLDINGS } from "./normalize/characters.ts";
import { foldCharacter } from "./normalize/fold.ts";
import { resolveNeighbours } from "./normalize/neighbours.ts";
import { OffsetMap } from "./normalize/offset-map.ts";

/** Changes whenever a text may normalise to another one: what was indexed before is then to be indexed again. */
export const NORMALIZER_VERSION = 1;

export interface NormalizedText {
  /** The same as `normalizeText` gives. */
  readonly text: string;
  /**
   * Start, in UTF-16 units of the original, of the whole character (base, marks, emoji sequence)
   * that the normalised unit at `offset` comes from; the length of the original at the end.
   *
   * Never falls as the offset grows.
   *
   * @throws {RangeError} If the offset lies outside the normalised text.
   */
  sourceStart(offset: number): number;
  /** As `sourceStart`, the end of the character that the unit before `offset` comes from; 0 at the start. */
  sourceEnd(offset: number): number;
}

/**
 * NFKC, full case folding, Latin letters without diacritics, one space for any white space but a line
 * feed, nothing for invisible characters, one spelling for dashes, waves, ー and repeated characters.
 *
 * Total and idempotent; malformed UTF-16 comes out well-formed. A part of a text normalises as it does
 * inside, if it is cut between characters and no dash or iteration mark of it looks over the border.
 */
export function normalizeText(text: string): string {
  return resolveNeighbours(foldCharacters(text, undefined));
}

/** As `normalizeText`, with the way back to the original, which it keeps. */
export function normalizeWithMap(text: string): NormalizedText {
  const map = new OffsetMap();
  const normalized = resolveNeighbours(foldCharacters(text, map));
  const check = (offset: number) => {
    if (!(offset >= 0 && offset <= normalized.length))
      throw new RangeError(`no offset ${offset} in the text`);
  };
  return {
    text: normalized,
    sourceStart: (offset) => {
      check(offset);
      return offset === normalized.length ? text.length : map.sourceStart(offset, text);
    },
    sourceEnd: (offset) => {
      check(offset);
      return offset === 0 ? 0 : map.sourceEnd(offset, text);
    },
  };
}

/** Folds character by character; what needs no folding is copied in one go. */
function foldCharacters(text: string, map: OffsetMap | undefined): string {
  let folded = "";
  /** What lies between here and `at` is to be copied as it is. */
  let copyFrom = 0;
  let at = 0;
  map?.addRun(0, 0);
  while (at < text.length) {
    const code = text.charCodeAt(at);
    let kind = kindOfUnit(code);
    if (kind === Kind.plain) {
      at += 1;
      continue;
    }
    if (kind === Kind.lead) {
      kind = kindAt(text, at);
      if (kind === Kind.plain) {
        at += 2;
        continue;
      }
    }
    if (kind === Kind.unit && !isJoined(text, at + 1)) {
      // A lone surrogate that could have led a pair is no entry of the table.
      const unit = code >= 0xd800 && code <= 0xdbff ? 0xfffd : UNIT_FOLDINGS[code]!;
      folded += text.slice(copyFrom, at) + String.fromCharCode(unit);
      at += 1;
      copyFrom = at;
      continue;
    }
    const start = startOfCharacter(text, copyFrom, at, kind);
    const { end, visibleEnd } = extentOfCharacter(text, start);
    folded += text.slice(copyFrom, start);
    map?.addCharacter(folded.length, start, visibleEnd);
    folded += rememberedFold(text.slice(start, end));
    at = end;
    copyFrom = at;
    map?.addRun(folded.length, at);
  }
  return copyFrom === 0 ? text : folded + text.slice(copyFrom);
}

/** Whether the code point at an offset may belong to the one before it. */
function isJoined(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const kind = kindAt(text, at);
  return kind >= Kind.mark && kind <= Kind.jamo;
}

/** Where the character starts that holds the code point at `at`: at the plain one before, if it may belong to that. */
function startOfCharacter(text: string, copyFrom: number, at: number, kind: number): number {
  if (kind < Kind.mark || kind > Kind.jamo || at === copyFrom) return at;
  return at - copyFrom >= 2 && text.codePointAt(at - 2)! >= 0x1_0000 ? at - 2 : at - 1;
}

/** Characters with marks repeat within a language; folding one costs microseconds. */
const REMEMBERED = new Map<string, string>();
const REMEMBERED_MAX_COUNT = 8_192;
const REMEMBERED_MAX_UNITS = 8;

function rememberedFold(character: string): string {
  const known = REMEMBERED.get(character);
  if (known !== undefined) return known;
  const folded = foldCharacter(character);
  if (character.length <= REMEMBERED_MAX_UNITS) {
    if (REMEMBERED.size >= REMEMBERED_MAX_COUNT) REMEMBERED.clear();
    REMEMBERED.set(character, folded);
  }
  return folded;
}
