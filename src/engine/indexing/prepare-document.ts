/**
 * One file to a document ready to be stored: read, decoded, parsed, cut into chunks, analysed.
 *
 * Nothing is written here, so that all the work that can fail is done before a
 * transaction opens, and on any thread. Which files need it is decided in `text-plan.ts`,
 * which thread does it in `prepare-files.ts`.
 */
import { ANALYSER_VERSION } from "../../core/analyse.ts";
import { CHUNKER_VERSION, chunkDocument } from "../../core/chunk.ts";
import type { Embedder } from "../../core/embedder.ts";
import type { DocumentLinks } from "../../core/link.ts";
import { NORMALIZER_VERSION } from "../../core/normalize.ts";
import { messageOf } from "../../errors.ts";
import { parseDocument } from "../../source/parse-document.ts";
import { PARSER_VERSION } from "../../source/parser-version.ts";
import { MAX_DOCUMENT_BYTES, readDocument } from "../../source/read.ts";
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
}

export type PreparedFile =
  | {
      readonly kind: "document";
      readonly record: DocumentRecord;
      readonly text: IndexedText;
      readonly links: DocumentLinks;
    }
  | {
      readonly kind: "skip";
      readonly reason: string;
      /** Null when it was not read, so that it may be different next time. */
      readonly contentHash: string | null;
      /** Whether that says nothing about its content. */
      readonly isUnreadable: boolean;
    };

/**
 * A larger file, in bytes, is prepared on the calling thread, and what can be is left to be made while
 * it is stored: the whole of it at once, in two threads, would take a dozen times its size of memory.
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
  { root, chunk, chunkerStamp, indexedAt }: PrepareSettings,
  countPassageTokens: Embedder["countPassageTokens"],
): PreparedFile {
  const read = readDocument(root, file, { maxBytes: MAX_DOCUMENT_BYTES });
  if (read.kind === "skip")
    return {
      kind: "skip",
      reason: read.reason,
      contentHash: read.contentHash ?? null,
      isUnreadable: read.isUnreadable ?? false,
    };
  try {
    const { meta, blocks, links, warnings } = parseDocument(file.path, read.text);
    const fixedTokens = countPassageTokens("");
    const chunks = chunkDocument(blocks, meta.title, {
      ...chunk,
      fixedTokens,
      countTokens: (text) => countPassageTokens(text) - fixedTokens,
    });
    if (chunks.length === 0) return skip("it has no text", read.contentHash);
    const { contentHash, encoding, size, mtimeNs, ctimeNs, inode } = read;
    const record: DocumentRecord = {
      path: file.path,
      rawPath: file.rawPath,
      meta,
      contentHash,
      encoding,
      warnings,
      size,
      mtimeNs,
      ctimeNs,
      inode,
      parserVersion: PARSER_STAMP,
      chunkerVersion: chunkerStamp,
      indexedAt,
    };
    const text = prepareIndexedText(meta.title, chunks);
    const isLarge = file.size > LARGE_FILE_BYTES;
    return { kind: "document", record, links, text: isLarge ? text : { ...text, blocks: [...text.blocks] } };
  } catch (thrown) {
    // One file that a parser cannot bear must not stop the others.
    return skip(`could not be parsed: ${messageOf(thrown)}`, read.contentHash);
  }
}

/** Of a file that was read. */
function skip(reason: string, contentHash: string): PreparedFile {
  return { kind: "skip", reason, contentHash, isUnreadable: false };
}
