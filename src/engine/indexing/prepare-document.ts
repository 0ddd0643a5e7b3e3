/**
 * One file to a document ready to be stored: read, decoded, parsed, cut into chunks, analysed.
 *
 * Nothing is written here, so that all the work that can fail is done before a
 * transaction opens, and on any thread. Which files need it is decided in `text-plan.ts`,
 * which thread does it in `prepare-files.ts`.
 */
import { ANALYSER_VERSION } from "../../core/analyse.ts";
import { CHUNKER_VERSION, type ChunkOptions, chunkDocument } from "../../core/chunk.ts";
import { chunkParagraphs } from "../../core/chunk-parts.ts";
import type { Chunk } from "../../core/document.ts";
import type { Embedder } from "../../core/embedder.ts";
import type { DocumentLinks } from "../../core/link.ts";
import { NORMALIZER_VERSION } from "../../core/normalize.ts";
import { messageOf } from "../../errors.ts";
import { type ParsedDocument, parseDocument, parseTextParts } from "../../source/parse-document.ts";
import { PARSER_VERSION } from "../../source/parser-version.ts";
import { MAX_DOCUMENT_BYTES, type ReadSkip, type ReadStat, readDocument } from "../../source/read.ts";
import { InterruptedReading, readTextParts, surveyText, type TextSurvey } from "../../source/read-parts.ts";
import type { FoundFile } from "../../source/walk.ts";
import type { DocumentRecord } from "../../store/documents.ts";
import { type IndexedText, prepareIndexedText } from "../../store/indexed-text.ts";

export interface ChunkSettings {
  readonly maxTokens: number;
  readonly overlapTokens: number;
  /** Whether chunks are embedded and indexed with their breadcrumb; true if not given. */
  readonly hasContext?: boolean;
}

/** What is the same for all files of a run; plain data. */
export interface PrepareSettings {
  /** Canonical. */
  readonly root: string;
  readonly chunk: ChunkSettings;
  /** As `chunkerStamp` gives it. */
  readonly chunkerStamp: string;
  readonly indexedAt: string;
  /** Bytes above which a file is read in parts if it can be; `LARGE_FILE_BYTES` if not given. */
  readonly largeFileBytes?: number;
}

export type PreparedFile =
  | {
      readonly kind: "document";
      readonly record: DocumentRecord;
      readonly text: IndexedText;
      readonly links: DocumentLinks;
      /** Whether its text is read, cut and analysed while it is stored, which may fail with `UnfinishedDocument`. */
      readonly isStreamed: boolean;
    }
  | PreparedSkip;

export interface PreparedSkip {
  readonly kind: "skip";
  readonly reason: string;
  /** Null when it was not read, so that it may be different next time. */
  readonly contentHash: string | null;
  /** Whether that says nothing about its content. */
  readonly isUnreadable: boolean;
}

/** Thrown while a streamed document is stored: nothing of it is to be kept. */
export class UnfinishedDocument extends Error {
  /** What has become of the file instead. */
  readonly skip: PreparedSkip;

  constructor(skip: PreparedSkip) {
    super(skip.reason);
    this.skip = skip;
  }
}

/**
 * A larger file, in bytes, is prepared on the calling thread, and as much as can be is left to be made
 * while it is stored, a part at a time: the whole of it at once would take a dozen times its size of memory.
 */
export const LARGE_FILE_BYTES = 8 * 1024 * 1024;

/** What makes the parser's results comparable; stored with each document. */
export const PARSER_STAMP = String(PARSER_VERSION);

/** What makes the stored chunks comparable: chunker, its settings, whose tokens it counts, and how text is indexed. */
export function chunkerStamp(
  { maxTokens, overlapTokens, hasContext = true }: ChunkSettings,
  embedder: Pick<Embedder, "identity">,
): string {
  return [
    CHUNKER_VERSION,
    maxTokens,
    overlapTokens,
    hasContext ? "context" : "no context",
    embedder.identity.name,
    NORMALIZER_VERSION,
    ANALYSER_VERSION,
  ].join("/");
}

/**
 * Prepares one file; whatever is wrong with it is told, not thrown.
 *
 * @param countPassageTokens As the embedder's.
 */
