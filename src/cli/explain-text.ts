/**
 * Explanations as text: what made a hit's score, and how the query was weighed, in lines that fit.
 *
 * The figures are the answer's own (`engine/search/explain.ts`); what stands around them on the
 * terminal is `hit-text.ts`.
 */
import type { AnswerExplanation, HitExplanation } from "../engine/search/search-answer.ts";
import { visible } from "./visible-text.ts";

/** One line for each part of the score, largest first, then what of the query is in the passage. */
export function linesOfHitExplanation(
  { legs, quoted, matched }: HitExplanation,
  columns: number,
): readonly string[] {
  const parts = Object.entries(legs).map(([leg, { rank, raw, scaled, weight, contribution }]) => ({
    contribution,
    text: `${leg}: rank ${rank}, raw ${figure(raw)}, scaled ${figure(scaled)} × ${figure(weight)}`,
  }));
  if (quoted !== undefined)
    parts.push({
      contribution: quoted.contribution,
      text: `quoted: ${Math.round(quoted.share * 100)} % of it is here; the legs count half`,
    });
  const found = [...new Set([...matched.terms, ...matched.phrases])].map(visible);
  const marks = matched.spans === 1 ? "1 mark" : `${matched.spans} marks`;
  return [
    ...parts
      .sort((a, b) => b.contribution - a.contribution)
      .flatMap(({ contribution, text }) =>
        wrapped(`${contribution.toFixed(3)} ${text}`.split(" "), " ", columns),
      ),
    ...wrapped(
      [...(found.length === 0 ? ["matched: nothing"] : [`matched: ${found[0]}`, ...found.slice(1)]), marks],
      ", ",
      columns,
    ),
  ];
}

/** The weights in effect, the pool, and what was looked for. */
export function linesOfAnswerExplanation(
  { is_pointed: isPointed, weights, terms, phrases, pool, order }: AnswerExplanation,
  columns: number,
): readonly string[] {
  const listed = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : wrapped([`${name}: ${items[0]}`, ...items.slice(1)], ", ", columns);
  return [
    ...listed(
      "weights",
      Object.entries(weights).map(([leg, weight]) => `${leg} ${figure(weight)}`),
    ),
    ...(isPointed
      ? wrapped("the query names something exactly: meaning counts less".split(" "), " ", columns)
      : []),
    ...listed("pool", [`${pool.passages} passages of ${pool.documents} documents`]),
    ...(order === "mmr" ? ["order: chosen for variety"] : []),
    ...listed(
      "terms",
      terms.map(({ text, passages, idf }) => `${visible(text)} (in ${passages}, idf ${idf.toFixed(1)})`),
    ),
    ...listed("phrases", phrases.map(visible)),
  ];
}

function figure(value: number): string {
  return value.toFixed(3).replace(/\.?0+$/, "");
}

/** Items in lines of at most `columns`; an item alone may be wider. */
function wrapped(items: readonly string[], separator: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const item of items) {
    const longer = line === "" ? item : `${line}${separator}${item}`;
    if (line !== "" && Bun.stringWidth(longer) > columns) {
      lines.push(`${line}${separator.trimEnd()}`);
      line = `  ${item}`;
    } else line = longer;
  }
  return [...lines, line];
}
