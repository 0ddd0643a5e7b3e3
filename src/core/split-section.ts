/**
 * Splitting: one section's text in, slices of it under a token budget out.
 *
 * A slice is a contiguous range, cut at the coarsest border that fits: blocks, then
 * paragraphs, lines, sentences, words. The next slice may begin with the
 * last sentences of the one before. A text may come in parts (`core/chunk-parts.ts`). Where the borders lie is known to
 * `core/sentences.ts`; breadcrumbs and line numbers are added in `core/chunk.ts`.
 */
import type { Block } from "./document.ts";
import type { BlockSpan, SectionText } from "./sections.ts";
import { LONGEST_WORD_PIECE, lineEnds, paragraphEnds, sentenceEnds, wordEnds } from "./sentences.ts";

export interface SplitOptions {
  /** Most tokens of one slice; at least 1. */
  readonly budgetTokens: number;
  /** Most tokens repeated from the slice before; 0 for none. */
  readonly overlapTokens: number;
  /** Tokens of a text; roughly additive, called on pieces only. */
  readonly countTokens: (text: string) => number;
}

/** A range of the section's text in UTF-16 units, without blank lines around it. */
export interface Slice {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

/**
 * Cuts a section into slices, in order, that cover everything but white space.
 *
 * Takes time linear in the text. Each slice has at most `budgetTokens` tokens; only a
 * single code point that has more is left as it is.
 */
export function splitSection(section: SectionText, options: SplitOptions): Slice[] {
  const { text } = section;
  if (isTriedWhole(text.length, options)) {
    const whole = trimmed(text, 0, text.length);
    const tokens = options.countTokens(text.slice(whole.start, whole.end));
    if (whole.start < whole.end && tokens <= options.budgetTokens) return [{ ...whole, tokens }];
  }
  return pack(text, { pieces: listPieces(section, options), first: 0 }, options, true);
}

/** Whether a section of that many UTF-16 units is tried as one slice before it is looked into. */
export function isTriedWhole(units: number, { budgetTokens }: SplitOptions): boolean {
  return units <= budgetTokens * MOST_UNITS_PER_TOKEN;
}

/** What is left to be packed of a text that is read in parts; offsets count in the text at hand. */
export interface Packing {
  readonly pieces: readonly Piece[];
  /** The first piece that is in no slice yet. */
  first: number;
  /** The slice before that, if there is one. */
  before?: Slice;
}

/** A range of the text that is kept together; coarser where it fits the budget. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly kind: Block["kind"];
  /** Start of the block it comes from. */
  readonly blockStart: number;
  /** Whether a reader would pause at its end: end of a block, a sentence or a list line. */
  readonly isComplete: boolean;
}

/** No token of ordinary text is longer, so a longer text is split without counting it first. */
const LONGEST_TOKEN_UNITS = 32;
/** UTF-16 units per token that hardly any text exceeds: a longer section is not tried as a whole. */
const MOST_UNITS_PER_TOKEN = 5;
/** A slice gives up at most this share of its tokens to end at a complete piece. */
const LARGEST_SHARE_GIVEN_UP = 1 / 3;
/** Finds the ends of the pieces of a range; from coarse to fine. */
const BORDERS = [paragraphEnds, lineEnds, sentenceEnds, wordEnds] as const;
const SENTENCE_END = /[。！？!?.．｡][」』）】〕〉》］｝)\]}"'”’»*_]*\s*$/u;
/** Kinds whose last sentences still make sense when repeated without what came before. */
const PROSE: ReadonlySet<Block["kind"]> = new Set(["paragraph", "list", "other"]);

/** The pieces of a section's text, in order, from which its slices are made. */
export function listPieces({ text, spans }: SectionText, options: SplitOptions): Piece[] {
  const pieces: Piece[] = [];
  for (const span of spans) addPieces(span, span.start, span.end, 0);

  function addPieces(span: BlockSpan, start: number, end: number, fineness: number): void {
    if (isCountable(end - start, options)) {
      const tokens = options.countTokens(text.slice(start, end));
      if (tokens <= options.budgetTokens || !isSplittable(text, start, end)) {
        pieces.push(pieceOf(span, start, end, tokens));
        return;
      }
    }
    let finer = fineness;
    let ends: readonly number[] = [];
    while (ends.length < 2) {
      ends = (BORDERS[finer] ?? halves)(text, start, end);
      finer += 1;
    }
    let from = start;
    for (const to of ends) {
      addPieces(span, from, to, finer);
      from = to;
    }
  }

  function pieceOf({ kind, ...block }: BlockSpan, start: number, end: number, tokens: number): Piece {
    const isListLine = kind === "list" && text[end - 1] === "\n";
    const isComplete =
      end === block.end || isListLine || SENTENCE_END.test(text.slice(Math.max(start, end - 16), end));
    return { start, end, tokens, kind, blockStart: block.start, isComplete };
  }

  return pieces;
}

