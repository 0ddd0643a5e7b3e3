/**
 * What the text stage has to do: the folder as it is against the index as it is.
 *
 * Files are judged by their stat, and read only where that cannot settle it. Carrying the
 * plan out is done in `text-stage.ts`; the rules of comparison are in `core/changes.ts`.
 */
import {
  classifyByHash,
  classifyByStat,
  type FileHash,
  type IndexedFile,
  isRacy,
} from "../../core/changes.ts";
import type { DocumentId } from "../../core/document.ts";
import { hashDocument, MAX_DOCUMENT_BYTES } from "../../source/read.ts";
import { type FoundFile, type WalkOptions, walkFolder } from "../../source/walk.ts";
import { listDocumentStates } from "../../store/documents.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { listSkipped, type SkippedFile } from "../../store/skipped.ts";
import { VERSION } from "../../version.ts";

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

/** Why a file gives no document. */
export interface PlannedSkip {
  readonly reason: string;
  /** Whether nothing could be learned about its content, so that a document of it stays. */
  readonly isUnreadable: boolean;
}

export interface TextPlan {
  readonly work: readonly TextWork[];
  /** Same text under another stat. */
  readonly touches: readonly { readonly file: FoundFile; readonly row: PlannedRow }[];
  readonly removes: readonly PlannedRow[];
  readonly unchanged: number;
  /** By path, what gives no document and need not be read to know it. */
  readonly skipped: ReadonlyMap<string, PlannedSkip>;
  /** Files that are skipped from now on, since kb crashed at them, with their hashes. */
  readonly crashing: readonly { readonly file: FoundFile; readonly contentHash: string }[];
}

export interface TextPlanOptions {
  readonly walk: WalkOptions;
  /** Documents made by other stages than these are made anew. */
  readonly parserStamp: string;
  readonly chunkerStamp: string;
  /** Reads every file, whatever its stat says. */
  readonly verify: boolean;
  /** Files that kb has crashed at twice, the second time with nothing else in hand. */
  readonly crashing: ReadonlySet<string>;
}

/** @throws {AppError} `io` if the root cannot be listed. */
export function planText(root: string, db: IndexDatabase, options: TextPlanOptions): TextPlan {
  const { files, problems, unreadable } = walkFolder(root, options.walk);
  const closed = new Set(unreadable);
  const skipped = new Map<string, PlannedSkip>(
    problems.map(({ path, reason }) => [path, { reason, isUnreadable: closed.has(path) }]),
  );
  const known = options.verify ? new Map<string, SkippedFile>() : knownSkips(db, options);
  const crashing: { file: FoundFile; contentHash: string }[] = [];
  const candidates = files.filter((file) => {
    const skip = known.get(file.path) ?? noteCrash(root, file, options, crashing);
    if (skip === undefined || !isAsItWas(root, file, skip, options)) return true;
    skipped.set(file.path, skip);
    return false;
  });
  const classes = classifyByStat(candidates, listRows(db, options), unreadable, !options.verify);

  const hashes = new Map<string, FileHash>();
  const toHash = [
    ...classes.changed.map(({ file }) => file),
    ...(classes.gone.length > 0 ? classes.fresh : []),
  ];
  for (const file of toHash) {
    const outcome = hashDocument(root, file, { maxBytes: MAX_DOCUMENT_BYTES });
    if (outcome.kind === "hash") {
      hashes.set(file.path, outcome.contentHash);
    } else {
      const isUnreadable = outcome.isUnreadable ?? false;
      hashes.set(file.path, isUnreadable ? null : false);
      skipped.set(file.path, { reason: outcome.reason, isUnreadable });
    }
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
    crashing,
  };
}

/** Files whose bytes gave nothing last time; unless they change, or what reads them, they are not read again. */
function knownSkips(db: IndexDatabase, options: TextPlanOptions): Map<string, SkippedFile> {
  const makers = new Set([madeByOf(options), crashedBy(options)]);
  const readInVain = listSkipped(db).filter(
    (skip) => skip.contentHash !== null && makers.has(skip.madeBy) && !options.crashing.has(skip.path),
  );
  return new Map(readInVain.map((skip) => [skip.path, skip]));
}

/** What a skipped file is remembered to have been read by. */
export function madeByOf({ parserStamp, chunkerStamp }: Stamps): string {
  return `${parserStamp}/${chunkerStamp}`;
}

/** What a file is remembered to have crashed; another build may fare better. */
export function crashedBy(stamps: Stamps): string {
  return `${madeByOf(stamps)}/crash of ${VERSION}`;
}

type Stamps = Pick<TextPlanOptions, "parserStamp" | "chunkerStamp">;

/** The reason of a file that kb has crashed at. */
export const CRASHED =
  "kb ended twice while it was being indexed; it is tried again when it changes, or with kb index --verify";

/** @returns Undefined if kb has not crashed at the file, or what is in it cannot be told. */
function noteCrash(
  root: string,
  file: FoundFile,
  options: TextPlanOptions,
  crashing: { file: FoundFile; contentHash: string }[],
): SkippedFile | undefined {
  if (!options.crashing.has(file.path)) return undefined;
  const outcome = hashDocument(root, file, { maxBytes: MAX_DOCUMENT_BYTES });
  if (outcome.kind !== "hash") return undefined;
  const { contentHash } = outcome;
  crashing.push({ file, contentHash });
  const madeBy = crashedBy(options);
  return { ...file, reason: CRASHED, contentHash, isUnreadable: false, madeBy, seenAt: NEVER };
}

/** Where the stat proves nothing a file is read, but not one that would crash. */
function isAsItWas(root: string, file: FoundFile, skip: SkippedFile, options: TextPlanOptions): boolean {
  const isProven = isSameFile(file, skip) && !isRacy(skip, nanosecondsOf(skip.seenAt));
  if (isProven || skip.madeBy !== crashedBy(options)) return isProven;
  const outcome = hashDocument(root, file, { maxBytes: MAX_DOCUMENT_BYTES });
  return outcome.kind === "hash" && outcome.contentHash === skip.contentHash;
}

/** So that nothing is proven by the stat. */
const NEVER = new Date(0).toISOString();

function isSameFile(file: FoundFile, skip: SkippedFile): boolean {
  return (
    skip.size === file.size &&
    skip.mtimeNs === file.mtimeNs &&
    skip.ctimeNs === file.ctimeNs &&
    skip.inode === file.inode
  );
}

function nanosecondsOf(time: string): bigint {
  return BigInt(Date.parse(time)) * 1_000_000n;
}

function listRows(db: IndexDatabase, { parserStamp, chunkerStamp }: TextPlanOptions): PlannedRow[] {
  return [...listDocumentStates(db)].map(([path, state]) => ({
    path,
    ...state,
    readAtNs: nanosecondsOf(state.indexedAt),
    isCurrent: state.parserVersion === parserStamp && state.chunkerVersion === chunkerStamp,
  }));
}
