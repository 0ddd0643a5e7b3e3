/**
 * Documents as remembered: what the last run saw of each file, and its chunks.
 *
 * A document is replaced whole: its row, its chunks, their full-text rows and their
 * vectors. Which documents need it is decided in `core/changes.ts`; making vectors is
 * asked for through `chunks.ts`; files that gave no document are in `skipped.ts`.
 */
import { dayOfDate } from "../core/calendar-date.ts";
import type { DocumentId, DocumentMeta } from "../core/document.ts";
import type { DocumentLinks } from "../core/link.ts";
import { AppError } from "../errors.ts";
import { deleteChunks, replaceChunks } from "./chunk-rows.ts";
import type { IndexedText } from "./indexed-text.ts";
import { deleteLinks, replaceLinks } from "./links.ts";
import type { IndexDatabase } from "./open.ts";
import { type Reading, storeReading } from "./readings.ts";
import { writeInTransaction } from "./transaction.ts";

/** What the file system said about a file when it was read; equal stamps mean "not changed". */
export interface FileStamp {
  /** Bytes. */
  readonly size: number;
  /** Times in signed 64 bits, the inode in unsigned 64 bits. */
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
}

/** Everything about a document except its chunks. */
export interface DocumentRecord extends FileStamp, Reading {
  /** The key: relative, `/`-separated, NFC. */
  readonly path: string;
  /** The name exactly as on disk, for opening the file; bytes if it is not text. */
  readonly rawPath: string | Uint8Array;
  readonly meta: DocumentMeta;
  /** SHA-256 of the file's bytes, hex. */
  readonly contentHash: string;
  /** What was odd about the file, in words for the user. */
  readonly warnings: readonly string[];
}

export interface StoredDocument extends DocumentRecord {
  readonly id: DocumentId;
}

/** The part of a document that tells whether its file has to be read again. */
export interface DocumentState extends FileStamp {
  readonly id: DocumentId;
  readonly rawPath: string | Uint8Array;
  /** ISO 8601, UTC: when the run began that last read it. */
  readonly indexedAt: string;
  readonly contentHash: string;
  readonly parserVersion: string;
  readonly chunkerVersion: string;
}

/** The columns that follow from a document's path. */
export type RenamedDocument = Pick<DocumentRecord, "path" | "rawPath"> &
  Pick<DocumentMeta, "title" | "category" | "topic">;

/** The state of every document by path, in path order (code points). */
export function listDocumentStates(db: IndexDatabase): Map<string, DocumentState> {
  const states = new Map<string, DocumentState>();
  for (const row of db.all<StateRow>(SELECT_STATES)) {
    states.set(row.path, {
      id: row.id,
      rawPath: row.raw_path ?? row.path,
      indexedAt: row.indexed_at,
      contentHash: row.content_hash.toHex(),
      parserVersion: row.parser_version,
      chunkerVersion: row.chunker_version,
      ...stampOf(row),
    });
  }
  return states;
}

/** Id of every document by path, in path order (code points). */
export function listDocumentIds(db: IndexDatabase): Map<string, DocumentId> {
  const rows = db.all<{ readonly path: string; readonly id: DocumentId }>(SELECT_IDS);
  return new Map(rows.map(({ path, id }) => [path, id]));
}

/** Every path, in code point order. */
export function listDocumentPaths(db: IndexDatabase): string[] {
  return db.all<{ readonly path: string }>(SELECT_PATHS).map(({ path }) => path);
}

/** The document with that path, if there is one. */
export function findDocument(db: IndexDatabase, path: string): StoredDocument | undefined {
  const row = db.get<DocumentRow>(SELECT_DOCUMENT, path);
  if (row === undefined) return undefined;
  return {
    id: row.id,
    path: row.path,
    rawPath: row.raw_path ?? row.path,
    meta: {
      title: row.title,
      category: row.category,
      topic: row.topic,
      date: row.date,
      tags: parseList(row.tags),
    },
    contentHash: row.content_hash.toHex(),
    encoding: row.encoding,
    warnings: parseList(row.warnings),
    parserVersion: row.parser_version,
    chunkerVersion: row.chunker_version,
    indexedAt: row.indexed_at,
    ...stampOf(row),
  };
}

/**
 * Stores a document, its chunks and its links in place of what was stored for that path, in one
 * transaction (its own, or the running one). An existing document keeps its id; chunk ids
 * are always new.
 *
 * A chunk whose embedding text has a vector anywhere in the index (the version being replaced
 * included) takes that vector over; every other chunk becomes pending.
 */
export function replaceDocument(
  db: IndexDatabase,
  record: DocumentRecord,
  text: IndexedText,
  links?: DocumentLinks,
): DocumentId {
  return writeInTransaction(db, () => {
    db.run(UPSERT_DOCUMENT, ...documentColumns(record), storeReading(db, record));
    const { id } = db.get<{ readonly id: DocumentId }>(SELECT_DOCUMENT_ID, record.path)!;
    replaceChunks(db, id, text);
    replaceLinks(db, id, links);
    return id;
  });
}

/** Removes a document and everything made from it, in one transaction; an id that is gone already is no failure. */
export function deleteDocument(db: IndexDatabase, id: DocumentId): void {
  writeInTransaction(db, () => {
    deleteChunks(db, id);
    deleteLinks(db, id);
    db.run(DELETE_DOCUMENT, id);
  });
}

/**
 * Gives a document another path and the columns that follow from it; chunks and vectors stay.
 * If the title changes, replace the document instead, since its chunks are found by it.
 *
 * @throws {AppError} `missing` if the document is gone.
 */
