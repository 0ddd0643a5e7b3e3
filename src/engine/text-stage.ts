/**
 * The first stage of indexing: documents, chunks and full text equal to the folder.
 *
 * In go a folder and an open index, out comes what was done. After it everything can be
 * found by its words; meaning follows in `vector-stage.ts`.
 */
import { classifyByHash, classifyByStat, type IndexedFile } from "../core/changes.ts";
import type { DocumentId } from "../core/document.ts";
import type { Embedder } from "../core/embedder.ts";
import { hashDocument, MAX_DOCUMENT_BYTES } from "../source/read.ts";
import { type FoundFile, type WalkOptions, walkFolder } from "../source/walk.ts";
import { deleteDocument, listDocumentStates, replaceDocument, touchDocument } from "../store/documents.ts";
import type { IndexDatabase } from "../store/open.ts";
import { clearSkipped, listSkipped, recordSkipped } from "../store/skipped.ts";
import { writeInTransaction } from "../store/transaction.ts";
import type { IndexProgress, PathMessage } from "./index-report.ts";
import {
  type ChunkSettings,
  chunkerStamp,
  PARSER_STAMP,
  type PreparedFile,
  prepareDocument,
} from "./prepare-document.ts";

export interface TextStageOptions {
  readonly walk: WalkOptions;
  readonly chunk: ChunkSettings;
  /** Only its tokens are counted here; nothing is embedded. */
  readonly embedder: Embedder;
  readonly onProgress: (progress: IndexProgress) => void;
  /** Stops between two batches; what is written by then is whole. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

export interface TextStageResult {
  readonly added: number;
  readonly updated: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly warnings: readonly PathMessage[];
}

/** Documents are whole within a transaction; several share one, since full text writes a segment for each. */
const BATCH_DOCUMENTS = 400;
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Makes the text of the index equal to the folder.
 *
 * @throws {AppError} `io` if the root cannot be listed or the index cannot be written; a single file never throws.
 */
export async function runTextStage(
  root: string,
  db: IndexDatabase,
  options: TextStageOptions,
): Promise<TextStageResult> {
  const run = new TextRun(root, db, options);
  options.onProgress({ stage: "scan", done: 0, total: 0 });
  const plan = run.plan();
  await run.store(plan.work);
  if (!options.signal.aborted) run.remove(plan);
  return run.result(plan.unchanged);
}

interface Row extends IndexedFile {
  readonly id: DocumentId;
}

interface Work {
  readonly kind: "added" | "updated" | "renamed";
  readonly file: FoundFile;
  /** The row to remove in the same transaction: the old name of a renamed document. */
  readonly oldRow?: Row;
}

interface Plan {
  readonly work: readonly Work[];
  readonly touches: readonly { readonly file: FoundFile; readonly row: Row }[];
  readonly removes: readonly Row[];
  readonly unchanged: number;
}

class TextRun {
  readonly #root: string;
  readonly #db: IndexDatabase;
  readonly #options: TextStageOptions;
  readonly #counts = { added: 0, updated: 0, renamed: 0, removed: 0 };
  readonly #skipped = new Map<string, string>();
  readonly #warnings: PathMessage[] = [];
  readonly #rows: ReadonlyMap<string, Row>;

  constructor(root: string, db: IndexDatabase, options: TextStageOptions) {
    this.#root = root;
    this.#db = db;
    this.#options = options;
    const chunker = chunkerStamp(options.chunk, options.embedder);
    this.#rows = new Map(
      [...listDocumentStates(db)].map(([path, state]) => {
        const isCurrent = state.parserVersion === PARSER_STAMP && state.chunkerVersion === chunker;
        return [path, { path, ...state, isCurrent }];
      }),
    );
  }