export function prepareDocument(
  file: FoundFile,
  { root, chunk, chunkerStamp, indexedAt, largeFileBytes = LARGE_FILE_BYTES }: PrepareSettings,
  countPassageTokens: Embedder["countPassageTokens"],
): PreparedFile {
  const fixedTokens = countPassageTokens("");
  const chunkOptions: ChunkOptions = {
    ...chunk,
    fixedTokens,
    countTokens: (text) => countPassageTokens(text) - fixedTokens,
  };
  const stamps = { chunkerStamp, indexedAt };
  const isLarge = file.size > largeFileBytes;
  const streamed = isLarge ? prepareParts(root, file, chunkOptions, stamps) : undefined;
  if (streamed !== undefined) return streamed;
  const read = readDocument(root, file, { maxBytes: MAX_DOCUMENT_BYTES });
  if (read.kind === "skip") return skipOf(read);
  try {
    const parsed = parseDocument(file.path, read.text);
    const { meta, links } = parsed;
    const chunks = chunkDocument(parsed.blocks, meta.title, chunkOptions);
    if (chunks.length === 0) return skip(NO_TEXT, read.contentHash);
    const record = recordOf(file, parsed, read, read.encoding, stamps);
    const lazy = prepareIndexedText(meta.title, chunks);
    const text = isLarge ? lazy : { ...lazy, blocks: [...lazy.blocks] };
    return { kind: "document", record, links, text, isStreamed: false };
  } catch (thrown) {
    // One file that a parser cannot bear must not stop the others.
    return skip(`${NOT_PARSED}: ${messageOf(thrown)}`, read.contentHash);
  }
}

/** How the reason of a file begins that a parser could not bear. */
export const NOT_PARSED = "could not be parsed";
const NO_TEXT = "it has no text";

/** Undefined if the file can only be read whole. */
function prepareParts(
  root: string,
  file: FoundFile,
  chunkOptions: ChunkOptions,
  stamps: DocumentStamps,
): PreparedFile | undefined {
  const survey = surveyText(root, file, { maxBytes: MAX_DOCUMENT_BYTES });
  if (survey.kind === "other") return undefined;
  if (survey.kind === "skip") return skipOf(survey);
  if (!survey.hasWords) return skip(NO_TEXT, survey.contentHash);
  try {
    const parts = { [Symbol.iterator]: () => readTextParts(root, file, survey) };
    const parsed = parseTextParts(file.path, { parts, units: survey.units });
    if (parsed === undefined) return undefined;
    const { meta, blocks, links } = parsed;
    const chunks = {
      [Symbol.iterator]: () => finished(chunkParagraphs(blocks, meta.title, chunkOptions), survey),
    };
    const record = recordOf(file, parsed, survey, "utf-8", stamps);
    return {
      kind: "document",
      record,
      links,
      text: prepareIndexedText(meta.title, chunks),
      isStreamed: true,
    };
  } catch (thrown) {
    return unfinished(thrown, survey);
  }
}

/** The chunks; what goes wrong with them becomes an `UnfinishedDocument`. */
function* finished(chunks: Iterable<Chunk>, survey: TextSurvey): Generator<Chunk> {
  try {
    yield* chunks;
  } catch (thrown) {
    throw new UnfinishedDocument(unfinished(thrown, survey));
  }
}

function unfinished(thrown: unknown, { contentHash }: TextSurvey): PreparedSkip {
  if (thrown instanceof InterruptedReading)
    return { kind: "skip", reason: thrown.message, contentHash: null, isUnreadable: true };
  return skip(`${NOT_PARSED}: ${messageOf(thrown)}`, contentHash);
}

type DocumentStamps = Pick<PrepareSettings, "chunkerStamp" | "indexedAt">;

function recordOf(
  { path, rawPath }: FoundFile,
  { meta, warnings }: Pick<ParsedDocument, "meta" | "warnings">,
  { contentHash, size, mtimeNs, ctimeNs, inode }: ReadStat & { readonly contentHash: string },
  encoding: string,
  { chunkerStamp: chunkerVersion, indexedAt }: DocumentStamps,
): DocumentRecord {
  return {
    path,
    rawPath,
    meta,
    contentHash,
    encoding,
    warnings,
    size,
    mtimeNs,
    ctimeNs,
    inode,
    parserVersion: PARSER_STAMP,
    chunkerVersion,
    indexedAt,
  };
}

function skipOf({ reason, contentHash, isUnreadable }: ReadSkip): PreparedSkip {
  return { kind: "skip", reason, contentHash: contentHash ?? null, isUnreadable: isUnreadable ?? false };
}

/** Of a file that was read. */
function skip(reason: string, contentHash: string): PreparedSkip {
  return { kind: "skip", reason, contentHash, isUnreadable: false };
}
