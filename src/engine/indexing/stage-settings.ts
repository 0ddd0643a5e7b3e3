/**
 * What the stages of indexing are told by the configuration.
 *
 * In goes a checked configuration, out come the options that `source/` and the chunker take. Used by the
 * runs and by those who say what a run would find.
 */
import type { Config } from "../../config/schema.ts";
import type { WalkOptions } from "../../source/walk.ts";
import type { ChunkSettings } from "./prepare-document.ts";

/** Which files are documents. */
export function walkOptionsOf({ index }: Config): WalkOptions {
  return {
    extensions: index.extensions.map((extension) => extension.replace(/^\./, "")),
    excludeDirs: index.exclude_dirs,
    hidden: index.hidden,
    gitignore: index.gitignore,
  };
}

/** How large chunks are, and whether they carry their breadcrumb. */
export function chunkSettingsOf({ chunk, contextual }: Config): ChunkSettings {
  return {
    maxTokens: chunk.max_tokens,
    overlapTokens: chunk.overlap_tokens,
    hasContext: contextual.enabled,
  };
}
