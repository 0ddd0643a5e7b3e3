/**
 * Quality: how much a chunk's text says, as one number from 0 to 1.
 *
 * Only the content counts; headings do not. Hiding low scores is a threshold
 * applied at search time, not here.
 */

/** Below this many code points a text is a stub. */
const STUB_CODE_POINTS = 30;
/** A one-line text below this many code points has no structure. */
const UNSTRUCTURED_CODE_POINTS = 80;

// Penalties in tenths, so that the differences are exact.
const STUB_TENTHS = 6;
const BOILERPLATE_TENTHS = 5;
const UNSTRUCTURED_TENTHS = 3;

const BOILERPLATE: ReadonlySet<string> = new Set([
  "tbd",
  "todo",
  "wip",
  "n/a",
  "未定",
  "準備中",
  "(準備中)",
  "詳細は後述",
  "詳細は後述する",
  "ここに書く",
  "後で書く",
  "coming soon",
  "後述",
]);
const LONGEST_BOILERPLATE = 40;

/** 1 for ordinary text, less for stubs, placeholders and short one-liners, never below 0. */
export function qualityOf(content: string): number {
  const text = content.trim();
  const length = countCodePoints(text, UNSTRUCTURED_CODE_POINTS);
  let tenths = 10;
  if (length < STUB_CODE_POINTS) tenths -= STUB_TENTHS;
  if (isBoilerplate(text)) tenths -= BOILERPLATE_TENTHS;
  if (length < UNSTRUCTURED_CODE_POINTS && !text.includes("\n")) tenths -= UNSTRUCTURED_TENTHS;
  return Math.max(0, tenths) / 10;
}

function isBoilerplate(text: string): boolean {
  if (text.length > LONGEST_BOILERPLATE) return false;
  const bare = text.replace(/[.。、, \t]+$/, "");
  return BOILERPLATE.has(bare.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
}

/** Stops at `enough`: nothing above it makes a difference. */
function countCodePoints(text: string, enough: number): number {
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count >= enough) break;
  }
  return count;
}
