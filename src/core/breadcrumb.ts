/**
 * Breadcrumbs: the line of titles and headings that says where a chunk stands.
 *
 * In go the document's title and the headings above a chunk, out comes one line.
 * Making room for it in the token budget is done in `core/chunk.ts`.
 */

/** Longest breadcrumb, in code points. */
export const BREADCRUMB_CODE_POINTS = 200;

/**
 * Joins the parts with ` > `, outermost first.
 *
 * Parts are trimmed; blank ones and repetitions of the part before are left out.
 * Cut at the end to `BREADCRUMB_CODE_POINTS`; empty if nothing is left.
 */
export function formatBreadcrumb(parts: readonly string[]): string {
  const kept: string[] = [];
  for (const part of parts) {
    const text = part.trim();
    if (text !== "" && text !== kept.at(-1)) kept.push(text);
  }
  return cutCodePoints(kept.join(" > "), BREADCRUMB_CODE_POINTS);
}

/**
 * The longest beginning of `breadcrumb`, to a code point, that has at most `maxTokens` tokens.
 *
 * Assumes that a longer beginning never has fewer tokens; where that does not
 * hold the answer may be shorter than possible, never longer than allowed.
 */
export function cutToTokens(
  breadcrumb: string,
  maxTokens: number,
  countTokens: (text: string) => number,
): string {
  if (breadcrumb === "" || countTokens(breadcrumb) <= maxTokens) return breadcrumb;
  const points = [...breadcrumb];
  let fits = 0;
  let tooMany = points.length;
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (countTokens(points.slice(0, middle).join("").trimEnd()) <= maxTokens) fits = middle;
    else tooMany = middle;
  }
  return points.slice(0, fits).join("").trimEnd();
}

function cutCodePoints(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max ? text : points.slice(0, max).join("").trimEnd();
}
