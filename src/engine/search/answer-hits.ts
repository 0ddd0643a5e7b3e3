/**
 * The chosen groups as hits: passages fetched, widened, marked, with what else of their documents was found.
 *
 * Which groups there are and in which order is decided in `answer-groups.ts`; one passage as a
 * hit is `hit.ts`.
 */
import { getPassages } from "../../store/chunks.ts";
import { listChunkLines } from "../../store/document-chunks.ts";
import type { IndexDatabase } from "../../store/open.ts";
import type { RankedGroup } from "./answer-groups.ts";
import type { AnswerOptions } from "./answer-options.ts";
import { explainHit, type Weighing } from "./explain.ts";
import { hitOf } from "./hit.ts";
import type { Marking } from "./marking.ts";
import { expandHits } from "./parent-expansion.ts";
import type { ExpandedFrom, Hit } from "./search-answer.ts";

/** In the order of the groups. */
export function hitsOf(
  db: IndexDatabase,
  groups: readonly RankedGroup[],
  { expand, explain }: Pick<AnswerOptions, "expand" | "explain">,
  marking: Marking,
  weighing: Weighing,
): Hit[] {
  const passages = getPassages(
    db,
    groups.map(({ best }) => best.chunkId),
  );
  const expanded = expand === undefined ? undefined : expandHits(db, passages, expand);
  const others = groups.map((group, offset) =>
    group.others
      .filter(({ chunkIndex }) => !isShown(expanded?.[offset]?.expandedFrom, chunkIndex))
      .slice(0, GROUPED_MAX_COUNT),
  );
  const lines = listChunkLines(
    db,
    others.flat().map(({ chunkId }) => chunkId),
  );
  return passages.map((passage, offset) => {
    const candidate = groups[offset]!.best;
    const shown = expanded?.[offset];
    const hit = hitOf(
      shown === undefined
        ? passage
        : { ...passage, chunk: { ...passage.chunk, content: shown.content, lines: shown.lines } },
      candidate,
      marking,
    );
    const grouped = others[offset]!.flatMap(({ chunkId, chunkIndex, score }) => {
      const own = lines.get(chunkId);
      return own === undefined ? [] : [{ lines: own, chunk_index: chunkIndex, score }];
    });
    return {
      ...hit,
      ...(shown === undefined ? {} : { expanded_from: shown.expandedFrom }),
      ...(grouped.length === 0 ? {} : { grouped }),
      ...(explain ? { explain: explainHit(weighing, candidate, passage, hit.match_spans?.length ?? 0) } : {}),
    };
  });
}

/** Whether a widened hit has the text of that chunk already. */
function isShown(from: ExpandedFrom | undefined, chunkIndex: number): boolean {
  if (from === undefined) return false;
  return from.kind === "whole_document" || (chunkIndex >= from.from_index && chunkIndex <= from.to_index);
}

/** More are not worth their room: whoever wants all of a document reads it. */
const GROUPED_MAX_COUNT = 10;
