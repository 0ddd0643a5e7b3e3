/**
 * One fused candidate and its passage, as the hit that goes over the wire.
 *
 * Citations are made here: the spans of the query's terms, and where they occur. Ranking
 * is done by then; which hits there are is decided in `search-index.ts`.
 */
import type { FusedCandidate } from "../core/candidate.ts";
import { matchSpans } from "../core/match-spans.ts";
import type { Passage } from "../store/chunks.ts";
import type { Hit } from "./search-answer.ts";

/** @param terms Of the whole query, as compiled once for all hits. */
export function hitOf(
  { path, encoding, meta, chunk }: Passage,
  { score, scores }: FusedCandidate,
  terms: readonly string[],
): Hit {
  const spans = matchSpans(terms, chunk.content);
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
    lines: chunk.lines,
    chunk_index: chunk.index,
    scores,
    matched_in: fieldsWithTerms(terms, chunk),
    quality: chunk.quality,
    encoding,
  };
}

function fieldsWithTerms(terms: readonly string[], chunk: Passage["chunk"]): Hit["matched_in"] {
  const folded = terms.map((term) => term.toLowerCase());
  const fields = [
    ["heading", chunk.heading ?? ""],
    ["context", chunk.context],
    ["content", chunk.content],
  ] as const;
  return fields
    .filter(([, text]) => {
      const lower = text.toLowerCase();
      return folded.some((term) => lower.includes(term));
    })
    .map(([name]) => name);
}
