/**
 * Where normalised text comes from: the pieces of a scan in, offsets into the original out.
 *
 * All offsets are UTF-16 units, as searching a string yields them. Which characters make a
 * piece is decided while scanning, in `core/normalize.ts`; other units are made in
 * `core/span-units.ts`.
 */

/** Pieces in order, as columns; gaps between them in the original fold to nothing. */
export class OffsetMap {
  readonly #normalStarts: number[] = [];
  readonly #sourceStarts: number[] = [];
  /** End of the source of a whole character, or -1 where unit stands for unit. */
  readonly #characterEnds: number[] = [];

  /** Units that stand for one unit each, from here to the next piece. */
  addRun(normalStart: number, sourceStart: number): void {
    this.#add(normalStart, sourceStart, -1);
  }

  /** One character, which cannot be divided. */
  addCharacter(normalStart: number, sourceStart: number, sourceEnd: number): void {
    this.#add(normalStart, sourceStart, sourceEnd);
  }

  /** Start of the character that the normalised unit at `offset` is part of. */
  sourceStart(offset: number, source: string): number {
    const piece = this.#pieceOf(offset);
    if (this.#characterEnds[piece]! >= 0) return this.#sourceStarts[piece]!;
    const start = this.#sourceOf(piece, offset);
    return cutsPair(source, start) ? start - 1 : start;
  }

  /** End of the character that the normalised unit before `offset` is part of. */
  sourceEnd(offset: number, source: string): number {
    const piece = this.#pieceOf(offset - 1);
    const characterEnd = this.#characterEnds[piece]!;
    if (characterEnd >= 0) return characterEnd;
    const end = this.#sourceOf(piece, offset);
    return cutsPair(source, end) ? end + 1 : end;
  }

  #add(normalStart: number, sourceStart: number, characterEnd: number): void {
    this.#normalStarts.push(normalStart);
    this.#sourceStarts.push(sourceStart);
    this.#characterEnds.push(characterEnd);
  }

  #sourceOf(run: number, offset: number): number {
    return this.#sourceStarts[run]! + (offset - this.#normalStarts[run]!);
  }

  /** The last piece that starts at or before the offset. */
  #pieceOf(offset: number): number {
    let low = 0;
    let high = this.#normalStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#normalStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function cutsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && text.codePointAt(at - 1)! >= 0x1_0000;
}
