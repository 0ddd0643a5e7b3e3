/**
 * "Make the index equal to the folder": the one operation behind `kb index` and the server's start.
 *
 * It holds the writer lock, runs the text stage and then the vector stage, and leaves a
 * record of how far it came. Stopped or killed at any point it leaves a valid index, and
 * the next run goes on. `force`, and an index that turns out to be damaged, make it build a new
 * generation beside the old one, which takes its place when it is complete and checked.
 */
import type { Environment } from "../../config/paths.ts";
import type { Config } from "../../config/schema.ts";
import type { Embedder } from "../../core/embedder.ts";
import { AppError, sentencesOf } from "../../errors.ts";
import { carryVectorsOver } from "../../store/carried-vectors.ts";
import { requireConsistency } from "../../store/consistency.ts";
import { listCrashingPassages } from "../../store/crashing-texts.ts";
import { adoptRoot, replaceIdentity } from "../../store/identity.ts";
import {
  createIndexLocation,
  discardGeneration,
  findFileIdentity,
  findIndexFile,
  prepareIndexFolder,
  publishGeneration,
  removeUnused,
  startGeneration,
} from "../../store/index-location.ts";
import { optimizeFullText, reclaimSpace } from "../../store/maintenance.ts";
import { type IndexDatabase, openIndex } from "../../store/open.ts";
import { findRun, recordRunFinish, recordRunOutcome, recordRunStart } from "../../store/run-record.ts";
import { isDamage } from "../../store/sqlite-errors.ts";
import { readStatusCounts } from "../../store/status-counts.ts";
import type { VectorEngineOptions } from "../../store/vector-engine.ts";
import { findWorkLeft, WorkJournal, type WorkLeft } from "../../store/work-journal.ts";
import type { WriterLock } from "../../store/writer-lock.ts";
import { explainByDamage } from "../explain-damage.ts";
import { chooseIndexPlace, type IndexPlace, removeReplacedIndex } from "../index-place.ts";
import { crashMaker } from "./crash-maker.ts";
import type { IndexProgress, IndexRunReport, TextChanges } from "./index-report.ts";
import type { PreparePoolOptions } from "./prepare-pool.ts";
import { chunkSettingsOf, walkOptionsOf } from "./stage-settings.ts";
import { runTextStage } from "./text-stage.ts";
import { runVectorStage } from "./vector-stage.ts";
import { waitForTurn } from "./writer-turn.ts";

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
  /** Builds everything anew but the vectors of equal texts; the old index answers until the new one is complete. */
  readonly force: boolean;
  /** Checks the index, and reads every file, also those whose size, times and inode are as they were. */
  readonly verify: boolean;
  /** False leaves the vector stage to a later run. */
  readonly vectors: boolean;
  readonly onProgress: (progress: IndexProgress) => void;
  /** Stops the run soon; what was done stays. */
  readonly signal: AbortSignal;
}

/**
 * @throws {AppError} `busy` while another process writes, after waiting a while; `incompatible`; `corrupt` if what is
 *   in the way is not an index; `io`, also if the index was removed meanwhile. A file that cannot be indexed is reported, never thrown.
 */
export async function indexFolder(parts: FolderParts, options: IndexFolderOptions): Promise<IndexRunReport> {
  const startedAt = performance.now();
  const place = chooseIndexPlace(parts.root, parts.config, parts.environment);
  prepareIndexFolder(place.directory);
  using lock = await waitForTurn(place.directory, options.signal);
  const left = findWorkLeft(place.directory);
  using journal = new WorkJournal(place.directory);
  const run = { place, lock, parts, options, startedAt, journal, left };
  const report = options.force ? await rebuild(run) : await updateOrRebuild(run);
  if (report.interrupted && left !== undefined && !left.isAlone) journal.leave(left);
  // Until then it has vectors that are still to be made here.
  if (!report.interrupted && report.vectors.pending === 0)
    removeReplacedIndex(place, parts.root, parts.environment);
  return { root: parts.root, ...report, duration_ms: Math.round(performance.now() - startedAt) };
}

interface Run {
  readonly place: IndexPlace;
  readonly lock: WriterLock;
  readonly parts: FolderParts;
  readonly options: IndexFolderOptions;
  /** By `performance.now`. */
  readonly startedAt: number;
  readonly journal: WorkJournal;
  readonly left: WorkLeft | undefined;
}

type RunReport = Omit<IndexRunReport, "root" | "duration_ms">;

