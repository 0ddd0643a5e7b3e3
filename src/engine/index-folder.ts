/**
 * "Make the index equal to the folder": the one operation behind `kb index` and the server's start.
 *
 * It holds the writer lock, runs the text stage and then the vector stage, and leaves a
 * record of how far it came. Stopped or killed at any point it leaves a valid index, and
 * the next run goes on. `force` builds a new generation beside the old one.
 */
import type { Environment } from "../config/paths.ts";
import type { Config } from "../config/schema.ts";
import type { Embedder } from "../core/embedder.ts";
import { AppError } from "../errors.ts";
import { adoptRoot, replaceIdentity } from "../store/identity.ts";
import {
  createIndexLocation,
  findFileIdentity,
  findIndexFile,
  prepareIndexFolder,
  publishGeneration,
  startGeneration,
} from "../store/index-location.ts";
import { optimizeFullText, reclaimSpace } from "../store/maintenance.ts";
import { type IndexDatabase, openIndex } from "../store/open.ts";
import { recordRunFinish, recordRunOutcome, recordRunStart } from "../store/run-record.ts";
import { readStatusCounts } from "../store/status-counts.ts";
import type { VectorEngineOptions } from "../store/vector-engine.ts";
import { acquireWriterLock } from "../store/writer-lock.ts";
import { chooseIndexPlace, type IndexPlace } from "./index-place.ts";
import type { IndexProgress, IndexRunReport, TextChanges } from "./index-report.ts";
import type { PreparePoolOptions } from "./prepare-pool.ts";
import { chunkSettingsOf, walkOptionsOf } from "./stage-settings.ts";
import { runTextStage } from "./text-stage.ts";
import { runVectorStage } from "./vector-stage.ts";

export interface FolderParts {
  readonly root: string;
  readonly config: Config;
  readonly environment: Environment;
  readonly embedder: Embedder;
  /** Threads that prepare documents; none unless the embedder is the built-in one, whose tokens they count. */
  readonly pool: PreparePoolOptions;
  readonly locateExtension: () => VectorEngineOptions;
}

export interface IndexFolderOptions {
  /** Builds everything anew, vectors included; the old index answers until the new one is complete. */
  readonly force: boolean;
  /** Reads every file, also those whose size, times and inode are as they were. */
  readonly verify: boolean;
  /** False leaves the vector stage to a later run. */
  readonly vectors: boolean;
  readonly onProgress: (progress: IndexProgress) => void;
  /** Stops the run soon; what was done stays. */
  readonly signal: AbortSignal;
}

/**
 * @throws {AppError} `busy` while another process writes; `incompatible`; `corrupt`; `io`, also if the index was removed meanwhile. A file that cannot be indexed is reported, never thrown.
 */
export async function indexFolder(parts: FolderParts, options: IndexFolderOptions): Promise<IndexRunReport> {
  const startedAt = performance.now();
  const place = chooseIndexPlace(parts.root, parts.config, parts.environment);
  prepareIndexFolder(place.directory);
  using _lock = acquireWriterLock(place.directory);
  const file = options.force ? startGeneration(place.directory) : createIndexLocation(place.directory);
  const run = await runStages(file, place, parts, options, startedAt);
  if (options.force && !run.interrupted) publishGeneration(place.directory, file);
  else if (!options.force && findIndexFile(place.directory) !== file)
    throw removedMeanwhile(file, parts.root);
  return {
    root: parts.root,
    index_file: file,
    ...run,
    duration_ms: Math.round(performance.now() - startedAt),
  };
}

type StagesReport = Omit<IndexRunReport, "root" | "index_file" | "duration_ms">;

async function runStages(
  file: string,
  place: IndexPlace,
  parts: FolderParts,
  { verify, vectors, onProgress, signal }: IndexFolderOptions,
  startedAt: number,
): Promise<StagesReport> {
  const { root, config, embedder, pool } = parts;
  using db = openIndex(file, { mode: "write", ...parts.locateExtension() });
  const otherModel = replaceIdentity(db, embedder.identity);
  if (!place.isInRoot) adoptRoot(db, root);
  const identity = findFileIdentity(file);

  recordRunStart(db, new Date().toISOString());
  const text = await runTextStage(root, db, {
    walk: walkOptionsOf(config),
    chunk: chunkSettingsOf(config),
    verify,
    embedder,
    pool,
    onProgress,
    signal,
    now: () => new Date(),
  });
  if (!signal.aborted) {
    tidy(db, text);
    recordRunFinish(db, new Date().toISOString());
  }
  const vectorsStartedAt = performance.now();
  const embedding =
    vectors && !signal.aborted ? await embedPending(db, { embedder, onProgress, signal }) : NOTHING_EMBEDDED;
  const vectorsDurationMs = Math.round(performance.now() - vectorsStartedAt);
  const counts = readStatusCounts(db);
  const { added, updated, renamed, removed } = text;
  recordRunOutcome(db, {
    isInterrupted: signal.aborted,
    durationMs: Math.round(performance.now() - startedAt),
    ...{ added, updated, renamed, removed },
    embedded: embedding.embedded,
  });
  // A file that was removed can be written to the end, and nobody would find it.
  if (identity === undefined || findFileIdentity(file) !== identity) throw removedMeanwhile(file, root);
  return {
    documents: counts.documents,
    chunks: counts.chunks,
    ...text,
    vectors: {
      coverage: counts.vectorCoverage,
      pending: counts.pending,
      ...embedding,
      ...(otherModel === undefined ? {} : { replaced_model: otherModel }),
    },
    interrupted: signal.aborted,
    vectors_duration_ms: vectorsDurationMs,
  };
}

function removedMeanwhile(file: string, root: string): AppError {
  return new AppError("io", `the index ${file} was removed or replaced while it was being written`, {
    hint: `Make it again with: kb index ${root}`,
  });
}

interface Embedding {
  readonly embedded: number;
  readonly problem?: string;
  readonly runtime_problem?: string;
}

const NOTHING_EMBEDDED: Embedding = { embedded: 0 };

/** Text without vectors is still an index: what goes wrong here is told, not thrown. */
async function embedPending(
  db: IndexDatabase,
  options: Parameters<typeof runVectorStage>[1],
): Promise<Embedding> {
  const pendingBefore = readStatusCounts(db).pending;
  try {
    const embedded = await runVectorStage(db, options);
    const { problem } = options.embedder.runtime;
    return { embedded, ...(problem === undefined ? {} : { runtime_problem: problem }) };
  } catch (thrown) {
    if (!(thrown instanceof AppError && (thrown.code === "model" || thrown.code === "io"))) throw thrown;
    const embedded = pendingBefore - readStatusCounts(db).pending;
    return { embedded, problem: `vectors could not be made: ${thrown.message}. ${thrown.hint ?? ""}`.trim() };
  }
}

/** After a large load the full text is merged for speed; after large removals space is given back. */
function tidy(db: IndexDatabase, { added, updated, removed }: TextChanges): void {
  const { documents } = readStatusCounts(db);
  if (added + updated > Math.max(200, documents / 4)) optimizeFullText(db);
  if (removed > documents / 4) reclaimSpace(db);
}
