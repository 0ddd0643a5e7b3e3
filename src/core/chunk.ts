/**
 * Chunking: a document's blocks in, the units of storage and search out.
 *
 * Splits at every heading, then by a token budget, and joins sections too short to
 * stand alone. How tokens are counted is an argument. Finding sections is done in
 * `core/sections.ts`, cutting one in `core/split-section.ts`, scoring in `core/quality.ts`, doing
 * it for a text that is read in parts in `core/chunk-parts.ts`.
 */
import { cutToTokens, formatBreadcrumb } from "./breadcrumb.ts";
import { headingSource, type Joint, jointOfSections, jointOfSlices } from "./chunk-lead.ts";
import type { Block, Chunk, LineRange } from "./document.ts";
import { qualityOf } from "./quality.ts";
import { joinBlocks, listSections, type Section, type SectionText } from "./sections.ts";
import { type Slice, splitSection } from "./split-section.ts";

/** Raised whenever the same blocks and options would give other chunks, or chunks of another quality. */
export const CHUNKER_VERSION = 3;

/** A section with fewer tokens, heading included, joins the chunk before it if it can. */
export const SHORT_SECTION_TOKENS = 40;

export interface ChunkOptions {
  /** Most tokens of a chunk's whole embedding input. */
  readonly maxTokens: number;
  /** Most tokens a part of a section repeats from the part before; 0 for none. */
  readonly overlapTokens: number;
  /** Tokens the embedder adds to any text: prefix and specials. */
  readonly fixedTokens: number;
  /** Whether a chunk's breadcrumb is embedded and indexed with it; true if not given. */
  readonly hasContext?: boolean;
  /** Tokens of a text by itself, 0 for the empty one; roughly additive. Called on pieces, never on growing prefixes. */
  readonly countTokens: (text: string) => number;
}

/**
 * Cuts a document into chunks in file order, numbered from 0.
 *
 * For each chunk, `fixedTokens` and the tokens of context and content add up to at most
 * `maxTokens`. A chunk's content is a contiguous range of the file's lines, apart
 * from comments and a first or last line cut at a sentence. No text is lost: a heading with
 * nothing under it stays in the heading paths of its subsections or becomes content.
 * The same arguments give the same chunks. Takes time linear in the text.
 *
 * @param title Heads every breadcrumb.
 * @throws {RangeError} If `maxTokens` leaves no room beside `fixedTokens`, or `overlapTokens` is
 *   negative or not below `maxTokens`.
 */
export function chunkDocument(blocks: readonly Block[], title: string, options: ChunkOptions): Chunk[] {
  const { overlapTokens, fixedTokens, countTokens } = options;
  const budgetTokens = budgetOf(options);
  const drafts: Draft[] = [];
  let headings: Block[] = [];
  for (const section of listSections(blocks)) {
    const isEmpty = section.blocks.length === 0;
    if (section.heading !== null && (!isEmpty || section.hasChildren)) headings.push(section.heading);
    if (isEmpty && section.hasChildren) continue;
    const joined = joinToDraft(drafts.at(-1), section, budgetTokens, countTokens);
    if (joined !== undefined) {
      drafts[drafts.length - 1] = joined;
      headings = [];
      continue;
    }
    const { context, contextTokens } = contextOf([title, ...section.headingPath], budgetTokens, options);
    const text = joinBlocks(isEmpty ? [asContent(section.heading!)] : section.blocks);
    const slices = splitSection(text, {
      budgetTokens: budgetTokens - contextTokens,
      overlapTokens,
      countTokens,
    });
    const lines = linesOf(text, slices);
    for (const [offset, slice] of slices.entries()) {
      const before = slices[offset - 1];
      drafts.push({
        section,
        memberIds: [section.id],
        joint:
          before === undefined
            ? jointOfSections(drafts.at(-1)?.lines.end, headings, {
                ...(isEmpty ? section.heading! : section.blocks[0]!),
                lines: lines[offset]!,
              })
            : jointOfSlices(text.text, before, slice),
        context,
        contextTokens,
        content: text.text.slice(slice.start, slice.end),
        contentTokens: slice.tokens,
        lines: lines[offset]!,
      });
      headings = [];
    }
  }
  return drafts.map((draft, index) => toChunk(draft, index, fixedTokens));
}

/**
 * Tokens a chunk has for context and content.
 *
 * @throws {RangeError} As `chunkDocument`.
 */
