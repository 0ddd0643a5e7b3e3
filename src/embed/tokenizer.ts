/**
 * Text to token ids, as the built-in model was trained on them.
 *
 * In go the bytes of `builtin/tokenizer.bin` once, then texts; out come ids
 * equal to the reference form of this tokenizer (a unigram model over a
 * SentencePiece vocabulary). Cleaning the text first is `token-text.ts`;
 * prefixes, and what the ids mean to the model, are `text-encoder.ts`.
 */
import { AppError } from "../errors.ts";
import { foldForTokens } from "./token-text.ts";

/** Ids with a fixed meaning. Text never yields the marks, even if it spells them out. */
const START = 0;
const END = 2;
const UNKNOWN = 3;

/** "E5T2" as a little-endian number: the file's first four bytes. */
const MAGIC = 0x32543545;
/** In the file's id table: no piece ends in this slot. */
const NO_PIECE = 0xffff;
const SPACE = 0x20;
/** Stands before each word in the vocabulary, in place of the space. */
const WORD_MARK = 0x2581;
/** How far below the rarest piece an unknown character scores. */
const UNKNOWN_PENALTY = 10;

/**
 * A longer run without spaces, in UTF-16 units, is segmented in stretches of
 * this length: memory stays bounded and time linear on a line of any size, at
 * the price of a possibly different piece where two stretches meet.
 */
export const MAX_STRETCH = 4096;

/** A unigram tokenizer. Time is linear in the text; an instance holds scratch memory of fixed size. */
export class Tokenizer {
  /** Per piece: the logarithm of its probability. */
  readonly #scores: Float64Array;
  readonly #unknownScore: number;

  // All pieces as one trie in a double array: the child of node n by code c is
  // slot t = base[n] + c, provided check[t] === c. Codes number the UTF-16 units in use.
  readonly #base: Int32Array;
  readonly #check: Uint16Array;
  readonly #pieceAt: Uint16Array;
  readonly #codeOfUnit = new Uint16Array(65_536);

  // The stretch at hand, and the best way to have come to each place in it:
  // with which score, and by which piece from where.
  readonly #units = new Uint16Array(MAX_STRETCH + 1);
  readonly #best = new Float64Array(MAX_STRETCH + 2);
  readonly #from = new Int32Array(MAX_STRETCH + 2);
  readonly #piece = new Int32Array(MAX_STRETCH + 2);

  /**
   * @param file The bytes of `tokenizer.bin`; referred to, not copied.
   * @throws {AppError} `model` if they are something else or cut short.
   */
  constructor(file: Uint8Array) {
    const bytes = file.byteOffset % 4 === 0 ? file : file.slice();
    const [magic = 0, pieceCount = 0, unitCount = 0, slotCount = 0] =
      bytes.length < 16 ? [] : new Uint32Array(bytes.buffer, bytes.byteOffset, 4);
    const expectedLength = 16 + 4 * pieceCount + 2 * unitCount + 8 * slotCount;
    if (magic !== MAGIC || bytes.length !== expectedLength) {
      throw new AppError("model", `the tokenizer file is damaged (${bytes.length} bytes)`, {
        hint: "Download kb again and compare its checksum.",
      });
    }

    let offset = bytes.byteOffset + 16;
    const scaledScores = new Int32Array(bytes.buffer, offset, pieceCount);
    offset += scaledScores.byteLength;
    this.#base = new Int32Array(bytes.buffer, offset, slotCount);
    offset += this.#base.byteLength;
    const unitsInUse = new Uint16Array(bytes.buffer, offset, unitCount);
    offset += unitsInUse.byteLength;
    this.#check = new Uint16Array(bytes.buffer, offset, slotCount);
    offset += this.#check.byteLength;
    this.#pieceAt = new Uint16Array(bytes.buffer, offset, slotCount);

    this.#scores = new Float64Array(pieceCount);
    let lowest = 0;
    for (let id = 0; id < pieceCount; id++) {
      const score = scaledScores[id]! / 10_000;
      this.#scores[id] = score;
      if (score < lowest) lowest = score;
    }
    this.#unknownScore = lowest - UNKNOWN_PENALTY;
    for (let index = 0; index < unitCount; index++) this.#codeOfUnit[unitsInUse[index]!] = index + 1;
  }

