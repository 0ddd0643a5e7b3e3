/**
 * Leads: what lies in the file between one chunk's text and the next one's.
 *
 * In go the headings there and the lines on either side, out comes the text that joins the two
 * chunks again. Cutting chunks is done in `core/chunk.ts`, joining them for reading in
 * `core/expand.ts`.
 */
import type { Block } from "./document.ts";
import type { Slice } from "./split-section.ts";

/** How a chunk joins on to the one before, as `Chunk` says. */
export interface Joint {
  readonly lead: string;
  readonly repeats: number;
}

/** In a lead, a line of the file that is left out. No text has this character. */
export const LEFT_OUT_LINE = "\0";

/** A heading as it is written in the file. */
export function headingSource({ source, level = 1, text }: Block): string {
  return source ?? `${"#".repeat(level)} ${text}`;
}

/**
 * The joint between the text of one section and the next.
 *
 * @param previousEnd Last line of the chunk before; undefined for the first chunk, whose lead begins with its heading.
 * @param headings Those between the two, in file order.
 * @param next The first block of the text that follows.
 */
export function jointOfSections(
  previousEnd: number | undefined,
  headings: readonly Block[],
  next: Pick<Block, "lines" | "followsGap">,
): Joint {
  let lead = "";
  let line = previousEnd;
  const goTo = ({ lines, followsGap }: Pick<Block, "lines" | "followsGap">) => {
    if (line === undefined) return;
    const lineFeeds = Math.max(1, lines.start - line);
    const kept = followsGap ? Math.min(2, lineFeeds) : lineFeeds;
    lead += "\n".repeat(kept) + LEFT_OUT_LINE.repeat(lineFeeds - kept);
  };
  for (const heading of headings) {
    goTo(heading);
    lead += headingSource(heading);
    line = heading.lines.end;
  }
  goTo(next);
  return { lead, repeats: 0 };
}

/** The joint between two slices that follow each other in a text. */
export function jointOfSlices(text: string, before: Slice, slice: Slice): Joint {
  return {
    lead: text.slice(before.end, slice.start),
    repeats: Math.max(0, before.end - slice.start),
  };
}
