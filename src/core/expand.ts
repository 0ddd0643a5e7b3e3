/**
 * Expansion: a passage and its neighbours in the document in, the wider text to read out.
 *
 * The same section comes first, then its siblings under the same heading, never more than the
 * budget. Several passages of one document share it without showing a line twice. Fetching the
 * neighbours, and which hits are widened, is done in `engine/search/parent-expansion.ts`.
 */
import { LEFT_OUT_LINE } from "./chunk-lead.ts";
import type { Chunk, LineRange } from "./document.ts";

/** What is needed of a chunk to join it with its neighbours. */
export type ChunkPart = Pick<
  Chunk,
  "index" | "headingPath" | "content" | "lead" | "repeats" | "lines" | "tokenCount"
>;

/** Chunks of one document, by index, both ends included. */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

export interface ExpandLimits {
  /** A smaller chunk is shown with its whole document, if that is within the budget. */
  readonly wholeDocumentBelowTokens: number;
  /** Most tokens of all chunks together; a chunk above it stays as it is. */
  readonly maxTokens: number;
}

/** A text to read, with its place in the file. */
export interface JoinedText {
  readonly content: string;
  readonly lines: LineRange;
}

/**
 * The chunks to show for one of them.
 *
 * Neighbours come in while they fit: those of the same section, the nearest first and of two equally
 * near ones the later; then those under the same parent heading. Nothing is skipped, so that the text
 * is one stretch of the document: a neighbour that is missing, does not fit, is not free or belongs
 * elsewhere ends that side.
 *
 * @param parts In document order, around the chunk; all of the document where it may be shown whole.
 * @param index Of a chunk that is among them.
 * @param totalChunks Of the document.
 * @param isFree False for a chunk that is shown elsewhere.
 */
export function rangeToShow(
  parts: readonly ChunkPart[],
  index: number,
  totalChunks: number,
  { wholeDocumentBelowTokens, maxTokens }: ExpandLimits,
  isFree: (index: number) => boolean,
): IndexRange {
  const at = parts.findIndex((part) => part.index === index);
  const own = parts[at]!;
  const growth = new Growth(parts, at, maxTokens, isFree);
  if (own.tokenCount > maxTokens) return growth.range;
  if (own.tokenCount < wholeDocumentBelowTokens) {
    const whole = new Growth(parts, at, maxTokens, isFree);
    whole.grow(() => true);
    const { from, to } = whole.range;
    if (from === 0 && to === totalChunks - 1) return whole.range;
  }
  const parent = own.headingPath.slice(0, -1);
  growth.grow(({ headingPath }) => isSamePath(headingPath, own.headingPath));
  growth.grow(({ headingPath }) => isSamePath(headingPath.slice(0, parent.length), parent));
  return growth.range;
}

/**
 * The text of neighbouring chunks as it stands in the file, heading lines and empty lines included,
 * repeated sentences once. Where a comment was left out when it was read, one empty line is.
 *
 * @param parts At least one; each the neighbour of the one before. Headings above the first are shown
 *   where it follows a heading.
 */
export function joinChunks(parts: readonly ChunkPart[]): JoinedText {
  const [first, ...rest] = parts;
  const headings = (first!.lead ?? "").replace(LEADING_BLANK_LINES, "");
  const opening = headings.trim() === "" ? "" : headings;
  const content = rest.reduce(
    (text, { lead = "", repeats = 0, content: next }) => text + withoutGaps(lead) + next.slice(repeats),
    withoutGaps(opening) + first!.content,
  );
  return {
    content,
    lines: { start: first!.lines.start - countLines(opening), end: parts.at(-1)!.lines.end },
  };
}

/** Without the first `units` UTF-16 units, which are shown before it. */
export function withoutStart({ content, lines }: JoinedText, units: number): JoinedText {
  const rest = content.slice(units);
  const kept = rest.replace(LEADING_BLANK_LINES, "").trimStart();
  const dropped = content.slice(0, content.length - kept.length);
  return { content: kept, lines: { ...lines, start: lines.start + countLineFeeds(dropped) } };
}

/** Without the last `units` UTF-16 units, which are shown after it. */
export function withoutEnd({ content, lines }: JoinedText, units: number): JoinedText {
  const kept = content.slice(0, content.length - units).trimEnd();
  return { content: kept, lines: { ...lines, end: lines.end - countLineFeeds(content.slice(kept.length)) } };
}

function withoutGaps(lead: string): string {
  return lead.replaceAll(LEFT_OUT_LINE, "");
}

const LEADING_BLANK_LINES = /^[\s\0]*\n\0*/;

/** A range around one part that grows to both sides. */
class Growth {
  readonly #parts: readonly ChunkPart[];
  readonly #at: number;
  readonly #maxTokens: number;
  readonly #isFree: (index: number) => boolean;
  #from: number;
  #to: number;
  #tokens: number;

  constructor(
    parts: readonly ChunkPart[],
    at: number,
    maxTokens: number,
    isFree: (index: number) => boolean,
  ) {
    this.#parts = parts;
    this.#at = at;
    this.#maxTokens = maxTokens;
    this.#isFree = isFree;
    this.#from = at;
    this.#to = at;
    this.#tokens = parts[at]!.tokenCount;
  }

  get range(): IndexRange {
    return { from: this.#parts[this.#from]!.index, to: this.#parts[this.#to]!.index };
  }

  /** Takes neighbours in while one of them belongs and fits. */
  grow(belongs: (part: ChunkPart) => boolean): void {
    for (;;) {
      const after = this.#accepts(this.#to, this.#to + 1, this.#to + 1, belongs);
      const before = this.#accepts(this.#from - 1, this.#from, this.#from - 1, belongs);
      if (!after && !before) return;
      const isAfterNearer = this.#to - this.#at <= this.#at - this.#from;
      if (after && (isAfterNearer || !before)) this.#take(++this.#to);
      else this.#take(--this.#from);
    }
  }

  #accepts(first: number, second: number, candidate: number, belongs: (part: ChunkPart) => boolean): boolean {
    const [earlier, later, part] = [this.#parts[first], this.#parts[second], this.#parts[candidate]];
    return (
      earlier !== undefined &&
      later !== undefined &&
      part !== undefined &&
      later.index === earlier.index + 1 &&
      later.lead !== undefined &&
      this.#tokens + part.tokenCount <= this.#maxTokens &&
      this.#isFree(part.index) &&
      belongs(part)
    );
  }

  #take(at: number): void {
    this.#tokens += this.#parts[at]!.tokenCount;
  }
}

function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((heading, at) => heading === b[at]);
}

/** Line feeds of a lead, and lines that it only stands for. */
function countLines(lead: string): number {
  return countLineFeeds(lead) + lead.split(LEFT_OUT_LINE).length - 1;
}

function countLineFeeds(text: string): number {
  return text.split("\n").length - 1;
}