  /**
   * Ids of the text, between a start and an end mark.
   *
   * @param maxTokens At least 2, both marks included; what does not fit is cut from the text's end.
   */
  encode(text: string, maxTokens: number): number[] {
    const ids = [START];
    this.#eachStretch(foldForTokens(text), (length) => {
      const first = ids.length;
      this.#eachPieceBackwards(length, (id) => ids.push(id));
      reverseFrom(ids, first);
      return ids.length < maxTokens;
    });
    ids.length = Math.min(ids.length, maxTokens - 1);
    ids.push(END);
    return ids;
  }

  /** How many ids `encode` gives when nothing is cut; keeps no list of them. */
  countTokens(text: string): number {
    let count = 2;
    this.#eachStretch(foldForTokens(text), (length) => {
      this.#eachPieceBackwards(length, () => {
        count += 1;
      });
      return true;
    });
    return count;
  }

  /** Share of the characters, spaces aside, that no piece covers: 0 to 1; 0 for a text without any. */
  unknownShare(text: string): number {
    const folded = foldForTokens(text);
    let unknown = 0;
    this.#eachStretch(folded, (length) => {
      for (let end = length; end > 0; end = this.#from[end]!) if (this.#piece[end] === UNKNOWN) unknown += 1;
      return true;
    });
    let characters = 0;
    for (const character of folded) if (character !== " ") characters += 1;
    return characters === 0 ? 0 : unknown / characters;
  }

  /** Segments word after word and reports each stretch's length, until `visit` answers false. */
  #eachStretch(folded: string, visit: (length: number) => boolean): void {
    const units = this.#units;
    let at = 0;
    let isWordStart = true;
    while (at < folded.length) {
      let length = 0;
      if (isWordStart) units[length++] = WORD_MARK;
      const limit = Math.min(folded.length, at + MAX_STRETCH);
      let unit = 0;
      while (at < limit) {
        unit = folded.charCodeAt(at);
        if (unit === SPACE) break;
        units[length++] = unit;
        at += 1;
      }
      const isCut = at === limit && at < folded.length && folded.charCodeAt(at) !== SPACE;
      if (isCut && isHighSurrogate(unit)) {
        // The pair stays together, in the next stretch.
        length -= 1;
        at -= 1;
      }
      this.#segment(length);
      if (!visit(length)) return;
      isWordStart = !isCut;
      if (isWordStart) at += 1;
    }
  }

  /** Finds the likeliest pieces for the first `length` units of the stretch (Viterbi, left to right). */
  #segment(length: number): void {
    const units = this.#units;
    const best = this.#best;
    const from = this.#from;
    const piece = this.#piece;
    const base = this.#base;
    const check = this.#check;
    best.fill(Number.NEGATIVE_INFINITY, 1, length + 1);
    best[0] = 0;

    for (let start = 0; start < length; ) {
      const score = best[start]!;
      const width = characterWidth(units, start, length);
      let hasOwnPiece = false;
      let node = 0;
      for (let end = start; end < length; ) {
        const code = this.#codeOfUnit[units[end]!]!;
        const slot = base[node]! + code;
        if (code === 0 || slot >= check.length || check[slot] !== code) break;
        node = slot;
        end += 1;
        const id = this.#pieceAt[node]!;
        if (id !== NO_PIECE) {
          const total = score + this.#scores[id]!;
          if (total > best[end]!) {
            best[end] = total;
            from[end] = start;
            piece[end] = id;
          }
          if (end - start === width) hasOwnPiece = true;
        }
        if (base[node] === 0) break;
      }
      const next = start + width;
      if (!hasOwnPiece && score + this.#unknownScore > best[next]!) {
        best[next] = score + this.#unknownScore;
        from[next] = start;
        piece[next] = UNKNOWN;
      }
      start = next;
    }
  }

  /** Reports the pieces found, last first; neighbouring unknown characters count as one piece. */
  #eachPieceBackwards(length: number, visit: (id: number) => void): void {
    let previous = -1;
    for (let end = length; end > 0; end = this.#from[end]!) {
      const id = this.#piece[end]!;
      if (id !== UNKNOWN || previous !== UNKNOWN) visit(id);
      previous = id;
    }
  }
}

function characterWidth(units: Uint16Array, at: number, length: number): 1 | 2 {
  return isHighSurrogate(units[at]!) && at + 1 < length && (units[at + 1]! & 0xfc00) === 0xdc00 ? 2 : 1;
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function reverseFrom(ids: number[], first: number): void {
  for (let low = first, high = ids.length - 1; low < high; low++, high--) {
    const id = ids[low]!;
    ids[low] = ids[high]!;
    ids[high] = id;
  }
}