export function budgetOf({ maxTokens, overlapTokens, fixedTokens }: ChunkOptions): number {
  const budgetTokens = maxTokens - fixedTokens;
  if (!(budgetTokens >= 1)) throw new RangeError(`maxTokens must be above ${fixedTokens}, got ${maxTokens}`);
  if (!(overlapTokens >= 0 && overlapTokens < maxTokens)) {
    throw new RangeError(`overlapTokens must be from 0 to below ${maxTokens}, got ${overlapTokens}`);
  }
  return budgetTokens;
}

/** The context of chunks at that place, outermost title first; a third of the budget is the most that is spent on it. */
export function contextOf(
  titles: readonly string[],
  budgetTokens: number,
  { countTokens, hasContext = true }: ChunkOptions,
): { readonly context: string; readonly contextTokens: number } {
  const breadcrumb = hasContext ? formatBreadcrumb([...titles]) : "";
  const context = cutToTokens(breadcrumb, Math.floor(budgetTokens / 3), countTokens);
  return { context, contextTokens: countTokens(context) };
}

/** A chunk that may still grow by the short section after it. */
interface Draft {
  readonly section: Section;
  /** Ids of the sections that have text in it. */
  readonly memberIds: readonly number[];
  readonly joint: Joint;
  readonly context: string;
  readonly contextTokens: number;
  readonly content: string;
  readonly contentTokens: number;
  readonly lines: LineRange;
}

/** The draft with a short section appended, heading line and all; undefined if it does not belong or fit there. */
function joinToDraft(
  draft: Draft | undefined,
  section: Section,
  budgetTokens: number,
  countTokens: (text: string) => number,
): Draft | undefined {
  if (draft === undefined || section.heading === null) return undefined;
  const isNeighbour = draft.section.parent === section.parent || draft.memberIds.includes(section.parent);
  if (!isNeighbour) return undefined;
  const { heading } = section;
  const { text, firstLine } = joinBlocks([asContent(heading), ...section.blocks]);
  if (text.length > SHORT_SECTION_TOKENS * LONGEST_SHORT_TOKEN_UNITS) return undefined;
  if (countTokens(text) >= SHORT_SECTION_TOKENS) return undefined;
  const lineFeeds = Math.max(1, firstLine - draft.lines.end);
  const gap = "\n".repeat(heading.followsGap ? Math.min(2, lineFeeds) : lineFeeds);
  const content = draft.content + gap + text;
  const contentTokens = countTokens(content);
  if (draft.contextTokens + contentTokens > budgetTokens) return undefined;
  const lastLines = (section.blocks.at(-1) ?? section.heading).lines;
  return {
    ...draft,
    memberIds: [...draft.memberIds, section.id],
    content,
    contentTokens,
    lines: { start: draft.lines.start, end: lastLines.end },
  };
}

/** Keeps long sections from being counted only to learn that they are not short. */
const LONGEST_SHORT_TOKEN_UNITS = 16;

/** A heading as it is written in the file, for the places where it has to be content. */
function asContent(heading: Block): Block {
  return { kind: "other", text: headingSource(heading), lines: heading.lines };
}

/** Lines of the file each slice touches; one pass, as slices never start before the one before. */
export function linesOf(
  { text, firstLine, gaps }: Pick<SectionText, "text" | "firstLine" | "gaps">,
  slices: readonly Slice[],
): LineRange[] {
  let at = 0;
  let line = firstLine;
  let nextGap = 0;
  return slices.map((slice) => {
    line += countLineFeeds(text, at, slice.start);
    for (; nextGap < gaps.length && gaps[nextGap]!.at <= slice.start; nextGap++) line += gaps[nextGap]!.lines;
    at = slice.start;
    let end = line + countLineFeeds(text, slice.start, slice.end);
    for (let gap = nextGap; gap < gaps.length && gaps[gap]!.at < slice.end; gap++) end += gaps[gap]!.lines;
    return { start: line, end };
  });
}

function countLineFeeds(text: string, start: number, end: number): number {
  // Searched in the range alone: in a line without end every search would run to the end of the text.
  const range = text.slice(start, end);
  let count = 0;
  for (let at = range.indexOf("\n"); at !== -1; at = range.indexOf("\n", at + 1)) count += 1;
  return count;
}

function toChunk(draft: Draft, index: number, fixedTokens: number): Chunk {
  const { section, joint, context, contextTokens, content, contentTokens, lines } = draft;
  return {
    index,
    heading: section.heading?.text ?? null,
    level: section.heading?.level ?? null,
    headingPath: section.headingPath,
    context,
    content,
    ...joint,
    lines,
    tokenCount: fixedTokens + contextTokens + contentTokens,
    quality: qualityOf(content),
  };
}
