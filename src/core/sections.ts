/**
 * Sections: the flat list of blocks, grouped under their headings.
 *
 * In go a document's blocks, out come its sections in file order, each knowing its
 * parent. Cutting a section to a token budget is done in `core/split-section.ts`,
 * joining short ones in `core/chunk.ts`.
 */
import type { Block, LineRange } from "./document.ts";

export interface Section {
  /** Offset in the list of sections. */
  readonly id: number;
  /** Id of the section whose heading encloses this one, or -1 under no heading. */
  readonly parent: number;
  /** The heading's block; null for what stands before the first one. */
  readonly heading: Block | null;
  /** Texts of the enclosing headings and the own one, outermost first. */
  readonly headingPath: readonly string[];
  readonly blocks: readonly Block[];
  /** Whether a deeper heading follows before one of the same or a higher level. */
  readonly hasChildren: boolean;
}

/** A section's blocks as one text; line n of it is line `firstLine + n` of the file, counted from 0, and further by its gaps. */
export interface SectionText {
  readonly text: string;
  readonly firstLine: number;
  /** Where each block lies in `text`, in UTF-16 units, in order. */
  readonly spans: readonly BlockSpan[];
  /** Where lines of the file are left out, in order. */
  readonly gaps: readonly LineGap[];
}

export interface LineGap {
  /** In UTF-16 units: where the text goes on. */
  readonly at: number;
  /** How many lines there are more in the file. */
  readonly lines: number;
}

export interface BlockSpan {
  readonly kind: Block["kind"];
  readonly start: number;
  readonly end: number;
}

/** Every block lands in exactly one section; a document without headings is one section. */
export function listSections(blocks: readonly Block[]): Section[] {
  const sections: Section[] = [];
  const open: Section[] = [];
  let members: Block[] = [];
  if (blocks.length > 0 && blocks[0]!.kind !== "heading") {
    sections.push({
      id: 0,
      parent: NO_PARENT,
      heading: null,
      headingPath: [],
      blocks: members,
      hasChildren: false,
    });
  }
  for (const block of blocks) {
    if (block.kind !== "heading") {
      members.push(block);
      continue;
    }
    while (open.length > 0 && levelOf(open.at(-1)!) >= (block.level ?? 1)) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined && !parent.hasChildren) {
      const marked = { ...parent, hasChildren: true };
      open[open.length - 1] = marked;
      sections[parent.id] = marked;
    }
    members = [];
    const section: Section = {
      id: sections.length,
      parent: parent?.id ?? NO_PARENT,
      heading: block,
      headingPath: [...(parent?.headingPath ?? []), block.text],
      blocks: members,
      hasChildren: false,
    };
    sections.push(section);
    open.push(section);
  }
  return sections;
}

/** Puts blocks back on their lines: what lay between two of them becomes empty lines, one where text was left out. */
export function joinBlocks(blocks: readonly Block[]): SectionText {
  const parts: string[] = [];
  const spans: BlockSpan[] = [];
  const gaps: LineGap[] = [];
  let length = 0;
  let previous: LineRange | undefined;
  for (const { kind, text, lines, goesOn = false, followsGap = false } of blocks) {
    if (previous !== undefined && !goesOn) {
      const inFile = Math.max(1, lines.start - previous.end);
      const gap = "\n".repeat(followsGap ? Math.min(2, inFile) : inFile);
      parts.push(gap);
      length += gap.length;
      if (gap.length < inFile) gaps.push({ at: length, lines: inFile - gap.length });
    }
    parts.push(text);
    spans.push({ kind, start: length, end: length + text.length });
    length += text.length;
    previous = lines;
  }
  return { text: parts.join(""), firstLine: blocks[0]?.lines.start ?? 1, spans, gaps };
}

const NO_PARENT = -1;

function levelOf(section: Section): number {
  return section.heading?.level ?? 1;
}
