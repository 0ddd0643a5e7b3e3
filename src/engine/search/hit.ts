/**
 * One fused candidate and its passage, as the hit that goes over the wire.
 *
 * Citations are made here: the spans of the query's terms, and where they occur. Ranking
 * is done by then; which hits there are is decided in `search-index.ts`.
 */
import type { FusedCandidate } from "../../core/candidate.ts";
import type { Passage } from "../../store/chunks.ts";
import type { Marking } from "./marking.ts";
import type { Hit } from "./search-answer.ts";

/** @param marking Made once for all hits. */
export function hitOf(
  { path, encoding, meta, chunk }: Passage,
  { score, scores }: FusedCandidate,
  marking: Marking,
): Hit {
  const spans = marking.spansIn(chunk.content);
  const headingSpans = chunk.heading === null ? null : marking.spansIn(chunk.heading);
  return {
    score,
    path,
    title: meta.title,
    heading: chunk.heading,
    heading_path: chunk.headingPath,
    topic: meta.topic,
    category: meta.category,
    date: meta.date,
    tags: meta.tags,
    content: chunk.content,
    ...(spans === null ? {} : { match_spans: spans }),
    ...(headingSpans === null || headingSpans.length === 0 ? {} : { heading_spans: headingSpans }),
    lines: chunk.lines,
    chunk_index: chunk.index,
    scores,
    matched_in: fieldsWithTerms(marking, chunk),
    quality: chunk.quality,
    encoding,
  };
}

function fieldsWithTerms(marking: Marking, chunk: Passage["chunk"]): Hit["matched_in"] {
  const fields = [
    ["heading", chunk.heading ?? ""],
    ["context", chunk.context],
    ["content", chunk.content],
  ] as const;
  return fields.filter(([, text]) => marking.isIn(text)).map(([name]) => name);
}
