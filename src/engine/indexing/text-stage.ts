/**
 * The first stage of indexing: documents, chunks and full text equal to the folder.
 *
 * In go a folder and an open index, out comes what was done. After it everything can be
 * found by its words; meaning follows in `vector-stage.ts`. What there is to do is planned
 * in `text-plan.ts`, files are prepared in `prepare-files.ts`.
 */
import type { DocumentId } from "../../core/document.ts";
import type { Embedder } from "../../core/embedder.ts";
import type { WalkOptions } from "../../source/walk.ts";
import { deleteDocument, replaceDocument, touchDocument } from "../../store/documents.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { clearSkipped, listSkipped, recordSkipped, type SkippedFile } from "../../store/skipped.ts";
import { writeInTransaction } from "../../store/transaction.ts";
import { clearSpareVectors, spareVectors } from "../../store/vectors.ts";
import type { WorkJournal, WorkLeft } from "../../store/work-journal.ts";
import type { IndexProgress, PathMessage, TextChanges } from "./index-report.ts";
import {
  type ChunkSettings,
  chunkerStamp,
  PARSER_STAMP,
  type PreparedFile,
  UnfinishedDocument,
} from "./prepare-document.ts";
import { prepareFiles } from "./prepare-files.ts";
import type { PreparePoolOptions } from "./prepare-pool.ts";
import {
  crashedBy,
  madeByOf,
  type PlannedSkip,
  planText,
  type TextPlan,
  type TextWork,
} from "./text-plan.ts";

export interface TextStageOptions {
  readonly walk: WalkOptions;
  readonly chunk: ChunkSettings;
  /** Reads every file, whatever its stat says. */
  readonly verify: boolean;
  /** Only its tokens are counted here; nothing is embedded. */
  readonly embedder: Embedder;
  /** Threads beside the calling one, for much work; they count tokens as the built-in model does. */
  readonly pool: PreparePoolOptions;
  readonly onProgress: (progress: IndexProgress) => void;
  /** Stops between two batches; what is written by then is whole. */
  readonly signal: AbortSignal;
  /** Told what is in hand. */
  readonly journal: Pick<WorkJournal, "note">;
  /** What the last run had in hand, if it did not end in order. */
  readonly left: WorkLeft | undefined;
  readonly now: () => Date;
}

/** Documents are whole within a transaction; several share one, since full text writes a segment for each. */
const BATCH_DOCUMENTS = 400;
const BATCH_BYTES = 2 * 1024 * 1024;

/**
 * Makes the text of the index equal to the folder.
 *
 * @throws {AppError} `io` if the root cannot be listed or the index cannot be written; a single file never throws.
 */
export async function runTextStage(
  root: string,
  db: IndexDatabase,
  options: TextStageOptions,
): Promise<TextChanges> {
  options.onProgress({ stage: "scan", done: 0, total: 0 });
  // Before anything is looked at: what changes later than this has later times.
  const startedAt = options.now().toISOString();
  const stamps = { parserStamp: PARSER_STAMP, chunkerStamp: chunkerStamp(options.chunk, options.embedder) };
  const { walk, verify, left } = options;
  const crashing = new Set(left?.isAlone ? left.files : []);
  const plan = planText(root, db, { walk, verify, crashing, ...stamps });
  for (const { file, contentHash } of plan.crashing) {
    const reason = plan.skipped.get(file.path)!.reason;
    const skip = { ...file, reason, contentHash, isUnreadable: false };
    recordSkipped(db, { ...skip, madeBy: crashedBy(stamps), seenAt: startedAt });
  }
  const run = new TextRun(root, db, options, plan, startedAt, madeByOf(stamps));
  await run.storeAll();
  // Last of all, so that a moved text finds the vectors of its old place.
  if (!options.signal.aborted) run.tidyUp();
  return run.result();
}

class TextRun {
  readonly #root: string;
  readonly #db: IndexDatabase;
  readonly #options: TextStageOptions;
  readonly #plan: TextPlan;
  readonly #counts = { added: 0, updated: 0, renamed: 0, removed: 0 };
  readonly #startedAt: string;
  readonly #madeBy: string;
  readonly #skipped: Map<string, PlannedSkip>;
  readonly #warnings: PathMessage[] = [];
  #done = 0;

  constructor(
    root: string,
    db: IndexDatabase,
    options: TextStageOptions,
    plan: TextPlan,
    startedAt: string,
    madeBy: string,
  ) {
    this.#root = root;
    this.#db = db;
    this.#options = options;
    this.#plan = plan;
    this.#startedAt = startedAt;
    this.#madeBy = madeBy;
    this.#skipped = new Map(plan.skipped);
  }