/**
 * Makes slices of the pieces, and moves `packing` on behind them.
 *
 * @param isEnd Whether no pieces follow; else what depends on those stays unpacked.
 */
export function pack(text: string, packing: Packing, options: SplitOptions, isEnd: boolean): Slice[] {
  const { budgetTokens, countTokens } = options;
  const { pieces } = packing;
  const slices: Slice[] = [];
  while (packing.first < pieces.length) {
    const { first, before } = packing;
    const overlap = first === 0 ? undefined : findOverlap(text, before, pieces[first - 1]!, options);
    let start = pieces[first]!.start;
    let used = 0;
    if (overlap !== undefined && overlap.tokens + pieces[first]!.tokens <= budgetTokens) {
      start = overlap.start;
      used = overlap.tokens;
    }
    let next = first;
    while (next < pieces.length && used + pieces[next]!.tokens <= budgetTokens) {
      used += pieces[next]!.tokens;
      next += 1;
    }
    if (next >= pieces.length && !isEnd) break;
    next = backToComplete(pieces, first, Math.max(next, first + 1), used);

    // The sum of the pieces is an estimate; what is kept has been counted as a whole.
    let range = trimmed(text, start, pieces[next - 1]!.end);
    let tokens = isPiece(range, pieces[first]!)
      ? pieces[first]!.tokens
      : countTokens(text.slice(range.start, range.end));
    while (tokens > budgetTokens && (start < pieces[first]!.start || next > first + 1)) {
      if (start < pieces[first]!.start) start = pieces[first]!.start;
      else next -= 1;
      range = trimmed(text, start, pieces[next - 1]!.end);
      tokens = countTokens(text.slice(range.start, range.end));
    }
    if (range.start < range.end) {
      packing.before = { ...range, tokens };
      slices.push(packing.before);
    }
    packing.first = next;
  }
  return slices;
}

/** Moves the end of a slice back to the last complete piece, if that is near. */
function backToComplete(pieces: readonly Piece[], first: number, next: number, used: number): number {
  if (next >= pieces.length) return next;
  let givenUp = 0;
  for (let last = next - 1; last >= first; last -= 1) {
    if (pieces[last]!.isComplete) return last + 1;
    givenUp += pieces[last]!.tokens;
    if (givenUp > used * LARGEST_SHARE_GIVEN_UP) return next;
  }
  return next;
}

/** The longest run of whole sentences at the end of `before` that the overlap has room for. */
function findOverlap(
  text: string,
  before: Slice | undefined,
  lastPiece: Piece,
  { overlapTokens, countTokens }: SplitOptions,
): { readonly start: number; readonly tokens: number } | undefined {
  if (before === undefined || overlapTokens <= 0) return undefined;
  if (!lastPiece.isComplete || !PROSE.has(lastPiece.kind)) return undefined;
  const { end } = before;
  const from = Math.max(before.start, lastPiece.blockStart, end - overlapTokens * LONGEST_TOKEN_UNITS);
  const starts = new Set(sentenceEnds(text, from, end));
  if (lastPiece.kind === "list") for (const lineEnd of lineEnds(text, from, end)) starts.add(lineEnd);
  if (from === lastPiece.blockStart) starts.add(from);

  let found: { start: number; tokens: number } | undefined;
  for (const start of [...starts].sort((a, b) => b - a)) {
    if (start >= end || start <= before.start) continue;
    const tokens = countTokens(text.slice(start, end));
    if (tokens > overlapTokens) break;
    found = { start, tokens };
  }
  return found;
}

/** Takes blank lines off both sides, and white space off the end; indentation of the first line stays. */
function trimmed(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  const content = text.slice(start, end).trimEnd();
  const firstCharacter = content.length - content.trimStart().length;
  const lineFeed = firstCharacter === 0 ? -1 : content.lastIndexOf("\n", firstCharacter - 1);
  return { start: start + lineFeed + 1, end: start + content.length };
}

function isPiece(range: { readonly start: number; readonly end: number }, piece: Piece): boolean {
  return range.start === piece.start && range.end === piece.end;
}

/** Two pieces, for a word that is over the budget by itself. */
function halves(text: string, start: number, end: number): number[] {
  return wordEnds(text, start, end, Math.max(1, (end - start) >> 1));
}

function isSplittable(text: string, start: number, end: number): boolean {
  return wordEnds(text, start, end, Math.min(LONGEST_WORD_PIECE, Math.max(1, (end - start) >> 1))).length > 1;
}

function isCountable(units: number, { budgetTokens }: SplitOptions): boolean {
  return units <= budgetTokens * LONGEST_TOKEN_UNITS;
}
