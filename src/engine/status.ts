/**
 * What is in the index and how fresh it is.
 *
 * snake_case, because `kb status --json` prints it as it is.
 */
import { statSync } from "node:fs";
import { ANALYSER_VERSION } from "../core/analyse.ts";
import { CHUNKER_VERSION } from "../core/chunk.ts";
import type { EmbedderRuntime } from "../core/embedder.ts";
import { NORMALIZER_VERSION } from "../core/normalize.ts";
import { QUERY_VERSION } from "../core/query/plan.ts";
import { PARSER_VERSION } from "../source/parser-version.ts";
import { readIdentity } from "../store/identity.ts";
import type { IndexDatabase } from "../store/open.ts";
import { SCHEMA_VERSION } from "../store/schema.ts";
import { listSkipped, listStaleDocuments, type StaleDocument } from "../store/skipped.ts";
import { readStatusCounts } from "../store/status-counts.ts";
import type { VectorEngineName } from "../store/vector-engine.ts";
import type { IndexReader } from "./index-reader.ts";

export interface StatusReport {
  readonly root: string;
  readonly index_file: string;
  /** Bytes, without the write-ahead log. */
  readonly index_bytes: number;
  readonly state: "ready" | "indexing" | "stale";
  /** End of the last finished run, ISO 8601 UTC. */
  readonly indexed_at: string | null;
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: { readonly coverage: number; readonly pending: number };
  /** Name of the model the vectors are from; null while there are none. */
  readonly model: string | null;
  /** What runs the model here, or would; `reason` says why it is not the native library. */
  readonly runtime: { readonly name: string; readonly reason?: string };
  /** What compares vectors on this machine; all give the same answers. */
  readonly vector_engine: VectorEngineName;
  /** Why it is not sqlite-vec; null if it is. */
  readonly vector_engine_reason: string | null;
  /** Versions of what the index and its answers are made by; equal ones compare. */
  readonly stages: {
    readonly schema: number;
    readonly parser: number;
    readonly chunker: number;
    readonly normalizer: number;
    readonly analyser: number;
    readonly query: number;
  };
  /** Documents that are as they were, since their files cannot be read now. */
  readonly stale: readonly StaleDocument[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

export function statusOf(
  root: string,
  db: IndexDatabase,
  reader: IndexReader,
  { name, reason }: EmbedderRuntime,
): StatusReport {
  const counts = readStatusCounts(db);
  return {
    root,
    index_file: db.file,
    index_bytes: statSync(db.file).size,
    state: reader.state(),
    indexed_at: reader.finishedAt(),
    documents: counts.documents,
    chunks: counts.chunks,
    vectors: { coverage: counts.vectorCoverage, pending: counts.pending },
    model: readIdentity(db)?.name ?? null,
    runtime: { name, ...(reason === undefined ? {} : { reason }) },
    vector_engine: db.vectorEngine.name,
    vector_engine_reason: db.vectorEngine.reason ?? null,
    stages: {
      schema: SCHEMA_VERSION,
      parser: PARSER_VERSION,
      chunker: CHUNKER_VERSION,
      normalizer: NORMALIZER_VERSION,
      analyser: ANALYSER_VERSION,
      query: QUERY_VERSION,
    },
    stale: listStaleDocuments(db),
    skipped: listSkipped(db).map(({ path, reason }) => ({ path, reason })),
  };
}
