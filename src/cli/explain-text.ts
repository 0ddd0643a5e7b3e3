/**
 * Explanations as text: what made a hit's score, and how the query was weighed, in lines that fit.
 *
 * The figures are the answer's own (`engine/search/explain.ts`); what stands around them on the
 * terminal is `hit-text.ts`.
 */

import { visible } from "../core/visible-text.ts";
import type { AnswerExplanation, HitExplanation } from "../engine/search/search-answer.ts";

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
      .map(({ contribution, text }) => `${contribution.toFixed(3)} ${text}`),
    `matched: ${[...(found.length === 0 ? ["nothing"] : found), marks].join(", ")}`,
  ].flatMap((line) => wrapped(line, columns));
}

/** The weights in effect, the pool, and what was looked for. */
export function linesOfAnswerExplanation(
  { is_pointed: isPointed, weights, terms, phrases, pool, order }: AnswerExplanation,
  columns: number,
): readonly string[] {
  const listed = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${name}: ${items.join(", ")}`];
  return [
    ...listed(
      "weights",
      Object.entries(weights).map(([leg, weight]) => `${leg} ${figure(weight)}`),
    ),
    ...(isPointed ? ["the query names something exactly: meaning counts less"] : []),
    `pool: ${pool.passages} passages of ${pool.documents} documents`,
    ...(order === "mmr" ? ["order: chosen for variety"] : []),
    ...listed(
      "terms",
      terms.map(({ text, passages, idf }) => `${visible(text)} (in ${passages}, idf ${idf.toFixed(1)})`),
    ),
    ...listed("phrases", phrases.map(visible)),
  ].flatMap((line) => wrapped(line, columns));
}

function figure(value: number): string {
  return value.toFixed(3).replace(/\.?0+$/, "");
}

/** The words in lines of at most `columns`, those after the first indented; a word alone may be wider. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && Bun.stringWidth(longer) > columns) {
      lines.push(line);
      line = `  ${word}`;
    } else line = longer;
  }
  return [...lines, line];
}
