/**
 * The versions of what makes an index and its answers, and what the index says it was made by.
 *
 * Documents made by other stages than this kb's stay searchable, and are made anew by the next run.
 */
import { ANALYSER_VERSION } from "../../core/analyse.ts";
import { CHUNKER_VERSION } from "../../core/chunk.ts";
import type { Embedder } from "../../core/embedder.ts";
import { NORMALIZER_VERSION } from "../../core/normalize.ts";
import { QUERY_VERSION } from "../../core/query/plan.ts";
import { PARSER_VERSION } from "../../source/parser-version.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { countStages, type StageCount } from "../../store/readings.ts";
import { SCHEMA_VERSION } from "../../store/schema.ts";
import { type ChunkSettings, chunkerStamp, PARSER_STAMP } from "./prepare-document.ts";

/** Of this kb; equal ones compare. */
export const STAGE_VERSIONS = {
  schema: SCHEMA_VERSION,
  parser: PARSER_VERSION,
  chunker: CHUNKER_VERSION,
  normalizer: NORMALIZER_VERSION,
  analyser: ANALYSER_VERSION,
  query: QUERY_VERSION,
} as const;

export interface RecordedStages {
  /** What documents were made by; the chunker with its settings, its model, normaliser and analyser. */
  readonly recorded: readonly StageCount[];
  /** How many of them this kb, with the settings of now, would make otherwise. */
  readonly outdated: number;
}

/** What the index was made by, compared with what would make it now. */
export function compareStages(
  db: IndexDatabase,
  settings: ChunkSettings,
  embedder: Pick<Embedder, "identity">,
): RecordedStages {
  const stamp = chunkerStamp(settings, embedder);
  const recorded = countStages(db);
  const outdated = recorded
    .filter(({ parser, chunker }) => parser !== PARSER_STAMP || chunker !== stamp)
    .reduce((sum, { documents }) => sum + documents, 0);
  return { recorded, outdated };
}