export function renameDocument(db: IndexDatabase, id: DocumentId, to: RenamedDocument): void {
  const values = [to.path, rawPathColumn(to), to.title, to.category, to.topic] as const;
  if (db.run(UPDATE_PATH, id, ...values) === 0) throw noDocument(id);
}

/**
 * Records that the file was read again and holds the same text.
 *
 * @param file Its key is the document's; the raw name may be another.
 * @param indexedAt When this run began, ISO 8601, UTC.
 * @throws {AppError} `missing` if the document is gone.
 */
export function touchDocument(
  db: IndexDatabase,
  id: DocumentId,
  file: FileStamp & Pick<DocumentRecord, "path" | "rawPath">,
  indexedAt: string,
): void {
  const reading = db.get<ReadingRow>(SELECT_READING_OF, id);
  if (reading === undefined) throw noDocument(id);
  const { encoding, parser_version: parserVersion, chunker_version: chunkerVersion } = reading;
  const readingId = storeReading(db, { encoding, parserVersion, chunkerVersion, indexedAt });
  db.run(UPDATE_STAMP, id, rawPathColumn(file), ...stampColumns(file), readingId);
}

// 64-bit integers leave SQLite as text, since a number would round them.
const STATE_COLUMNS = `
documents.id, path, raw_path, content_hash, indexed_at, size, CAST(mtime_ns AS TEXT) AS mtime_ns, CAST(ctime_ns AS TEXT) AS ctime_ns,
  CAST(inode AS TEXT) AS inode, parser_version, chunker_version`;

const SELECT_STATES = `
SELECT ${STATE_COLUMNS} FROM documents JOIN readings ON readings.id = reading_id ORDER BY path`;

const SELECT_IDS = "SELECT path, id FROM documents ORDER BY path";

const SELECT_PATHS = "SELECT path FROM documents ORDER BY path";

const SELECT_DOCUMENT = `
SELECT ${STATE_COLUMNS}, title, category, topic, date, tags, warnings, encoding
FROM documents JOIN readings ON readings.id = reading_id WHERE path = ?1`;

const UPSERT_DOCUMENT = `
INSERT INTO documents (path, raw_path, title, category, topic, date, day, tags, warnings, content_hash,
  size, mtime_ns, ctime_ns, inode, reading_id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
ON CONFLICT (path) DO UPDATE SET raw_path = excluded.raw_path, title = excluded.title,
  category = excluded.category, topic = excluded.topic, date = excluded.date, day = excluded.day, tags = excluded.tags,
  warnings = excluded.warnings, content_hash = excluded.content_hash, size = excluded.size,
  mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns, inode = excluded.inode,
  reading_id = excluded.reading_id`;

const SELECT_DOCUMENT_ID = "SELECT id FROM documents WHERE path = ?1";

const UPDATE_PATH =
  "UPDATE documents SET path = ?2, raw_path = ?3, title = ?4, category = ?5, topic = ?6 WHERE id = ?1";

const SELECT_READING_OF = `
SELECT encoding, parser_version, chunker_version
FROM documents JOIN readings ON readings.id = reading_id WHERE documents.id = ?1`;

const UPDATE_STAMP = `
UPDATE documents SET raw_path = ?2, size = ?3, mtime_ns = ?4, ctime_ns = ?5, inode = ?6, reading_id = ?7
WHERE id = ?1`;

const DELETE_DOCUMENT = "DELETE FROM documents WHERE id = ?1";

interface StampRow {
  readonly size: number;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  readonly inode: string;
}

interface StateRow extends StampRow {
  readonly id: DocumentId;
  readonly path: string;
  readonly raw_path: string | Uint8Array | null;
  readonly content_hash: Uint8Array;
  readonly indexed_at: string;
  readonly parser_version: string;
  readonly chunker_version: string;
}

interface ReadingRow {
  readonly encoding: string;
  readonly parser_version: string;
  readonly chunker_version: string;
}

interface DocumentRow extends StateRow {
  readonly title: string;
  readonly category: string | null;
  readonly topic: string | null;
  readonly date: string | null;
  readonly tags: string | null;
  readonly warnings: string | null;
  readonly encoding: string;
}

function documentColumns(record: DocumentRecord) {
  return [
    record.path,
    rawPathColumn(record),
    record.meta.title,
    record.meta.category,
    record.meta.topic,
    record.meta.date,
    record.meta.date === null ? null : dayOfDate(record.meta.date),
    formatList(record.meta.tags),
    formatList(record.warnings),
    Uint8Array.fromHex(record.contentHash),
    ...stampColumns(record),
  ] as const;
}

function rawPathColumn({
  path,
  rawPath,
}: Pick<DocumentRecord, "path" | "rawPath">): string | Uint8Array | null {
  return rawPath === path ? null : rawPath;
}

function formatList(words: readonly string[]): string | null {
  return words.length === 0 ? null : JSON.stringify(words);
}

function parseList(column: string | null): string[] {
  return column === null ? [] : JSON.parse(column);
}

// SQLite's integers are signed; the upper half of the inodes is kept as negative numbers.
function stampColumns({ size, mtimeNs, ctimeNs, inode }: FileStamp) {
  return [size, mtimeNs, ctimeNs, BigInt.asIntN(64, inode)] as const;
}

function stampOf(row: StampRow): FileStamp {
  return {
    size: row.size,
    mtimeNs: BigInt(row.mtime_ns),
    ctimeNs: BigInt(row.ctime_ns),
    inode: BigInt.asUintN(64, BigInt(row.inode)),
  };
}

function noDocument(id: DocumentId): AppError {
  return new AppError("missing", `document ${id} is no longer in the index`, {
    hint: "Run `kb index` to bring the index up to date.",
  });
}
