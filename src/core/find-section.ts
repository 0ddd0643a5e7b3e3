/**
 * Finding a section by what somebody calls it.
 *
 * In go a document's blocks and words from or of a heading, out come the lines of that section, its
 * deeper sections included. Grouping blocks under headings is done in `core/sections.ts`.
 */
import type { Block, LineRange } from "./document.ts";
import { listSections, type Section } from "./sections.ts";

export interface FoundSection {
  readonly heading: string;
  /** From the heading's line to the line before the next heading of the same or a higher level. */
  readonly lines: LineRange;
}

/**
 * The first section whose heading is `wanted`; else the first whose heading begins with it, else contains it. `A > B` names
 * the heading B somewhere below A. Letter case, width, and leading `#` do not count.
 *
 * @param lastLine Of the file; where a section ends that no heading ends.
 */
export function findSection(
  blocks: readonly Block[],
  wanted: string,
  lastLine: number,
): FoundSection | undefined {
  const sections = listSections(blocks);
  const path = wanted
    .split(/(?:^|\s)>(?:\s|$)/u)
    .map(fold)
    .filter((part) => part !== "");
  const found =
    sections.find((section) => fitsPath(section, [fold(wanted)], isSame)) ??
    sections.find((section) => fitsPath(section, path, isSame)) ??
    sections.find((section) => fitsPath(section, path, isBeginning)) ??
    sections.find((section) => fitsPath(section, path, isPart));
  const heading = found?.heading;
  if (found === undefined || heading === null || heading === undefined) return undefined;
  const level = heading.level ?? 1;
  const next = sections.find(({ id, heading: other }) => id > found.id && (other?.level ?? 1) <= level);
  const end = next?.heading == null ? lastLine : next.heading.lines.start - 1;
  return { heading: heading.text, lines: { start: heading.lines.start, end } };
}

/** Texts of the headings, in file order; at most down to `deepest`. */
export function listHeadings(blocks: readonly Block[], deepest = 6): string[] {
  return blocks.flatMap(({ kind, level = 1, text }) =>
    kind === "heading" && level <= deepest ? [text] : [],
  );
}

type Comparison = (heading: string, wanted: string) => boolean;

const isSame: Comparison = (heading, wanted) => heading === wanted;
const isBeginning: Comparison = (heading, wanted) => heading.startsWith(wanted);
const isPart: Comparison = (heading, wanted) => heading.includes(wanted);

/** Whether the own heading fits the last part, and the parts before it headings above, in that order. */
function fitsPath({ headingPath }: Section, path: readonly string[], fits: Comparison): boolean {
  const own = headingPath.at(-1);
  const last = path.at(-1);
  if (own === undefined || last === undefined || !fits(fold(own), last)) return false;
  let at = 0;
  for (const above of headingPath.slice(0, -1))
    if (at < path.length - 1 && fits(fold(above), path[at]!)) at += 1;
  return at === path.length - 1;
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^\s*#{1,6}\s+/u, "")
    .replace(/\s+/gu, " ")
    .trim();
}