  /** Walks the folder and compares; reads only what its stat cannot settle. */
  plan(): Plan {
    const { files, problems, unreadable } = walkFolder(this.#root, this.#options.walk);
    for (const { path, reason } of problems) this.#skipped.set(path, reason);
    const readable = files.filter((file) => !this.#isKnownSkip(file));
    const classes = classifyByStat(readable, [...this.#rows.values()], unreadable);
    const toHash = [
      ...classes.changed.map(({ file }) => file),
      ...(classes.gone.length > 0 ? classes.fresh : []),
    ];
    const hashes = new Map(toHash.map((file) => [file.path, this.#hash(file)]));
    const changes = classifyByHash(classes, hashes);
    return {
      work: [
        ...changes.renames.map(({ file, row }): Work => ({ kind: "renamed", file, oldRow: row })),
        ...changes.update.map(({ file }): Work => ({ kind: "updated", file })),
        ...changes.add.map((file): Work => ({ kind: "added", file })),
      ],
      touches: changes.touch,
      removes: changes.removes,
      unchanged: classes.unchanged.length + changes.touch.length,
    };
  }

  /** Reads, cuts and stores, batch by batch. */
  async store(work: readonly Work[]): Promise<void> {
    const indexedAt = this.#options.now().toISOString();
    let batch: { work: Work; prepared: PreparedFile }[] = [];
    let bytes = 0;
    for (const [offset, item] of work.entries()) {
      const prepared = prepareDocument(
        this.#root,
        item.file,
        this.#options.chunk,
        this.#options.embedder,
        indexedAt,
      );
      batch.push({ work: item, prepared });
      bytes += item.file.size;
      if (batch.length < BATCH_DOCUMENTS && bytes < BATCH_BYTES && offset < work.length - 1) continue;
      this.#storeBatch(batch, indexedAt);
      batch = [];
      bytes = 0;
      this.#options.onProgress({ stage: "text", done: offset + 1, total: work.length });
      await new Promise(setImmediate); // lets signals and timers in
      if (this.#options.signal.aborted) return;
    }
  }

  /** Last of all, so that a renamed or moved text finds the vectors of its old place. */
  remove({ touches, removes }: Plan): void {
    if (touches.length + removes.length > 0)
      writeInTransaction(this.#db, () => {
        for (const { file, row } of touches) touchDocument(this.#db, row.id, file);
        for (const { id } of removes) deleteDocument(this.#db, id);
      });
    this.#counts.removed += removes.length;
    const stale = listSkipped(this.#db).filter(({ path }) => !this.#skipped.has(path));
    for (const { path } of stale) clearSkipped(this.#db, path);
    this.#recordProblems();
  }

  result(unchanged: number): TextStageResult {
    const skipped = [...this.#skipped].map(([path, reason]) => ({ path, reason }));
    return { ...this.#counts, unchanged, skipped, warnings: this.#warnings };
  }

  #storeBatch(batch: readonly { work: Work; prepared: PreparedFile }[], seenAt: string): void {
    writeInTransaction(this.#db, () => {
      for (const { work, prepared } of batch) {
        const { file, kind, oldRow } = work;
        if (prepared.kind === "document") {
          replaceDocument(this.#db, prepared.record, prepared.chunks);
          if (oldRow !== undefined) deleteDocument(this.#db, oldRow.id);
          this.#counts[kind]++;
          for (const message of prepared.record.warnings) this.#warnings.push({ path: file.path, message });
          continue;
        }
        const { reason, contentHash } = prepared;
        this.#skipped.set(file.path, reason);
        recordSkipped(this.#db, {
          path: file.path,
          reason,
          contentHash,
          size: file.size,
          mtimeNs: file.mtimeNs,
          seenAt,
        });
        const row = this.#rows.get(file.path);
        // A file that was read and holds nothing takes its document along; one that could not be read keeps it.
        if (row !== undefined && contentHash !== null) {
          deleteDocument(this.#db, row.id);
          this.#counts.removed++;
        }
      }
    });
  }

  #knownSkips: ReadonlyMap<string, { reason: string; size: number; mtimeNs: bigint }> | undefined;

  /** A file whose bytes gave nothing last time, and that has not changed since, is not read again. */
  #isKnownSkip(file: FoundFile): boolean {
    this.#knownSkips ??= new Map(
      listSkipped(this.#db)
        .filter(({ contentHash }) => contentHash !== null)
        .map((skip) => [skip.path, skip]),
    );
    const known = this.#knownSkips.get(file.path);
    if (known === undefined || known.size !== file.size || known.mtimeNs !== file.mtimeNs) return false;
    this.#skipped.set(file.path, known.reason);
    return true;
  }

  #hash(file: FoundFile): string | null {
    const outcome = hashDocument(this.#root, file, { maxBytes: MAX_DOCUMENT_BYTES });
    if (outcome.kind === "hash") return outcome.contentHash;
    this.#skipped.set(file.path, outcome.reason);
    return null;
  }

  /** What the walk could not read is remembered too, without a hash, so that it is tried again. */
  #recordProblems(): void {
    const known = new Map(listSkipped(this.#db).map((skip) => [skip.path, skip.reason]));
    const news = [...this.#skipped].filter(([path, reason]) => known.get(path) !== reason);
    if (news.length === 0) return;
    const seenAt = this.#options.now().toISOString();
    writeInTransaction(this.#db, () => {
      for (const [path, reason] of news)
        recordSkipped(this.#db, { path, reason, contentHash: null, size: 0, mtimeNs: 0n, seenAt });
    });
  }
}
