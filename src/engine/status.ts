/**
 * What is in the index and how fresh it is.
 *
 * snake_case, because `kb status --json` prints it as it is. Whether all of it is in order is
 * asked by `diagnose.ts`.
 */
import { statSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import type { Embedder } from "../core/embedder.ts";
import { AppError } from "../errors.ts";
import { type CrashingPassage, listCrashingPassages } from "../store/crashing-texts.ts";
import { findDamageInPassing } from "../store/damage-probe.ts";
import { readIdentity } from "../store/identity.ts";
import type { IndexDatabase } from "../store/open.ts";
import type { StageCount } from "../store/readings.ts";
import { findRun } from "../store/run-record.ts";
import { listSkipped, listStaleDocuments, type StaleDocument } from "../store/skipped.ts";
import { readStatusCounts } from "../store/status-counts.ts";
import type { VectorEngineName } from "../store/vector-engine.ts";
import type { WriterHolder } from "../store/writer-lock.ts";
import type { IndexReader } from "./index-reader.ts";
import { crashMaker } from "./indexing/crash-maker.ts";
import { type FolderChanges, findFolderChanges } from "./indexing/folder-changes.ts";
import { describeRun, measurePace, type RunReport, type VectorPace } from "./indexing/run-state.ts";
import { chunkSettingsOf, walkOptionsOf } from "./indexing/stage-settings.ts";
import { compareStages, STAGE_VERSIONS } from "./indexing/stage-versions.ts";

export interface StatusReport {
  readonly root: string;
  readonly index_file: string;
  /** Bytes, without the write-ahead log. */
  readonly index_bytes: number;
  /** Bytes of the write-ahead log, which the next writer folds into the file; 0 without one. */
  readonly index_log_bytes: number;
  readonly state: "ready" | "indexing" | "stale" | "damaged";
  /** What was found damaged in passing, which is not a whole check; null if nothing was. */
  readonly damage: string | null;
  /** End of the last finished run, ISO 8601 UTC. */
  readonly indexed_at: string | null;
  readonly last_run: RunReport | null;
  /** The process that is writing the index now. */
  readonly writer: WriterHolder | null;
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: {
    readonly coverage: number;
    readonly pending: number;
    /** While a run makes them. */
    readonly pace: VectorPace | null;
    /** Passages that get none, since the model ended kb at each of them twice; tried again when they change. */
    readonly crashing: readonly CrashingPassage[];
  };
  /** Files that are not as they were indexed, by their stat; null if looking would have taken too long. */
  readonly pending_changes: FolderChanges | null;
  /** Name of the model the vectors are from; null while there are none. */
  readonly model: string | null;
  /** What runs the model here, or would; `reason` says why it is not the native library. */
  readonly runtime: { readonly name: string; readonly reason?: string };
  /** What compares vectors on this machine; all give the same answers. */
  readonly vector_engine: VectorEngineName;
  /** Why it is not sqlite-vec; null if it is. */
  readonly vector_engine_reason: string | null;
  /** Versions of what the index and its answers are made by; equal ones compare. */
  readonly stages: typeof STAGE_VERSIONS;
  /** What the documents of the index were made by. */
  readonly recorded_stages: readonly StageCount[];
  /** Documents that the next run makes anew, since they were made by other stages or settings. */
  readonly outdated_documents: number;
  /** Documents that are as they were, since their files cannot be read now. */
  readonly stale: readonly StaleDocument[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

export interface StatusParts {
  readonly root: string;
  readonly config: Config;
  readonly db: IndexDatabase;
  readonly reader: IndexReader;
  readonly embedder: Embedder;
}

/** Looking through the folder ends after this: some 40,000 files on two busy cores. */
const LOOK_BUDGET_MS = 500;

/** @throws {AppError} `config` if the runtime asked for does not load. */
export function statusOf({ root, config, db, reader, embedder }: StatusParts): StatusReport {
  const { name, reason } = embedder.findRuntime();
  const damage = findDamageInPassing(db) ?? null;
  const counts = readStatusCounts(db);
  const run = findRun(db);
  const writer = reader.writer();
  const stages = compareStages(db, chunkSettingsOf(config), embedder);
  return {
    root,
    index_file: db.file,
    index_bytes: statSync(db.file).size,
    index_log_bytes: statSync(`${db.file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    state: damage === null ? reader.state() : "damaged",
    damage,
    indexed_at: reader.finishedAt(),
    last_run: describeRun(run, writer),
    writer: writer === undefined ? null : { pid: writer.pid, hostname: writer.hostname, since: writer.since },
    documents: counts.documents,
    chunks: counts.chunks,
    vectors: {
      coverage: counts.vectorCoverage,
      pending: counts.pending,
      pace: measurePace(run, writer, counts.pending, Date.now()),
      crashing: listCrashingPassages(db, crashMaker(embedder)),
    },
    pending_changes: findPendingChanges(root, db, config),
    model: readIdentity(db)?.name ?? null,
    runtime: { name, ...(reason === undefined ? {} : { reason }) },
    vector_engine: db.vectorEngine.name,
    vector_engine_reason: db.vectorEngine.reason ?? null,
    stages: STAGE_VERSIONS,
    recorded_stages: stages.recorded,
    outdated_documents: stages.outdated,
    stale: listStaleDocuments(db),
    skipped: listSkipped(db).map(({ path, reason }) => ({ path, reason })),
  };
}

function findPendingChanges(root: string, db: IndexDatabase, config: Config): FolderChanges | null {
  try {
    return findFolderChanges(root, db, walkOptionsOf(config), LOOK_BUDGET_MS) ?? null;
  } catch (thrown) {
    if (thrown instanceof AppError) return null; // the folder cannot be listed, and its index still tells its state
    throw thrown;
  }
}
