/**
 * What the text stage has to do: the folder as it is against the index as it is.
 *
 * Files are judged by their stat, and read only where that cannot settle it. Carrying the
 * plan out is done in `text-stage.ts`; the rules of comparison are in `core/changes.ts`.
 */
import { classifyByHash, classifyByStat, type IndexedFile } from "../core/changes.ts";
import type { DocumentId } from "../core/document.ts";
import { hashDocument, MAX_DOCUMENT_BYTES } from "../source/read.ts";
import { type FoundFile, type WalkOptions, walkFolder } from "../source/walk.ts";
import { listDocumentStates } from "../store/documents.ts";
import type { IndexDatabase } from "../store/open.ts";
import { listSkipped } from "../store/skipped.ts";

/** A document's row, as far as planning needs it. */
export interface PlannedRow extends IndexedFile {
  readonly id: DocumentId;
}

/** One file to be read and stored. */
export interface TextWork {
  readonly kind: "added" | "updated" | "renamed";
  readonly file: FoundFile;
  /** The row at that path, if there is one. */
  readonly row?: PlannedRow;
  /** The old name of a renamed document, to be removed in the same transaction. */
  readonly oldRow?: PlannedRow;
}

export interface TextPlan {
  readonly work: readonly TextWork[];
  /** Same text under another stat. */
  readonly touches: readonly { readonly file: FoundFile; readonly row: PlannedRow }[];
  readonly removes: readonly PlannedRow[];
  readonly unchanged: number;
  /** Reason by path, for what gives no document and need not be read to know it. */
  readonly skipped: ReadonlyMap<string, string>;
}

export interface TextPlanOptions {
  readonly walk: WalkOptions;
  /** Documents made by other stages than these are made anew. */
  readonly parserStamp: string;
  readonly chunkerStamp: string;
}

/** @throws {AppError} `io` if the root cannot be listed. */
export function planText(root: string, db: IndexDatabase, options: TextPlanOptions): TextPlan {
  const { files, problems, unreadable } = walkFolder(root, options.walk);
  const skipped = new Map(problems.map(({ path, reason }) => [path, reason]));
  const known = knownSkips(db);
  const candidates = files.filter((file) => {
    const skip = known.get(file.path);
    if (skip === undefined || skip.size !== file.size || skip.mtimeNs !== file.mtimeNs) return true;
    skipped.set(file.path, skip.reason);
    return false;
  });
  const classes = classifyByStat(candidates, listRows(db, options), unreadable);

  const hashes = new Map<string, string | null>();
  const toHash = [
    ...classes.changed.map(({ file }) => file),
    ...(classes.gone.length > 0 ? classes.fresh : []),
  ];
  for (const file of toHash) {
    const outcome = hashDocument(root, file, { maxBytes: MAX_DOCUMENT_BYTES });
    hashes.set(file.path, outcome.kind === "hash" ? outcome.contentHash : null);
    if (outcome.kind === "skip") skipped.set(file.path, outcome.reason);
  }
  const changes = classifyByHash(classes, hashes);
  return {
    work: [
      ...changes.renames.map(({ file, row }) => ({ kind: "renamed", file, oldRow: row }) as const),
      ...changes.update.map(({ file, row }) => ({ kind: "updated", file, row }) as const),
      ...changes.add.map((file) => ({ kind: "added", file }) as const),
    ],
    touches: changes.touch,
    removes: changes.removes,
    unchanged: classes.unchanged.length + changes.touch.length,
    skipped,
  };
}

/** Files whose bytes gave nothing last time; unless they change they are not read again. */
function knownSkips(db: IndexDatabase) {
  const readInVain = listSkipped(db).filter(({ contentHash }) => contentHash !== null);
  return new Map(readInVain.map((skip) => [skip.path, skip]));
}

function listRows(db: IndexDatabase, { parserStamp, chunkerStamp }: TextPlanOptions): PlannedRow[] {
  return [...listDocumentStates(db)].map(([path, state]) => ({
    path,
    ...state,
    isCurrent: state.parserVersion === parserStamp && state.chunkerVersion === chunkerStamp,
  }));
}
