/**
 * Answers that are one text with words around it, made to fit the size of an answer.
 *
 * In goes how to make such an answer with so much text, out comes one of which both forms fit.
 */
import type { PageSize } from "../engine/document-page.ts";
import { jsonBytes, sizeInAnswer } from "./quoted-text.ts";
import type { ToolAnswer } from "./tool.ts";

/** @param make Called again with less where the words around the text took more than was thought. */
export function fittingAnswer(maxBytes: number, make: (size: PageSize) => ToolAnswer): ToolAnswer {
  let textBytes = maxBytes - FRAME_BYTES;
  for (;;) {
    const answer = make({ maxBytes: textBytes, sizeOf: sizeInAnswer });
    const excess = Math.max(jsonBytes(answer.structured), jsonBytes(answer.text)) - maxBytes;
    if (excess <= 0 || textBytes <= SMALLEST_TEXT_BYTES) return answer;
    textBytes = Math.max(SMALLEST_TEXT_BYTES, textBytes - excess);
  }
}

/** Path, title, lines, marks, as they mostly are. */
const FRAME_BYTES = 1024;

/** Of a document with absurdly long tags or headings at least so much text is shown. */
const SMALLEST_TEXT_BYTES = 512;