async function updateOrRebuild(run: Run): Promise<RunReport> {
  const { place, parts } = run;
  let file: string | undefined;
  try {
    file = createIndexLocation(place.directory);
    removeUnused(place.directory); // Only now is it known which file is used, where there was no index before.
    const report = await runStages(file, run, { isRebuild: false });
    if (findIndexFile(place.directory) !== file) throw removedMeanwhile(file, parts.root);
    return report;
  } catch (thrown) {
    const explained = file === undefined ? thrown : explainByDamage(thrown, file);
    if (!isDamage(explained)) throw explained;
    return { ...(await rebuild(run)), rebuilt_because: explained.message };
  }
}

async function rebuild(run: Run): Promise<RunReport> {
  const { directory } = run.place;
  removeUnused(directory);
  const file = startGeneration(directory);
  try {
    const report = await runStages(file, run, { isRebuild: true });
    run.lock.verify();
    if (report.interrupted) discardGeneration(directory, file);
    else publishGeneration(directory, file);
    return report;
  } catch (thrown) {
    discardQuietly(run, file);
    throw thrown;
  }
}

/** Leaves it to whoever has the lock by now, and to the next run where it cannot be removed. */
function discardQuietly({ place, lock }: Run, file: string): void {
  try {
    lock.verify();
    if (findInUse(place.directory) !== file) discardGeneration(place.directory, file);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
  }
}

/** Where `current` is damaged there is none. */
function findInUse(directory: string): string | undefined {
  try {
    return findIndexFile(directory);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "corrupt") return undefined;
    throw thrown;
  }
}

async function runStages(
  file: string,
  { place, lock, parts, options, startedAt, journal, left }: Run,
  { isRebuild }: { readonly isRebuild: boolean },
): Promise<RunReport> {
  const { root, config, embedder, pool } = parts;
  const { verify, vectors, onProgress, signal } = options;
  let identity: string | undefined;
  // A file that was removed can be written to the end, and nobody would find it.
  const requirePlace = () => {
    if (identity !== undefined && findFileIdentity(file) !== identity) throw removedMeanwhile(file, root);
    lock.verify();
  };
  using db = openIndex(file, { mode: "write", ...parts.locateExtension(), beforeCommit: requirePlace });
  identity = findFileIdentity(file);
  // A run that did not finish may have ended together with the machine.
  if (verify || findRun(db)?.isFinished === false) requireConsistency(db);
  const otherModel = replaceIdentity(db, embedder.identity);
  if (!place.isInRoot) adoptRoot(db, root);

  recordRunStart(db, new Date().toISOString());
  const text = await runTextStage(root, db, {
    walk: walkOptionsOf(config),
    chunk: chunkSettingsOf(config),
    verify,
    embedder,
    pool,
    onProgress,
    signal,
    journal,
    left,
    now: () => new Date(),
  });
  if (!signal.aborted) {
    tidy(db, text);
    recordRunFinish(db, new Date().toISOString());
  }
  const inUse = isRebuild ? findInUse(place.directory) : undefined;
  const carried = inUse === undefined || signal.aborted ? 0 : carryVectorsOver(db, inUse, embedder.identity);
  const vectorsStartedAt = performance.now();
  const embedding =
    vectors && !signal.aborted
      ? await embedPending(db, { embedder, onProgress, signal, journal, left })
      : NOTHING_EMBEDDED;
  const vectorsDurationMs = Math.round(performance.now() - vectorsStartedAt);
  const counts = readStatusCounts(db);
  const { added, updated, renamed, removed } = text;
  recordRunOutcome(db, {
    isInterrupted: signal.aborted,
    durationMs: Math.round(performance.now() - startedAt),
    ...{ added, updated, renamed, removed },
    embedded: embedding.embedded,
  });
  if (isRebuild && !signal.aborted) requireConsistency(db);
  requirePlace();
  const crashing = listCrashingPassages(db, crashMaker(embedder)).length;
  return {
    index_file: file,
    documents: counts.documents,
    chunks: counts.chunks,
    ...text,
    vectors: {
      coverage: counts.vectorCoverage,
      pending: counts.pending,
      ...embedding,
      ...(crashing === 0 ? {} : { crashing }),
      ...(carried === 0 ? {} : { carried_over: carried }),
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
    return { embedded, problem: `vectors could not be made: ${sentencesOf(thrown)}` };
  }
}

/** After a large load the full text is merged for speed; after large removals space is given back. */
function tidy(db: IndexDatabase, { added, updated, removed }: TextChanges): void {
  const { documents } = readStatusCounts(db);
  if (added + updated > Math.max(200, documents / 4)) optimizeFullText(db);
  if (removed > documents / 4) reclaimSpace(db);
}