  /** Reads, cuts and stores, batch by batch; what kb may have crashed at comes last, each file by itself. */
  async storeAll(): Promise<void> {
    const { left, journal } = this.#options;
    const suspects = new Set(left?.files);
    const { work } = this.#plan;
    await this.#storeWork(
      work.filter(({ file }) => !suspects.has(file.path)),
      false,
    );
    for (const suspect of work.filter(({ file }) => suspects.has(file.path)))
      await this.#storeWork([suspect], true);
    if (work.length > 0) journal.note("files", [], false);
  }

  async #storeWork(work: readonly TextWork[], isAlone: boolean): Promise<void> {
    const { chunk, embedder, pool, onProgress, signal, journal } = this.#options;
    const indexedAt = this.#startedAt;
    const names = work.map(({ file }) => JSON.stringify(file.path));
    let taken = 0;
    let done = 0;
    const portions = prepareFiles(
      work.map(({ file }) => file),
      {
        settings: { root: this.#root, chunk, chunkerStamp: chunkerStamp(chunk, embedder), indexedAt },
        countPassageTokens: (text) => embedder.countPassageTokens(text),
        pool,
        signal,
        onTake: (files) => {
          taken += files;
          journal.note("files", names.slice(done, taken), isAlone);
        },
      },
    );
    let batch: PreparedFile[] = [];
    let bytes = 0;
    const storeBatch = async () => {
      const [full, start] = [batch, done];
      this.#storeBatch(work.slice(start, start + full.length), full);
      done += full.length;
      this.#done += full.length;
      batch = [];
      bytes = 0;
      onProgress({ stage: "text", done: this.#done, total: this.#plan.work.length });
      await new Promise(setImmediate); // lets signals and timers in
    };
    for await (const portion of portions) {
      // It has a transaction of its own, which can fail without the others.
      if (batch.length > 0 && portion.some(isStreamed)) await storeBatch();
      for (const prepared of portion) {
        bytes += work[done + batch.length]!.file.size;
        batch.push(prepared);
      }
      const isLast = done + batch.length === work.length;
      if (batch.length >= BATCH_DOCUMENTS || bytes >= BATCH_BYTES || isLast) await storeBatch();
      if (signal.aborted) return;
    }
  }

  #storeBatch(work: readonly TextWork[], batch: readonly PreparedFile[]): void {
    const store = (prepared: readonly PreparedFile[]) =>
      writeInTransaction(this.#db, () => {
        for (const [offset, one] of prepared.entries()) this.#store(work[offset]!, one);
      });
    try {
      store(batch);
    } catch (thrown) {
      if (!(thrown instanceof UnfinishedDocument)) throw thrown;
      store([thrown.skip]);
    }
  }

  /** Removes what is gone, and remembers what was skipped. */
  tidyUp(): void {
    const { touches, removes } = this.#plan;
    const known = new Map(listSkipped(this.#db).map((skip) => [skip.path, skip]));
    const newlySkipped = [...this.#skipped].filter(([path, { reason, isUnreadable }]) => {
      const skip = known.get(path);
      return skip?.reason !== reason || skip.isUnreadable !== isUnreadable;
    });
    const noLongerSkipped = [...known.keys()].filter((path) => !this.#skipped.has(path));
    writeInTransaction(this.#db, () => {
      for (const { file, row } of touches) touchDocument(this.#db, row.id, file, this.#startedAt);
      for (const { id } of removes) deleteDocument(this.#db, id);
      // Without a hash, so that they are tried again at the next run.
      for (const [path, { reason, isUnreadable }] of newlySkipped)
        this.#recordSkip({ ...NOT_READ, path, reason, isUnreadable });
      for (const path of noLongerSkipped) clearSkipped(this.#db, path);
      clearSpareVectors(this.#db);
    });
    this.#counts.removed += removes.length;
  }

  result(): TextChanges {
    const skipped = [...this.#skipped].map(([path, { reason }]) => ({ path, reason }));
    return { ...this.#counts, unchanged: this.#plan.unchanged, skipped, warnings: this.#warnings };
  }

  #store({ file, kind, row, oldRow }: TextWork, prepared: PreparedFile): void {
    if (prepared.kind === "document") {
      replaceDocument(this.#db, prepared.record, prepared.text, prepared.links);
      if (oldRow !== undefined) this.#deleteMoved(oldRow.id);
      this.#counts[kind]++;
      for (const message of prepared.record.warnings) this.#warnings.push({ path: file.path, message });
      return;
    }
    const { reason, contentHash, isUnreadable } = prepared;
    this.#skipped.set(file.path, { reason, isUnreadable });
    this.#recordSkip({ ...file, reason, contentHash, isUnreadable });
    // A file that was read and holds nothing takes its document along; one that could not be read keeps it.
    const emptied = isUnreadable ? undefined : (row ?? oldRow);
    if (emptied === undefined) return;
    this.#deleteMoved(emptied.id);
    this.#counts.removed++;
  }

  /** A file stored later in this run may have the text that this document had. */
  #deleteMoved(id: DocumentId): void {
    spareVectors(this.#db, id);
    deleteDocument(this.#db, id);
  }

  #recordSkip(skip: Omit<SkippedFile, "madeBy" | "seenAt">): void {
    recordSkipped(this.#db, { ...skip, madeBy: this.#madeBy, seenAt: this.#startedAt });
  }
}

function isStreamed(prepared: PreparedFile): boolean {
  return prepared.kind === "document" && prepared.isStreamed;
}

const NOT_READ = { contentHash: null, size: 0, mtimeNs: 0n, ctimeNs: 0n, inode: 0n };
